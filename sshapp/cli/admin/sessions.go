package admin

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"net/netip"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"notakto/match"
	"notakto/sshapp/cli/player"
	"notakto/sshapp/wording"
)

// Session is a session that goes on. Its JSON is a promise (docs/commands.md).
type Session struct {
	ID       string         `json:"session"`
	Account  match.PlayerID `json:"account"`
	Name     string         `json:"name"`
	Address  string         `json:"address"` // without a port; empty by the control socket
	FrontEnd string         `json:"front_end"`
	Since    time.Time      `json:"since"`
	Idle     int64          `json:"idle_seconds"` // since the player has typed something
	Matches  []match.ID     `json:"match"`        // of the player, in progress
}

// Kicker ends sessions.
type Kicker interface {
	// Kick ends a session, or all of an account, on every server that shares the database: to is a session's name, an
	// account, or @ and a name. Their players read the reason, and keep their seats as after a lost connection. The
	// session of the caller goes on. The error says that there is none.
	Kick(to, reason string) (Reached, error)
}

// Speaker tells players something.
type Speaker interface {
	// Say shows a text in every session, or in those of an account, of @ and a name, or of the players of a match, on
	// every server that shares the database.
	Say(text, to string) (Reached, error)
}

// Reached tells which sessions and servers a command to all servers of a database has reached. Its JSON is a promise
// (docs/commands.md).
type Reached struct {
	Sessions int  `json:"sessions"` // of this server
	Others   bool `json:"others"`   // the other servers were told
}

func newWho(e Env) *cobra.Command {
	id, network := "", ""
	cmd := (row{
		use: "who", short: "List the sessions, the oldest first", args: player.NoArguments,
		example: "ssh HOST admin who --address 192.0.2.0/24", isForModerators: true,
	}).answering(func(*cobra.Command, []string) (answer, error) {
		isNear := func(string) bool { return true }
		if network != "" {
			near, err := parseNetwork(network)
			if err != nil {
				return answer{}, err
			}
			isNear = func(address string) bool {
				ip, err := netip.ParseAddr(address)
				return err == nil && near.Contains(ip)
			}
		}
		all := slices.DeleteFunc(e.Server.Sessions(), func(s Session) bool {
			return !isNear(s.Address) || id != "" && !slices.Contains(s.Matches, match.ID(id))
		})
		if all == nil {
			all = []Session{}
		}
		return answer{all, func(w io.Writer) error { return whoInWords(w, all) }}, nil
	})
	cmd.Flags().StringVar(&id, "match", id, "only of the players of a match, by its `name`")
	cmd.Flags().StringVar(&network, "address", network, "only from an address or a `network`")
	return cmd
}

func whoInWords(w io.Writer, all []Session) error {
	for _, s := range all {
		line := fmt.Sprintf("%s  %s  %s from %s on %s, since %s, idle for %s", s.ID, s.Account, s.Name,
			cmp.Or(s.Address, "here"), s.FrontEnd, wording.Time(s.Since), time.Duration(s.Idle)*time.Second)
		if len(s.Matches) > 0 {
			line += ", plays " + strings.Join(texts(s.Matches), " ")
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// parseNetwork reads an address or a network.
func parseNetwork(text string) (netip.Prefix, error) {
	if ip, err := netip.ParseAddr(text); err == nil && ip.Zone() == "" {
		ip = ip.Unmap()
		return netip.PrefixFrom(ip, ip.BitLen()), nil
	}
	network, err := netip.ParsePrefix(text)
	if err != nil || strings.Contains(text, "%") || network.Addr().Is4In6() {
		return network, usage{fmt.Errorf("%.60q is neither an address nor a network, such as 192.0.2.0/24", text)}
	}
	return network.Masked(), nil
}

func newKick(e Env) *cobra.Command {
	reason := ""
	cmd := (row{
		use: "kick SESSION|ACCOUNT|@NAME", short: "End a session, or all of an account",
		args:    player.Arguments(1, math.MaxInt, "a session, an account, or @ and a name"),
		example: "ssh HOST admin kick 17.1 --reason flooding", isForModerators: true,
	}).answering(func(cmd *cobra.Command, args []string) (answer, error) {
		args = ownWords(cmd, args, 1, reasonFlag)
		to := strings.Join(args, " ")
		text, err := textFor(reason)
		isName := strings.HasPrefix(to, "@") // which may have several words
		if err == nil && (strings.Trim(to, "@ ") == "" || len(args) > 1 && !isName) {
			err = usage{fmt.Errorf("%s takes a session, an account, or @ and a name", cmd.CommandPath())}
		}
		if err != nil {
			return answer{}, err
		}
		reached, err := e.Server.Kick(to, text)
		return answer{reached, reached.inWords(" ended")}, err
	})
	cmd.Flags().StringVar(&reason, reasonFlag, reason, "what the players read, as `text`")
	return cmd
}

func newSay(e Env) *cobra.Command {
	to := ""
	cmd := (row{
		use: "say TEXT...", short: "Tell all players something, or some of them", args: cobra.ArbitraryArgs,
		example: "ssh HOST admin say The server restarts at noon.", isForModerators: true,
	}).answering(func(_ *cobra.Command, args []string) (answer, error) {
		text, err := textFor(strings.Join(args, " "))
		if err == nil && text == "" {
			err = usage{errors.New("say takes a text, and got nothing")}
		}
		if err != nil {
			return answer{}, err
		}
		reached, err := e.Server.Say(text, to)
		return answer{reached, reached.inWords(" told")}, err
	})
	cmd.Flags().StringVar(&to, "to", to, "only `ACCOUNT`, @NAME, or the players of a match, by its name")
	return cmd
}

// maxText is how many characters a text has at most that players read: more is not shown in a small window.
const maxText = 200

// textFor returns a text as players may be shown it: one line of printable characters, the others removed.
func textFor(text string) (string, error) {
	text = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || unicode.IsSpace(r) {
			return r
		}
		return -1
	}, text)), " ")
	if n := utf8.RuneCountInString(text); n > maxText {
		return "", usage{fmt.Errorf("the text has %d characters, and may have %d", n, maxText)}
	}
	return text, nil
}

func (r Reached) inWords(done string) func(io.Writer) error {
	return func(w io.Writer) error {
		others := ""
		if r.Others {
			others = " here; the other servers were told"
		}
		_, err := fmt.Fprintf(w, "%s%s%s.\n", wording.Count(r.Sessions, "session", "sessions"), done, others)
		return err
	}
}

package admin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"notakto/match"
	"notakto/sshapp/cli"
	"notakto/sshapp/wording"
)

// Session is a session in progress, as `who --json` prints it.
type Session struct {
	ID       string         `json:"session"`
	Account  match.PlayerID `json:"account"`
	Name     string         `json:"name"`
	Address  string         `json:"address"` // without a port; empty for the control socket
	FrontEnd string         `json:"front_end"`
	Since    time.Time      `json:"since"`
	Idle     int64          `json:"idle_seconds"` // since the player last typed
	Matches  []match.ID     `json:"match"`        // of the player, in progress
}

// Reached says which sessions and servers a command to all servers of a database has reached.
type Reached struct {
	Sessions int  `json:"sessions"` // of this server
	Others   bool `json:"others"`   // the other servers were told
}

// answer returns r as an answer. done says in words what was done to the sessions.
func (r Reached) answer(done string) cli.Answer {
	return cli.Answer{JSON: r, Text: func(say cli.Say) {
		others := ""
		if r.Others {
			others = " here; the other servers were told"
		}
		say("%s %s%s.", wording.Count(r.Sessions, "session", "sessions"), done, others)
	}}
}

func (o *Operator) who() cli.Command {
	id, network := "", ""
	return cli.Command{
		Use: "who", Short: "List the sessions, the oldest first", Example: "ssh HOST admin who --address 192.0.2.0/24",
		Role: cli.Moderator, JSON: true,
		Flags: func(f *pflag.FlagSet) {
			f.StringVar(&id, "match", id, "only of the players of a match, by its `name`")
			f.StringVar(&network, "address", network, "only from an address or a `network`")
		},
		Run: func(context.Context, *cli.Call, []string) (cli.Answer, error) {
			isNear := func(string) bool { return true }
			if network != "" {
				near, err := parseNetwork(network)
				if err != nil {
					return cli.Answer{}, err
				}
				isNear = func(address string) bool {
					ip, err := netip.ParseAddr(address)
					return err == nil && near.Contains(ip)
				}
			}
			all := append([]Session{}, slices.DeleteFunc(o.Server.Sessions(), func(s Session) bool {
				return !isNear(s.Address) || id != "" && !slices.Contains(s.Matches, match.ID(id))
			})...)
			return cli.Answer{JSON: all, Text: func(say cli.Say) {
				for _, s := range all {
					plays := ""
					if len(s.Matches) > 0 {
						plays = ", plays " + strings.Join(toStrings(s.Matches), " ")
					}
					say("%s  %s  %s from %s on %s, since %s, idle for %s%s", s.ID, s.Account, s.Name, cmp.Or(s.Address, "here"),
						s.FrontEnd, wording.Time(s.Since), time.Duration(s.Idle)*time.Second, plays)
				}
			}}, nil
		},
	}
}

// parseNetwork reads an address or a network.
func parseNetwork(text string) (netip.Prefix, error) {
	if ip, err := netip.ParseAddr(text); err == nil && ip.Zone() == "" {
		ip = ip.Unmap()
		return netip.PrefixFrom(ip, ip.BitLen()), nil
	}
	network, err := netip.ParsePrefix(text)
	if err != nil || strings.Contains(text, "%") || network.Addr().Is4In6() {
		return network, cli.Usage(fmt.Errorf("%.60q is neither an address nor a network, such as 192.0.2.0/24", text))
	}
	return network.Masked(), nil
}

func (o *Operator) kick() cli.Command {
	reason := ""
	return cli.Command{
		Use: "kick SESSION|ACCOUNT|@NAME", Short: "End a session, or all of an account",
		Args:    cli.Arguments(1, math.MaxInt, "a session, an account, or @ and a name"),
		Example: "ssh HOST admin kick 17.1 --reason flooding", Role: cli.Moderator, JSON: true,
		Flags: func(f *pflag.FlagSet) {
			f.StringVar(&reason, cli.ReasonFlag, reason, "what the players read, as `text`")
		},
		Run: func(_ context.Context, c *cli.Call, args []string) (cli.Answer, error) {
			args = c.OwnWords(args, 1, cli.ReasonFlag)
			to := strings.Join(args, " ")
			text, err := textFor(reason)
			isName := strings.HasPrefix(to, "@") // a name may have several words
			if err == nil && (strings.Trim(to, "@ ") == "" || len(args) > 1 && !isName) {
				err = cli.Usage(fmt.Errorf("%s takes a session, an account, or @ and a name", c.Path))
			}
			if err != nil {
				return cli.Answer{}, err
			}
			reached, err := o.Server.Kick(to, text)
			return reached.answer("ended"), err
		},
	}
}

func (o *Operator) say() cli.Command {
	to := ""
	return cli.Command{
		Use: "say TEXT...", Short: "Tell all players something, or some of them", Args: cli.AnyArguments,
		Example: "ssh HOST admin say The server restarts at noon.", Role: cli.Moderator, JSON: true,
		Flags: func(f *pflag.FlagSet) {
			f.StringVar(&to, "to", to, "only `ACCOUNT`, @NAME, or the players of a match, by its name")
		},
		Run: func(_ context.Context, _ *cli.Call, args []string) (cli.Answer, error) {
			text, err := textFor(strings.Join(args, " "))
			if err == nil && text == "" {
				err = cli.Usage(errors.New("say takes a text, and got nothing"))
			}
			if err != nil {
				return cli.Answer{}, err
			}
			reached, err := o.Server.Say(text, to)
			return reached.answer("told"), err
		},
	}
}

// maxText is the most characters of a text for players. A small window shows no more.
const maxText = 200

// textFor returns a text for players: one line of printable characters, without the others.
func textFor(text string) (string, error) {
	text = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || unicode.IsSpace(r) {
			return r
		}
		return -1
	}, text)), " ")
	if n := utf8.RuneCountInString(text); n > maxText {
		return "", cli.Usage(fmt.Errorf("the text has %d characters, and may have %d", n, maxText))
	}
	return text, nil
}

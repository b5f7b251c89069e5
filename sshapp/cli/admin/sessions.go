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

// Session is an open session, as "who --json" prints it.
type Session struct {
	ID       string         `json:"session"`
	Account  match.PlayerID `json:"account"`
	Name     string         `json:"name"`
	Address  string         `json:"address"` // without a port, empty for the control socket
	FrontEnd string         `json:"front_end"`
	Since    time.Time      `json:"since"`
	Idle     int64          `json:"idle_seconds"` // since the latest input
	Matches  []match.ID     `json:"match"`        // the player's matches in progress
}

// Delivery says where a command to all servers that share the database has arrived.
type Delivery struct {
	Sessions int  `json:"sessions"` // at this server
	Others   bool `json:"others"`   // the command went to further servers
}

// answer puts r in words. done is the verb for the sessions.
func (r Delivery) answer(done string) cli.Answer {
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
			f.StringVar(&id, "match", id, "only sessions of the players of a match, by its `name`")
			f.StringVar(&network, "address", network, "only sessions from an address or a `network`")
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

// parseNetwork parses an address or a network.
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
		Args:    cli.ArgumentRange(1, math.MaxInt, "a session, an account, or @ and a name"),
		Example: "ssh HOST admin kick 17.1 --reason flooding", Role: cli.Moderator, JSON: true,
		Flags: func(f *pflag.FlagSet) {
			f.StringVar(&reason, cli.ReasonFlag, reason, "a `text` that the players read")
		},
		Run: func(_ context.Context, c *cli.Call, args []string) (cli.Answer, error) {
			args = c.JoinFlagText(args, 1, cli.ReasonFlag)
			to := strings.Join(args, " ")
			text, err := cleanText(reason)
			isName := strings.HasPrefix(to, "@") // a name may have several words
			if err == nil && (strings.Trim(to, "@ ") == "" || len(args) > 1 && !isName) {
				err = cli.Usage(fmt.Errorf("%s takes a session, an account, or @ and a name", c.Path))
			}
			if err != nil {
				return cli.Answer{}, err
			}
			delivery, err := o.Server.Kick(to, text)
			return delivery.answer("ended"), err
		},
	}
}

func (o *Operator) say() cli.Command {
	to := ""
	return cli.Command{
		Use: "say TEXT...", Short: "Send a message to all players, or to some of them", Args: cli.AnyArguments,
		Example: "ssh HOST admin say The server restarts at noon.", Role: cli.Moderator, JSON: true,
		Flags: func(f *pflag.FlagSet) {
			f.StringVar(&to, "to", to, "only to `ACCOUNT`, to @NAME, or to the players of a match, by its name")
		},
		Run: func(_ context.Context, _ *cli.Call, args []string) (cli.Answer, error) {
			text, err := cleanText(strings.Join(args, " "))
			if err == nil && text == "" {
				err = cli.Usage(errors.New("say takes a text, and got nothing"))
			}
			if err != nil {
				return cli.Answer{}, err
			}
			delivery, err := o.Server.Say(text, to)
			return delivery.answer("told"), err
		},
	}
}

// maxText limits the characters of a text for players, because a small window shows no more.
const maxText = 200

// cleanText returns text for players as one line of printable characters.
func cleanText(text string) (string, error) {
	text = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || unicode.IsSpace(r) {
			return r
		}
		return -1
	}, text)), " ")
	if n := utf8.RuneCountInString(text); n > maxText {
		return "", cli.Usage(fmt.Errorf("the text has %d characters: want %d at most", n, maxText))
	}
	return text, nil
}

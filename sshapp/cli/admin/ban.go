package admin

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/crypto/ssh"

	"notakto/match"
	"notakto/match/account"
	"notakto/sshapp/cli"
	"notakto/sshapp/wording"
)

// Lengths of the largest networks that can be banned. Larger ones are probably typing errors. An IPv4 /8 has 2^24
// addresses. An IPv6 /32 has 2^32 of the networks that customers get.
const (
	leastBits4 = 8
	leastBits6 = 32
)

// Ban is a ban as `ban list --json` prints it.
type Ban struct {
	account.Ban
	Name string `json:"name,omitempty"` // of the account, if it has claimed one
}

// bannable describes the argument X in an error.
const bannable = "an account, @ and a name, a key, an address or a network"

const aboutBans = `X is an account, a claimed name (@NAME), a key (a line of a file authorized_keys, or a fingerprint
SHA256:…), an address or a network. An address of IPv6 stands for its network of 64 bits.`

func (o *Operator) ban() cli.Command {
	var lasts duration
	reason, kick := "", false
	return cli.Command{
		Use: "ban", Short: "Keep players, keys, addresses and networks out", Role: cli.Moderator,
		Sub: []cli.Command{{
			Use: "add X", Short: "Ban an account, a key, an address or a network",
			Long: aboutBans + `

The ban holds at once on all servers that share a database. It takes the place of one of the same X. A ban of an
address or a network has to end, within 30 days. Administrators are never kept out. Without --kick, sessions go on.`,
			Example: "ssh HOST admin ban add @mallory --for 7d --reason spam --kick\n" +
				"ssh HOST admin ban add 192.0.2.0/24 --for 12h",
			Args: cli.Arguments(1, math.MaxInt, bannable), Role: cli.Moderator, JSON: true,
			Flags: func(f *pflag.FlagSet) {
				f.Var(&lasts, "for", "how long, such as 12h or 7d; for good without it")
				f.StringVar(&reason, cli.ReasonFlag, reason, "why, as those read who are kept out: a `text`")
				f.BoolVar(&kick, "kick", kick, "end the sessions that are kept out")
			},
			Run: func(ctx context.Context, c *cli.Call, args []string) (cli.Answer, error) {
				if !strings.Contains(args[0], "-") || strings.HasPrefix(args[0], "@") { // a line with a key has several words
					args = c.OwnWords(args, 1, cli.ReasonFlag)
				}
				s, err := o.subjectOf(c, args)
				if err != nil {
					return cli.Answer{}, err
				}
				text, err := textFor(reason)
				if err == nil {
					err = canBan(s, time.Duration(lasts))
				}
				if err != nil {
					return cli.Answer{}, err
				}
				ban, err := o.Accounts.Ban(ctx, account.Ban{Subject: s, Reason: text, By: o.Actor}, time.Duration(lasts), kick)
				return o.showBan(ban, "Banned"), err
			},
		}, {
			Use: "list", Short: "List the bans, the oldest first", Role: cli.Moderator, JSON: true,
			Run: func(context.Context, *cli.Call, []string) (cli.Answer, error) {
				return o.listBans(o.Accounts.Bans(), "There is no ban."), nil
			},
		}, {
			Use: "check X", Short: "List the bans that keep someone out", Long: aboutBans,
			Args:    cli.Arguments(1, math.MaxInt, bannable),
			Example: "ssh HOST admin ban check 192.0.2.7", Role: cli.Moderator, JSON: true,
			Run: func(_ context.Context, c *cli.Call, args []string) (cli.Answer, error) {
				s, err := o.subjectOf(c, args)
				if err != nil {
					return cli.Answer{}, err
				}
				return o.listBans(o.Accounts.BansOn(s), subjectText(s)+" is not banned."), nil
			},
		}, {
			Use: "remove X", Short: "Lift a ban, by its reference or by what was banned", Long: aboutBans,
			Args:    cli.Arguments(1, math.MaxInt, bannable+", or a reference"),
			Example: "ssh HOST admin ban remove B17", Role: cli.Moderator, JSON: true,
			Run: func(ctx context.Context, c *cli.Call, args []string) (cli.Answer, error) {
				s, err := o.subjectOf(c, args)
				if err != nil {
					return cli.Answer{}, err
				}
				ban, err := o.Accounts.Unban(ctx, s, o.Actor)
				if errors.Is(err, account.ErrNoSuchBan) {
					err = fmt.Errorf("%s is not banned", subjectText(s))
					if others := o.Accounts.BansOn(s); len(others) > 0 {
						err = fmt.Errorf("%s is not banned itself; %s keeps it out: %s", subjectText(s), others[0].Reference,
							subjectText(others[0].Subject))
					}
				}
				return o.showBan(ban, "Lifted"), err
			},
		}},
	}
}

// showBan returns an answer with a ban. done says in words what was done with the ban.
func (o *Operator) showBan(b account.Ban, done string) cli.Answer {
	shown := o.newBan(b)
	return cli.Answer{JSON: shown, Text: func(say cli.Say) { say("%s: %s", done, shown.inWords()) }}
}

// listBans returns an answer with bans. none is the text if there are none.
func (o *Operator) listBans(bans []account.Ban, none string) cli.Answer {
	all := make([]Ban, len(bans))
	for i, b := range bans {
		all[i] = o.newBan(b)
	}
	return cli.Answer{JSON: all, Text: func(say cli.Say) {
		if len(all) == 0 {
			say("%s", none)
		}
		for _, b := range all {
			say("%s", b.inWords())
		}
	}}
}

func (o *Operator) newBan(b account.Ban) Ban {
	shown := Ban{Ban: b}
	if b.Account != "" {
		shown.Name = o.Accounts.NameOf(b.Account)
	}
	return shown
}

// inWords returns the ban as one line.
func (b Ban) inWords() string {
	name := ""
	if b.Name != "" {
		name = " (" + b.Name + ")"
	}
	until := "for good"
	if !b.Until.IsZero() {
		until = "until " + wording.Time(b.Until)
	}
	return fmt.Sprintf("%s  %s%s %s, by %s on %s: %s", b.Reference, subjectText(b.Subject), name, until, b.By,
		wording.Time(b.Since), cmp.Or(b.Reason, "no reason given"))
}

// subjectText returns the subject of a ban as text.
func subjectText(s account.Subject) string {
	switch {
	case s.Account != "":
		return "account " + string(s.Account)
	case s.Key != "":
		return "key " + string(s.Key)
	case s.Network.IsSingleIP():
		return s.Network.Addr().String()
	default:
		return s.Network.String()
	}
}

// subjectOf returns the subject that words name. It sets c.Object to the server's name for it, because words may
// hold a key.
func (o *Operator) subjectOf(c *cli.Call, words []string) (account.Subject, error) {
	s, err := o.findSubject(words)
	if err == nil {
		c.Object = subjectText(s)
	}
	return s, err
}

// canBan returns a usage error if s cannot be banned for the time lasts. lasts is 0 for good.
func canBan(s account.Subject, lasts time.Duration) error {
	least := leastBits4
	if s.Network.Addr().Is6() {
		least = leastBits6
	}
	switch {
	case !s.Network.IsValid():
		return nil
	case lasts == 0 || lasts > account.NetworkBanLasts:
		return cli.Usage(errors.New("a ban of an address or a network has to end: give --for with 30d at most"))
	case s.Network.Bits() < least:
		return cli.Usage(fmt.Errorf("%s is too large: the largest network that can be banned has /%d", s.Network, least))
	}
	return nil
}

// findSubject returns the subject that words name. The reference of a ban names the subject of that ban.
func (o *Operator) findSubject(words []string) (account.Subject, error) {
	text := strings.Join(words, " ")
	if account.IsBanReference(text) {
		for _, b := range o.Accounts.Bans() {
			if b.Reference == text {
				return b.Subject, nil
			}
		}
		return account.Subject{}, fmt.Errorf("there is no ban %s", text)
	}
	if name, ok := strings.CutPrefix(text, "@"); ok {
		if id := o.Accounts.Owner(name); id != "" {
			return account.Subject{Account: id}, nil
		}
		return account.Subject{}, fmt.Errorf("no account has claimed the name %.40q", name)
	}
	if strings.HasPrefix(text, "guest:") {
		return account.Subject{}, cli.Usage(errors.New("a guest has no account: ban the address, as of who"))
	}
	if account.IsID(text) {
		return account.Subject{Account: match.PlayerID(text)}, nil
	}
	if fingerprint, ok := fingerprintOf(text); ok {
		return account.Subject{Key: o.Accounts.Key(fingerprint)}, nil
	}
	network, err := parseNetwork(text)
	if err != nil {
		return account.Subject{}, cli.Usage(fmt.Errorf(
			"%.60q is none of these: an account, @ and a name, a key, an address, a network", cli.Printable(text)))
	}
	if network.Addr().Is6() && !strings.Contains(text, "/") {
		network = netip.PrefixFrom(network.Addr(), customerBits).Masked()
	}
	return account.Subject{Network: network}, nil
}

// customerBits is the length of the networks that providers give to customers of IPv6.
const customerBits = 64

// fingerprintOf returns the fingerprint of a key. text is a line of authorized_keys or a fingerprint.
func fingerprintOf(text string) (string, bool) {
	if sum, ok := strings.CutPrefix(text, "SHA256:"); ok {
		hash, err := base64.RawStdEncoding.DecodeString(sum)
		return text, err == nil && len(hash) == 32
	}
	key, _, _, rest, err := ssh.ParseAuthorizedKey([]byte(text))
	if err != nil || len(rest) > 0 {
		return "", false
	}
	return ssh.FingerprintSHA256(key), true
}

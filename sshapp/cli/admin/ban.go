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

// The shortest prefixes that can be banned. A larger network is probably a typing error. An IPv4 /8 has 2^24
// addresses. An IPv6 /32 has 2^32 of the networks that customers get.
const (
	leastBits4 = 8
	leastBits6 = 32
)

// Ban is a ban as "ban list --json" prints it.
type Ban struct {
	account.Ban
	Name string `json:"name,omitempty"` // the claimed name of the account, if any
}

// addedBan is a ban as "ban add --json" prints it.
type addedBan struct {
	Ban
	Sessions int `json:"sessions"` // of this server that the ban applies to
}

// subjectArgument describes the argument X when it is missing.
const subjectArgument = "an account, @ and a name, a key, an address or a network"

const aboutBans = `X is an account, a claimed name (@NAME), a key (a line of authorized_keys, or a fingerprint
SHA256:…), an address or a network. An IPv6 address stands for its /64 network.`

func (o *Operator) ban() cli.Command {
	var lasts duration
	reason, kick := "", false
	return cli.Command{
		Use: "ban", Short: "Ban accounts, keys, addresses and networks", Role: cli.Moderator,
		Sub: []cli.Command{{
			Use: "add X", Short: "Ban an account, a key, an address or a network",
			Long: "Ban X.\n\n" + aboutBans + `

The ban holds at once on all servers that share a database. It replaces an earlier ban of the same X. A ban of an
address or a network must end within 30 days. It never applies to administrators. Without --kick, sessions in progress
continue.`,
			Example: "ssh HOST admin ban add @mallory --for 7d --reason spam --kick\n" +
				"ssh HOST admin ban add 192.0.2.0/24 --for 12h",
			Args: cli.ArgumentRange(1, math.MaxInt, subjectArgument), Role: cli.Moderator, JSON: true,
			Flags: func(f *pflag.FlagSet) {
				f.Var(&lasts, "for", "how long, such as 12h or 7d (default: for good)")
				f.StringVar(&reason, cli.ReasonFlag, reason, "why, a `text` that the banned players read")
				f.BoolVar(&kick, "kick", kick, "end the sessions that the ban applies to")
			},
			Run: func(ctx context.Context, c *cli.Call, args []string) (cli.Answer, error) {
				if !strings.Contains(args[0], "-") || strings.HasPrefix(args[0], "@") { // else a line of several words
					args = c.JoinFlagText(args, 1, cli.ReasonFlag)
				}
				s, err := o.recordSubject(c, args)
				if err != nil {
					return cli.Answer{}, err
				}
				text, err := cleanText(reason)
				if err == nil {
					err = canBan(s, time.Duration(lasts))
				}
				if err != nil {
					return cli.Answer{}, err
				}
				ban := account.Ban{Subject: s, Reason: text, By: o.Actor}
				ban, hit, err := o.Server.Ban(ctx, ban, time.Duration(lasts), kick)
				return o.showNewBan(ban, hit, kick), err
			},
		}, {
			Use: "list", Short: "List the bans, the oldest first", Role: cli.Moderator, JSON: true,
			Run: func(context.Context, *cli.Call, []string) (cli.Answer, error) {
				return o.listBans(o.Accounts.Bans(), "There are no bans."), nil
			},
		}, {
			Use: "check X", Short: "List the bans that apply to X", Long: "List the bans that apply to X.\n\n" + aboutBans,
			Args:    cli.ArgumentRange(1, math.MaxInt, subjectArgument),
			Example: "ssh HOST admin ban check 192.0.2.7", Role: cli.Moderator, JSON: true,
			Run: func(_ context.Context, c *cli.Call, args []string) (cli.Answer, error) {
				s, err := o.recordSubject(c, args)
				if err != nil {
					return cli.Answer{}, err
				}
				return o.listBans(o.Accounts.BansOn(s), subjectText(s)+" is not banned."), nil
			},
		}, {
			Use: "remove X", Short: "Lift a ban, by its reference or by what was banned",
			Long:    "Lift a ban. X can also be its reference, such as B17.\n\n" + aboutBans,
			Args:    cli.ArgumentRange(1, math.MaxInt, subjectArgument+", or a reference"),
			Example: "ssh HOST admin ban remove B17", Role: cli.Moderator, JSON: true,
			Run: func(ctx context.Context, c *cli.Call, args []string) (cli.Answer, error) {
				s, err := o.recordSubject(c, args)
				if err != nil {
					return cli.Answer{}, err
				}
				ban, err := o.Accounts.Unban(ctx, s, o.Actor)
				if errors.Is(err, account.ErrNoSuchBan) {
					err = fmt.Errorf("%s is not banned", subjectText(s))
					if others := o.Accounts.BansOn(s); len(others) > 0 {
						err = fmt.Errorf("%s is not banned itself: ban %s applies to it, of %s", subjectText(s), others[0].Reference,
							subjectText(others[0].Subject))
					}
				}
				return o.showBan(ban, "Lifted"), err
			},
		}},
	}
}

// showNewBan answers with a ban that applies to hit sessions of this server. kick tells that they were ended.
func (o *Operator) showNewBan(b account.Ban, hit int, kick bool) cli.Answer {
	a := o.showBan(b, "Banned")
	return cli.Answer{JSON: addedBan{o.newBan(b), hit}, Text: func(say cli.Say) {
		a.Text(say)
		sessions := "no session"
		if hit > 0 {
			sessions = wording.Count(hit, "session", "sessions")
		}
		switch {
		case kick:
			say("It ended %s of this server.", sessions)
		case hit > 0:
			say("It applies to %s of this server: --kick would end them.", sessions)
		default:
			say("It applies to %s of this server.", sessions)
		}
	}}
}

// showBan answers with a ban. done is the verb in the text.
func (o *Operator) showBan(b account.Ban, done string) cli.Answer {
	shown := o.newBan(b)
	return cli.Answer{JSON: shown, Text: func(say cli.Say) { say("%s: %s", done, shown.text()) }}
}

// listBans answers with bans, or with emptyText if bans is empty.
func (o *Operator) listBans(bans []account.Ban, emptyText string) cli.Answer {
	all := make([]Ban, len(bans))
	for i, b := range bans {
		all[i] = o.newBan(b)
	}
	return cli.Answer{JSON: all, Text: func(say cli.Say) {
		if len(all) == 0 {
			say("%s", emptyText)
		}
		for _, b := range all {
			say("%s", b.text())
		}
	}}
}

func (o *Operator) newBan(b account.Ban) Ban {
	shown := Ban{Ban: b}
	if b.Account != "" {
		shown.Name = o.Accounts.ClaimedName(b.Account)
	}
	return shown
}

func (b Ban) text() string {
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

// recordSubject returns the subject that words name. For the record, c.RecordObject gets a name other than words,
// because words may hold a key.
func (o *Operator) recordSubject(c *cli.Call, words []string) (account.Subject, error) {
	s, err := o.findSubject(words)
	if err == nil {
		c.RecordObject = subjectText(s)
	}
	return s, err
}

// canBan returns a usage error if s cannot be banned for the time lasts. A zero lasts means for good.
func canBan(s account.Subject, lasts time.Duration) error {
	least := leastBits4
	if s.Network.Addr().Is6() {
		least = leastBits6
	}
	switch {
	case !s.Network.IsValid():
		return nil
	case lasts == 0 || lasts > account.MaxNetworkBan:
		return cli.Usage(errors.New("a ban of an address or a network must end: give --for with 30d at most"))
	case s.Network.Bits() < least:
		return cli.Usage(fmt.Errorf("%s is too large: the largest network that can be banned has /%d", s.Network, least))
	}
	return nil
}

// findSubject returns the subject that words name. The reference of a ban stands for the ban's subject.
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
		return account.Subject{}, cli.Usage(errors.New("a guest has no account: ban the address, which admin who shows"))
	}
	if account.IsID(text) {
		return account.Subject{Account: match.PlayerID(text)}, nil
	}
	if fingerprint, ok := parseFingerprint(text); ok {
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

// customerBits is the prefix length of the networks that IPv6 providers give to customers.
const customerBits = 64

// parseFingerprint returns the fingerprint of a key. text is a line of authorized_keys or the fingerprint itself.
func parseFingerprint(text string) (string, bool) {
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

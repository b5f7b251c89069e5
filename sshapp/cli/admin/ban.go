package admin

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math"
	"net/netip"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/crypto/ssh"

	"notakto/match"
	"notakto/match/account"
	"notakto/sshapp/cli/player"
	"notakto/sshapp/wording"
)

// The largest networks that can be banned: of 2^24 addresses of IPv4, and of 2^32 networks as customers get of IPv6. A
// larger one is a slip of the keyboard.
const (
	leastBits4 = 8
	leastBits6 = 32
)

// Ban is a ban as it is shown. Its JSON is a promise (docs/commands.md).
type Ban struct {
	account.Ban
	Name string `json:"name,omitempty"` // of the account, if it has claimed one
}

func newBan(e Env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "ban", Short: "Keep players, keys, addresses and networks out", Args: player.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return player.RuntimeError(cmd.Help()) },
	}
	cmd.AddCommand(newBanAdd(e), newBanList(e), newBanCheck(e), newBanRemove(e))
	return cmd
}

// bannable says what X is, in an error.
const bannable = "an account, @ and a name, a key, an address or a network"

const aboutBans = `X is an account, a claimed name (@NAME), a key (a line of a file authorized_keys, or a fingerprint
SHA256:…), an address or a network. An address of IPv6 stands for its network of 64 bits.`

func newBanAdd(e Env) *cobra.Command {
	var lasts duration
	reason, kick := "", false
	cmd := (row{
		use: "add X", short: "Ban an account, a key, an address or a network",
		long: aboutBans + `

The ban holds at once on all servers that share a database. It takes the place of one of the same X. A ban of an
address or a network has to end, within 30 days. Administrators are never kept out. Without --kick, sessions go on.`,
		example: "ssh HOST admin ban add @mallory --for 7d --reason spam --kick\n" +
			"ssh HOST admin ban add 192.0.2.0/24 --for 12h",
		args: player.Arguments(1, math.MaxInt, bannable), isForModerators: true,
	}).answering(func(cmd *cobra.Command, args []string) (answer, error) {
		if !strings.Contains(args[0], "-") || strings.HasPrefix(args[0], "@") { // a line with a key has several words
			args = ownWords(cmd, args, 1, reasonFlag)
		}
		s, err := subjectOf(e.Accounts, args)
		if err != nil {
			return answer{}, err
		}
		named(cmd, s)
		text, err := textFor(reason)
		if err == nil {
			err = canBan(s, time.Duration(lasts))
		}
		if err != nil {
			return answer{}, err
		}
		ban, err := e.Accounts.Ban(cmd.Context(), account.Ban{Subject: s, Reason: text, By: e.Actor},
			time.Duration(lasts), kick)
		if err != nil {
			return answer{}, err
		}
		return e.showBan(ban, "Banned"), nil
	})
	cmd.Flags().Var(&lasts, "for", "how long, such as 12h or 7d; for good without it")
	cmd.Flags().StringVar(&reason, reasonFlag, reason, "why, as those read who are kept out: a `text`")
	cmd.Flags().BoolVar(&kick, "kick", kick, "end the sessions that are kept out")
	return cmd
}

func newBanList(e Env) *cobra.Command {
	return (row{
		use: "list", short: "List the bans, the oldest first", args: player.NoArguments, isForModerators: true,
	}).answering(func(*cobra.Command, []string) (answer, error) {
		return e.listBans(e.Accounts.Bans(), "There is no ban."), nil
	})
}

func newBanCheck(e Env) *cobra.Command {
	return (row{
		use: "check X", short: "List the bans that keep someone out", long: aboutBans,
		args:    player.Arguments(1, math.MaxInt, bannable),
		example: "ssh HOST admin ban check 192.0.2.7", isForModerators: true,
	}).answering(func(cmd *cobra.Command, args []string) (answer, error) {
		s, err := subjectOf(e.Accounts, args)
		if err != nil {
			return answer{}, err
		}
		named(cmd, s)
		return e.listBans(e.Accounts.BansOn(s), subjectText(s)+" is not banned."), nil
	})
}

func newBanRemove(e Env) *cobra.Command {
	return (row{
		use: "remove X", short: "Lift a ban, by its reference or by what was banned", long: aboutBans,
		args:    player.Arguments(1, math.MaxInt, bannable+", or a reference"),
		example: "ssh HOST admin ban remove B17", isForModerators: true,
	}).answering(func(cmd *cobra.Command, args []string) (answer, error) {
		s, err := subjectOf(e.Accounts, args)
		if err != nil {
			return answer{}, err
		}
		named(cmd, s)
		ban, err := e.Accounts.Unban(cmd.Context(), s, e.Actor)
		if errors.Is(err, account.ErrNoSuchBan) {
			if others := e.Accounts.BansOn(s); len(others) > 0 {
				err = fmt.Errorf("%s is not banned itself; %s keeps it out: %s", subjectText(s), others[0].Reference,
					subjectText(others[0].Subject))
			} else {
				err = fmt.Errorf("%s is not banned", subjectText(s))
			}
		}
		if err != nil {
			return answer{}, err
		}
		return e.showBan(ban, "Lifted"), nil
	})
}

// showBan answers with a ban, and what was done with it.
func (e Env) showBan(b account.Ban, done string) answer {
	shown := e.banOf(b)
	return answer{shown, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s: %s\n", done, shown.inWords())
		return err
	}}
}

// listBans answers with bans, or in words that there are none.
func (e Env) listBans(bans []account.Ban, none string) answer {
	all := make([]Ban, len(bans))
	for i, b := range bans {
		all[i] = e.banOf(b)
	}
	return answer{all, func(w io.Writer) error {
		if len(all) == 0 {
			_, err := fmt.Fprintln(w, none)
			return err
		}
		for _, b := range all {
			if _, err := fmt.Fprintln(w, b.inWords()); err != nil {
				return err
			}
		}
		return nil
	}}
}

func (e Env) banOf(b account.Ban) Ban {
	shown := Ban{Ban: b}
	if b.Account != "" {
		shown.Name = e.Accounts.NameOf(b.Account)
	}
	return shown
}

// inWords returns a ban on a line.
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

// subjectText returns what is banned.
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

// named has the log name a subject as the server knows it: an administrator may have typed a key.
func named(cmd *cobra.Command, s account.Subject) { cmd.Annotations[objectOf] = subjectText(s) }

// canBan returns an error of the command line if a subject cannot be banned for a time, 0 for good.
func canBan(s account.Subject, lasts time.Duration) error {
	least := leastBits4
	if s.Network.Addr().Is6() {
		least = leastBits6
	}
	switch {
	case !s.Network.IsValid():
		return nil
	case lasts == 0 || lasts > account.NetworkBanLasts:
		return usage{errors.New("a ban of an address or a network has to end: give --for with 30d at most")}
	case s.Network.Bits() < least:
		return usage{fmt.Errorf("%s is too large: the largest network that can be banned has /%d", s.Network, least)}
	}
	return nil
}

// subjectOf returns what words name: the reference of a ban stands for what that keeps out.
func subjectOf(accounts *account.Accounts, words []string) (account.Subject, error) {
	text := strings.Join(words, " ")
	if account.IsBanReference(text) {
		for _, b := range accounts.Bans() {
			if b.Reference == text {
				return b.Subject, nil
			}
		}
		return account.Subject{}, fmt.Errorf("there is no ban %s", text)
	}
	if name, ok := strings.CutPrefix(text, "@"); ok {
		if id := accounts.Owner(name); id != "" {
			return account.Subject{Account: id}, nil
		}
		return account.Subject{}, fmt.Errorf("no account has claimed the name %.40q", name)
	}
	if strings.HasPrefix(text, "guest:") {
		return account.Subject{}, usage{errors.New("a guest has no account: ban the address, as of who")}
	}
	if account.IsID(text) {
		return account.Subject{Account: match.PlayerID(text)}, nil
	}
	if fingerprint, ok := fingerprintOf(text); ok {
		return account.Subject{Key: accounts.Key(fingerprint)}, nil
	}
	network, err := parseNetwork(text)
	if err != nil {
		return account.Subject{}, usage{fmt.Errorf(
			"%.60q is none of these: an account, @ and a name, a key, an address, a network", player.Printable(text))}
	}
	if network.Addr().Is6() && !strings.Contains(text, "/") {
		network = netip.PrefixFrom(network.Addr(), customerBits).Masked()
	}
	return account.Subject{Network: network}, nil
}

// customerBits is the length of the networks that providers give to customers of IPv6.
const customerBits = 64

// fingerprintOf returns the fingerprint of a key that is a line of authorized_keys or its fingerprint.
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

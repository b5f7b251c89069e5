package admin

import (
	"context"
	"errors"
	"math"
	"strings"

	"notakto/match"
	"notakto/match/account"
	"notakto/sshapp/cli"
	"notakto/sshapp/cli/player"
	"notakto/sshapp/wording"
)

// playerInfo is the answer of "player show".
type playerInfo struct {
	player.Account
	Sessions []string `json:"sessions"` // at this server
	Bans     []string `json:"bans"`     // references of the bans that apply to the player
}

// playerArgument describes the argument that names a player.
const playerArgument = "an account, @ and a claimed name, or a key"

const aboutPlayers = `X is an account, a claimed name (@NAME), or a key (its fingerprint SHA256:…).`

// errNoPlayer reports that X names a subject other than a player.
var errNoPlayer = errors.New("a player is named by an account, by @ and a claimed name, or by a key")

func (o *Operator) player() cli.Command {
	return cli.Command{
		Use: "player", Short: "Show, export or rename a player", Role: cli.Moderator,
		Sub: []cli.Command{{
			Use: "show X", Short: "Show a player: name, keys, sessions, matches, bans",
			Long: "Show a player: name, keys, sessions, matches, bans.\n\n" + aboutPlayers,
			Args: cli.ArgumentRange(1, math.MaxInt, playerArgument), Example: "ssh HOST admin player show @ann",
			Role: cli.Administrator, JSON: true, Run: o.showPlayer,
		}, {
			Use: "export X", Short: "Print everything that is stored about a player, as JSON", Role: cli.Administrator,
			Args:    cli.ArgumentRange(1, math.MaxInt, playerArgument),
			Long:    "Print everything that is stored about a player, as \"me export\" prints it for the player.",
			Example: "ssh HOST admin player export @ann > ann.json",
			Run: func(ctx context.Context, c *cli.Call, args []string) (cli.Answer, error) {
				p, info, err := o.findPlayer(args)
				if err == nil {
					err = o.playerServer(p).WriteExport(ctx, c.Out, info, o.Accounts.AccountEvents(info))
				}
				return cli.Answer{}, err
			},
		}, {
			Use: "rename X NAME", Short: "Give a player another name", Role: cli.Administrator, JSON: true,
			Long: "Give the player X another name.\n\n" + aboutPlayers + `

X is one word; all words after it are the new name. The player has the name from the next login on, as if the player had
claimed it, and can change it after 30 days. The account must have a claimed name, several keys or preferences: the
server does not know the key of any other account.`,
			Args:    cli.ArgumentRange(2, math.MaxInt, playerArgument+", and the new name"),
			Example: "ssh HOST admin player rename @mallory mal 7",
			Run: func(ctx context.Context, _ *cli.Call, args []string) (cli.Answer, error) {
				p, info, err := o.findPlayer(args[:1])
				if err != nil {
					return cli.Answer{}, err
				}
				r := renameResult{p.ID, strings.Join(args[1:], " "), info.Name}
				return cli.Answer{JSON: r, Text: func(say cli.Say) {
					say("%s is %s from the next login on.", r.Account, r.Name)
				}}, o.Accounts.Rename(ctx, p.ID, r.Name)
			},
		}},
	}
}

// playerServer returns the server from the view of player p.
func (o *Operator) playerServer(p match.Player) *player.Server {
	return &player.Server{
		Player: p, Accounts: o.Accounts, History: o.History, Progress: o.Progress, Manager: o.Manager,
		Caller: account.Caller{Account: p.ID},
	}
}

// findPlayer returns the player that words name, with the account's info.
func (o *Operator) findPlayer(words []string) (match.Player, account.Info, error) {
	s, err := o.findSubject(words)
	if err != nil {
		return match.Player{}, account.Info{}, err
	}
	id := s.Account
	if s.Key != "" {
		id = o.Accounts.Account(s.Key)
	}
	p := o.Accounts.WithClaimedName(match.Player{ID: id})
	switch {
	case id == "":
		return match.Player{}, account.Info{}, cli.Usage(errNoPlayer)
	case p.ID != id:
		return match.Player{}, account.Info{}, account.ErrNoSuchPlayer
	}
	info := o.Accounts.Info(id)
	if len(info.Keys) == 0 && s.Key != "" {
		info.Keys = []account.Key{{ID: s.Key}}
	}
	return p, info, nil
}

func (o *Operator) showPlayer(_ context.Context, _ *cli.Call, args []string) (cli.Answer, error) {
	p, info, err := o.findPlayer(args)
	if err != nil {
		return cli.Answer{}, err
	}
	r := playerInfo{Sessions: []string{}, Bans: []string{}}
	for _, s := range o.Server.Sessions() {
		if s.Account == p.ID {
			r.Sessions = append(r.Sessions, s.ID)
			p.Name = s.Name
		}
	}
	for _, b := range o.Accounts.BansOn(account.Subject{Account: p.ID}) {
		r.Bans = append(r.Bans, b.Reference)
	}
	r.Account = o.playerServer(p).Account(info)
	return cli.Answer{JSON: r, Text: func(say cli.Say) {
		name := "the name of the login, not claimed"
		if r.Claimed != nil {
			name = "claimed since " + wording.Time(*r.Claimed)
		}
		say("%s  %s (%s)", r.ID, r.Name, name)
		for _, k := range r.Keys {
			say("key %s", k.ID)
		}
		for _, list := range [...]struct {
			name string
			all  []string
		}{{"sessions", r.Sessions}, {"matches", toStrings(r.Matches)}, {"bans", r.Bans}} {
			if len(list.all) > 0 {
				say("%s %s", list.name, strings.Join(list.all, " "))
			}
		}
		if r.Deleted != nil {
			say("to be deleted on %s", wording.Time(*r.Deleted))
		}
	}}, nil
}

func toStrings[T ~string](all []T) (written []string) {
	for _, one := range all {
		written = append(written, string(one))
	}
	return written
}

// renameResult is the answer of "player rename". Before is empty without a claimed name.
type renameResult struct {
	Account match.PlayerID `json:"account"`
	Name    string         `json:"name"`
	Before  string         `json:"before"`
}

package admin

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"notakto/match"
	"notakto/match/account"
	"notakto/sshapp/cli/player"
	"notakto/sshapp/wording"
)

// playerRecord is a player as `player show` prints it: what `me --json` has, and more. Its JSON is a promise
// (docs/commands.md).
type playerRecord struct {
	player.Account
	Sessions []string `json:"sessions"` // at this server
	Bans     []string `json:"bans"`     // that keep the player out, by their references
}

func newPlayer(e Env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "player", Short: "See a player, and export or rename one", Args: player.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return player.RuntimeError(cmd.Help()) },
	}
	cmd.AddCommand(newPlayerShow(e), newPlayerExport(e), newPlayerRename(e))
	return cmd
}

// aPlayer is what the commands take.
const aPlayer = "an account, @ and a claimed name, or a key"

const aboutPlayers = `X is an account, a claimed name (@NAME), or a key (its fingerprint SHA256:…).`

// errNoPlayer says that words name no player.
var errNoPlayer = errors.New("a player is named by an account, by @ and a claimed name, or by a key")

// playerOf returns the player that words name, and what is known of the account.
func (e Env) playerOf(words []string) (match.Player, account.Info, error) {
	s, err := subjectOf(e.Accounts, words)
	if err != nil {
		return match.Player{}, account.Info{}, err
	}
	id := s.Account
	if s.Key != "" {
		id = e.Accounts.Account(s.Key)
	}
	p := e.Accounts.Named(match.Player{ID: id})
	switch {
	case id == "":
		return match.Player{}, account.Info{}, usage{errNoPlayer}
	case p.ID != id:
		return match.Player{}, account.Info{}, account.ErrNoSuchPlayer
	}
	info := e.Accounts.Info(id)
	if len(info.Keys) == 0 && s.Key != "" {
		info.Keys = []account.Key{{ID: s.Key}}
	}
	return p, info, nil
}

func newPlayerShow(e Env) *cobra.Command {
	return (row{
		use: "show X", short: "Show a player: name, keys, sessions, matches, bans", long: aboutPlayers,
		args: player.Arguments(1, math.MaxInt, aPlayer), example: "ssh HOST admin player show @ann",
	}).answering(func(_ *cobra.Command, args []string) (answer, error) {
		p, info, err := e.playerOf(args)
		if err != nil {
			return answer{}, err
		}
		record := playerRecord{Sessions: []string{}, Bans: []string{}}
		for _, s := range e.Server.Sessions() {
			if s.Account == p.ID {
				record.Sessions = append(record.Sessions, s.ID)
				p.Name = s.Name
			}
		}
		for _, b := range e.Accounts.BansOn(account.Subject{Account: p.ID}) {
			record.Bans = append(record.Bans, b.Reference)
		}
		record.Account = e.Players(p).Account(info)
		return answer{record, record.inWords}, nil
	})
}

func (p playerRecord) inWords(w io.Writer) error {
	var text strings.Builder
	say := func(format string, values ...any) { fmt.Fprintf(&text, format+"\n", values...) }
	name := "the name of the login, not claimed"
	if p.Claimed != nil {
		name = "claimed since " + wording.Time(*p.Claimed)
	}
	say("%s  %s (%s)", p.ID, p.Name, name)
	for _, k := range p.Keys {
		say("key %s", k.ID)
	}
	for _, list := range [...]struct {
		name string
		all  []string
	}{{"sessions", p.Sessions}, {"matches", texts(p.Matches)}, {"bans", p.Bans}} {
		if len(list.all) > 0 {
			say("%s %s", list.name, strings.Join(list.all, " "))
		}
	}
	if p.Deleted != nil {
		say("to be deleted on %s", wording.Time(*p.Deleted))
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// texts returns values as they are written.
func texts[T ~string](all []T) (written []string) {
	for _, one := range all {
		written = append(written, string(one))
	}
	return written
}

func newPlayerExport(e Env) *cobra.Command {
	return (row{
		use: "export X", short: "Print everything that is stored about a player, as JSON",
		args:    player.Arguments(1, math.MaxInt, aPlayer),
		long:    "Print everything that is stored about a player, as \"me export\" prints it for the player.",
		example: "ssh HOST admin player export @ann > ann.json",
	}).newCommand(func(cmd *cobra.Command, args []string) error {
		p, info, err := e.playerOf(args)
		if err != nil {
			return err
		}
		return e.Players(p).WriteExport(cmd.Context(), cmd.OutOrStdout(), info, e.Accounts.EventsOf(info))
	})
}

// renamed is how an account is named now, and was before; empty without a claimed name.
type renamed struct {
	Account match.PlayerID `json:"account"`
	Name    string         `json:"name"`
	Before  string         `json:"before"`
}

func newPlayerRename(e Env) *cobra.Command {
	return (row{
		use: "rename X NAME", short: "Give a player another name",
		long: aboutPlayers + `

X is one word; all that follow are the name. The player has it from the next login on, as a name that the player has
claimed, and can change it after 30 days. The account must have a claimed name, or more than one key, or preferences: of
any other the server does not know the key.`,
		args:    player.Arguments(2, math.MaxInt, aPlayer+", and the new name"),
		example: "ssh HOST admin player rename @mallory mal 7",
	}).answering(func(cmd *cobra.Command, args []string) (answer, error) {
		p, info, err := e.playerOf(args[:1])
		if err != nil {
			return answer{}, err
		}
		r := renamed{p.ID, strings.Join(args[1:], " "), info.Name}
		if err := e.Accounts.Rename(cmd.Context(), p.ID, r.Name); err != nil {
			return answer{}, err
		}
		return answer{r, func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "%s is %s from the next login on.\n", r.Account, r.Name)
			return err
		}}, nil
	})
}

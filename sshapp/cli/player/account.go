package player

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/history"
	"notakto/sshapp/cli"
	"notakto/sshapp/wording"
)

const aboutMe = `Say who you are here: your name and the identifier of your account, its keys and preferences.

An account belongs to the key that you log in with, and costs nothing until you decide something about it.`

const aboutName = `Claim a name, or say which one you have.

You are shown under a claimed name whatever user name you log in with, and another player who logs in with it, or with
one that looks like it, gets a mark. It has up to 16 letters of one alphabet, digits, single spaces and - _ . ' & +, and
can be changed once in 30 days.`

const aboutDelete = `Delete your account in seven days; until then, me undo keeps it.

Then your name cannot be claimed for a year, your keys are those of new accounts, and a random identifier stands for you
in old matches, which belong to your opponents too. Type your name behind the command, so that it is no mistake.`

var (
	errNoName  = errors.New("nothing was deleted: type your name behind the command, as in me delete NAME")
	errPlaying = errors.New("this key has matches in progress, which would be lost: finish them first")
)

// Account is an account as `me --json` prints it.
type Account struct {
	ID          match.PlayerID      `json:"id"`
	Name        string              `json:"name"`
	Guest       bool                `json:"guest"`
	Claimed     *time.Time          `json:"claimed"` // when the name was claimed
	Keys        []keyJSON           `json:"keys"`
	Preferences account.Preferences `json:"preferences"`
	Deleted     *time.Time          `json:"deleted"` // when the account will be deleted
	Matches     []match.ID          `json:"matches"` // in progress
}

// exportJSON is the output of `me export`: everything that is stored about an account.
type exportJSON struct {
	Format string `json:"format"`
	Account
	Events   []eventJSON   `json:"events"`
	Ratings  []ratingsJSON `json:"ratings"`
	Finished []historyJSON `json:"finished"`
}

// ratingsJSON holds the rated pairs of an export, either against people or between programs.
type ratingsJSON struct {
	Bots    bool         `json:"bots"`
	Rating  *ratingJSON  `json:"rating"`
	Pairs   pairsJSON    `json:"pairs"`
	Results []resultJSON `json:"results"` // the newest first
}

// resultJSON is a rated pair with its change of the rating.
type resultJSON struct {
	Match     match.ID  `json:"match"` // its last game
	Opponent  namedJSON `json:"opponent"`
	Result    string    `json:"result"`
	Counts    bool      `json:"counts"`
	Change    int       `json:"change"`
	Rating    int       `json:"rating"`
	Deviation int       `json:"deviation"`
	Ended     time.Time `json:"ended"`
}

type eventJSON struct {
	At time.Time `json:"at"`
	account.Event
}

// exportFormat is the format of `me export`.
const exportFormat = "notakto-account/1"

// Account returns the player's account. info is the recorded part.
func (s *Server) Account(info account.Info) Account {
	all := Account{
		ID: s.Player.ID, Name: s.Player.Name, Guest: s.Player.Guest, Claimed: timeOrNull(info.NamedAt), Keys: s.keys(info),
		Preferences: info.Preferences, Deleted: timeOrNull(info.DeletedAt), Matches: s.Manager.MatchesOf(s.Player.ID),
	}
	if info.Name != "" {
		all.Name = info.Name
	}
	if all.Matches == nil {
		all.Matches = []match.ID{}
	}
	return all
}

func timeOrNull(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	at = at.UTC().Truncate(time.Second)
	return &at
}

func (e Env) me() cli.Command {
	return cli.Command{
		Use: "me", Short: "Say who you are here, export your account or delete it", Long: aboutMe, JSON: true,
		Example: "ssh HOST me\nssh HOST me export >me.json",
		Run: e.onServer(func(context.Context, *cli.Call, []string) (cli.Answer, error) {
			s := e.Server
			all := s.Account(s.Accounts.InfoOf(s.Caller))
			owner := s.Accounts.Owner(all.Name)
			isTaken := owner != "" && owner != all.ID
			return cli.Answer{JSON: all, Text: func(say cli.Say) { all.inWords(say, e.Host, isTaken, s.Renamed) }}, nil
		}),
		Sub: []cli.Command{{
			Use: "export", Short: "Print everything that is stored about your account, as JSON",
			Run: e.onServer(func(ctx context.Context, c *cli.Call, _ []string) (cli.Answer, error) {
				info, events, err := e.Server.Accounts.Export(e.Server.Caller)
				if err == nil {
					err = e.Server.WriteExport(ctx, c.Out, info, events)
				}
				return cli.Answer{}, err
			}),
		}, {
			Use: "delete NAME", Short: "Delete your account in seven days", Long: aboutDelete, Args: cli.AnyArguments,
			Run: e.onServer(e.deleteAccount),
		}, {
			Use: "undo", Short: "Keep an account that is going to be deleted",
			Run: e.onServer(func(ctx context.Context, _ *cli.Call, _ []string) (cli.Answer, error) {
				return cli.Line("Your account is kept."), e.Server.Accounts.Undo(ctx, e.Server.Caller)
			}),
		}},
	}
}

// inWords describes the account. isTaken says that another player has claimed the name. isRenamed says that the
// name differs from the user name of the login.
func (a Account) inWords(say cli.Say, host string, isTaken, isRenamed bool) {
	if a.Guest {
		say("You are %s, a guest. Nothing is kept but your matches. With a key you have an account: "+
			"ssh-keygen makes one.", a.Name)
		if isTaken {
			say("Another player has claimed this name, so others see yours with a mark.")
		}
		return
	}
	say("You are %s. Your account is %s.", a.Name, a.ID)
	switch {
	case a.Claimed != nil:
		say("You claimed the name on %s.", wording.Time(*a.Claimed))
	case isTaken:
		say("Another player has claimed this name, so others see yours with a mark. To claim one: ssh %s name NEW", host)
	case isRenamed:
		say("Your user name cannot be shown as it is. To claim a name: ssh %s name NEW", host)
	default:
		say("The name is that of your login. To claim it: ssh %s name %s", host, a.Name)
	}
	for _, key := range a.Keys {
		say("Key %s", key.inWords())
	}
	p := a.Preferences
	for _, setting := range [][2]string{
		{"theme", p.Theme}, {"digits", p.Digits}, {"mouse", p.Mouse}, {"bell", p.Bell}, {"motion", p.Motion},
	} {
		if setting[1] != "" {
			say("Preference: %s %s", setting[0], setting[1])
		}
	}
	if len(a.Matches) > 0 {
		say("Matches in progress: %d", len(a.Matches))
	}
	if a.Deleted != nil {
		say("The account will be deleted on %s. To keep it: ssh %s me undo", wording.Time(*a.Deleted), host)
	}
}

// WriteExport writes everything that is stored about the player as one JSON value. info and events belong to the
// account.
func (s *Server) WriteExport(ctx context.Context, w io.Writer, info account.Info, events []account.Event) (err error) {
	all := exportJSON{Format: exportFormat, Account: s.Account(info), Events: []eventJSON{}}
	for _, e := range events {
		all.Events = append(all.Events, eventJSON{e.At.UTC(), e})
	}
	if all.Ratings, err = s.ratings(ctx); err != nil {
		return err
	}
	if all.Finished, err = s.finished(ctx); err != nil {
		return err
	}
	return json.NewEncoder(w).Encode(all)
}

// ratings returns the player's rated pairs for each pool in which the player has any.
func (s *Server) ratings(ctx context.Context) ([]ratingsJSON, error) {
	all := []ratingsJSON{}
	for pool := match.PeoplePool; pool <= match.LastPool && s.History != nil; pool++ {
		standing, err := s.History.Standing(ctx, pool, s.Player.ID)
		if err != nil {
			return nil, err
		}
		if standing.Ended.IsZero() {
			continue
		}
		of := ratingsJSON{Bots: pool == match.BotPool, Rating: newRating(standing), Pairs: newPairs(standing)}
		for before := (history.RatedPair{}); ; {
			page, err := s.History.RatedPairs(ctx, pool, s.Player.ID, before, history.MaxPage)
			if err != nil {
				return nil, err
			}
			if len(page) == 0 {
				break
			}
			for _, r := range page {
				of.Results = append(of.Results, resultJSON{
					Match: r.Match, Opponent: namedJSON{r.Opponent.ID, r.Opponent.Name}, Result: r.Result.String(), Counts: r.Counts,
					Change: r.Change(), Rating: r.After.Value(), Deviation: r.After.WholeDeviation(),
					Ended: r.Ended.UTC().Truncate(time.Millisecond),
				})
			}
			before = page[len(page)-1]
		}
		all = append(all, of)
	}
	return all, nil
}

// finished returns all finished matches of the player, the newest first.
func (s *Server) finished(ctx context.Context) ([]historyJSON, error) {
	all := []historyJSON{}
	for before := uint64(0); s.History != nil; {
		page, err := s.History.List(ctx, s.Player.ID, before, history.MaxPage, true)
		if err != nil {
			return nil, err
		}
		if len(page) == 0 {
			break
		}
		all, before = append(all, newHistory(page)...), page[len(page)-1].Number
	}
	return all, nil
}

// maxAnswer limits the bytes read of a typed line.
const maxAnswer = 256

// deleteAccount deletes the account if the argument is its name. At a terminal, without an argument, it asks for
// the name.
func (e Env) deleteAccount(ctx context.Context, c *cli.Call, args []string) (cli.Answer, error) {
	s := e.Server
	name, typed := cmp.Or(s.Accounts.NameOf(s.Player.ID), s.Player.Name), strings.Join(args, " ")
	if len(args) == 0 && s.Caller.Key != "" {
		if !e.Echo {
			return cli.Answer{}, errNoName
		}
		if _, err := fmt.Fprintf(c.Out, "Your account will be deleted in seven days. Type your name, %s, to go on: ",
			name); err != nil {
			return cli.Answer{}, err
		}
		line, in, one := "", e.input(ctx, c), make([]byte, 1)
		for len(line) < maxAnswer && !strings.HasSuffix(line, "\n") {
			n, err := in.Read(one)
			if n == 0 && err != nil { // the session or its connection has ended, and the player has not pressed Enter
				return cli.Answer{}, cmp.Or(context.Cause(ctx), errNoName)
			}
			line += string(one[:n])
		}
		typed = strings.TrimSpace(line)
	}
	err := s.Accounts.Delete(ctx, s.Caller, name, typed)
	return cli.Line("Your account will be deleted on %s. To keep it: ssh %s me undo",
		wording.Time(s.Accounts.Info(s.Player.ID).DeletedAt), e.Host), err
}

func (e Env) name() cli.Command {
	return cli.Command{
		Use: "name [NEW]", Short: "Claim a name, or say which one you have", Long: aboutName,
		Example: "ssh HOST name ann", Args: cli.AnyArguments,
		Run: e.onServer(func(ctx context.Context, _ *cli.Call, args []string) (cli.Answer, error) {
			s, name := e.Server, strings.Join(args, " ")
			claimed := s.Accounts.NameOf(s.Player.ID)
			switch {
			case len(args) > 0 && name == claimed:
				return cli.Line("%s", wording.NameClaimed(name, name)), nil
			case len(args) > 0:
				return cli.Line("%s", wording.NameClaimed(name, s.Player.Name)), s.Accounts.Claim(ctx, s.Caller, name)
			case claimed != "":
				return cli.Line("You are %s, a name that you have claimed.", claimed), nil
			case s.Renamed:
				return cli.Line("You are %s: your user name cannot be shown as it is.", s.Player.Name), nil
			}
			return cli.Line("You are %s, the name of your login.", s.Player.Name), nil
		}),
	}
}

const aboutKey = `Use one account with several keys, such as those of two machines.

On the machine that has the account, key add prints a code; on the other one, key link CODE uses it within ten minutes.
What that key has played before stays with its own account. A key that you remove has an account of its own from its
next login on.`

// keyJSON is a key as `key list --json` prints it.
type keyJSON struct {
	ID     account.KeyID `json:"id"`
	Linked *time.Time    `json:"linked"` // null for the key that the account began with
	Used   bool          `json:"used"`   // it is the key of this login
}

func (k keyJSON) inWords() string {
	text := string(k.ID)
	if k.Linked != nil {
		text += ", linked on " + wording.Time(*k.Linked)
	}
	if k.Used {
		text += ", which you use now"
	}
	return text
}

// keys returns the keys of the player's account, the oldest first.
func (s *Server) keys(info account.Info) []keyJSON {
	all := []keyJSON{}
	for _, key := range info.Keys {
		all = append(all, keyJSON{key.ID, timeOrNull(key.Since), key.ID == s.Caller.Key})
	}
	return all
}

func (e Env) key() cli.Command {
	list := e.onServer(func(context.Context, *cli.Call, []string) (cli.Answer, error) {
		s := e.Server
		if s.Caller.Key == "" {
			return cli.Answer{}, account.ErrGuest
		}
		all := s.keys(s.Accounts.InfoOf(s.Caller))
		return cli.Answer{JSON: all, Text: func(say cli.Say) {
			for _, key := range all {
				say("%s", key.inWords())
			}
		}}, nil
	})
	return cli.Command{
		Use: "key", Short: "Use one account with several keys", Long: aboutKey, Run: list,
		Example: "ssh HOST key add\nssh HOST key link CFHJKMPQ",
		Sub: []cli.Command{{
			Use: "list", Short: "List the keys of your account", JSON: true, Run: list,
		}, {
			Use: "add", Short: "Print a code by which another key is linked to your account",
			Run: e.onServer(func(ctx context.Context, _ *cli.Call, _ []string) (cli.Answer, error) {
				code, err := e.Server.Accounts.MakeCode(ctx, e.Server.Caller)
				return cli.Line("Log in with the other key within ten minutes: ssh %s key link %s", e.Host, code), err
			}),
		}, {
			Use: "link CODE", Short: "Link the key that you log in with to the account that has made a code",
			Args: cli.Arguments(1, maxCodeWords, "the code that key add prints"),
			Run: e.onServer(func(ctx context.Context, _ *cli.Call, args []string) (cli.Answer, error) {
				s := e.Server
				if len(s.Manager.MatchesOf(s.Player.ID)) > 0 {
					return cli.Answer{}, errPlaying
				}
				return cli.Line("This key is linked to the account from your next login on."),
					s.Accounts.Link(ctx, s.Caller, joinCode(args))
			}),
		}, {
			Use: "remove ID", Short: "Remove a key from your account",
			Args: cli.Arguments(1, 1, "the identifier of a key, as key list prints it"),
			Run: e.onServer(func(ctx context.Context, _ *cli.Call, args []string) (cli.Answer, error) {
				key := account.KeyID(strings.ToLower(args[0]))
				return cli.Line("The key %s is removed.", key), e.Server.Accounts.RemoveKey(ctx, e.Server.Caller, key)
			}),
		}},
	}
}

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
	"notakto/match/progress"
	"notakto/sshapp/cli"
	"notakto/sshapp/wording"
)

const aboutMe = `Show your account: its name, identifier, keys and preferences.

Your account belongs to the key that you log in with. You need not sign up.`

const aboutName = `Claim a name, or show yours.

A claimed name is yours whatever user name you log in with. Anyone else who logs in under it, or a look-alike, is
marked. A name has up to 16 characters: letters of one alphabet, digits, single spaces and - _ . ' & +. You can change
it once in 30 days. To keep it, finish a match within 30 days.`

const aboutDelete = `Delete your account in seven days. Until then, me undo keeps it.

After that your keys begin new accounts, and your name cannot be claimed for a year. Old matches belong to your
opponents too: they stay, under a random identifier. To confirm, add your name.`

// whyRenamed says why a user name is not the name of its player.
const whyRenamed = "it is reserved, too long, or has characters that no name may have"

var (
	errNoName  = errors.New("nothing was deleted: to confirm, add your name, as in me delete NAME")
	errOnOff   = errors.New("it takes on or off")
	errPlaying = errors.New("this key has matches in progress, which would be lost: finish them first")
)

// Account is an account as "me --json" prints it.
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

// exportJSON begins the output of "me export", that is, of all data stored about an account. The fields "ratings" (of
// ratingsJSON), "finished" (of historyJSON) and "progress" follow.
type exportJSON struct {
	Format string `json:"format"`
	Account
	Events []eventJSON `json:"events"`
}

// progressJSON is the progress of an account. Day and Due are numbers of days, as in the command "daily N".
type progressJSON struct {
	Answers []answerJSON `json:"answers"`
	Runs    []runJSON    `json:"runs"`
	Slips   []slipJSON   `json:"slips"`
	Lessons []int        `json:"lessons"` // steps done, from the first lesson on
	Visited bool         `json:"visited"`
}

type answerJSON struct {
	Day    int       `json:"day"`
	Puzzle int       `json:"puzzle"` // counted from 1
	Move   string    `json:"move"`
	Right  bool      `json:"right"`
	At     time.Time `json:"at"`
}

type runJSON struct {
	Day    int       `json:"day"`
	Solved int       `json:"solved"`
	At     time.Time `json:"at"`
}

type slipJSON struct {
	Match    match.ID  `json:"match"`
	Ply      int       `json:"ply"`
	Position string    `json:"position"`
	Move     string    `json:"move"`
	Solved   int       `json:"solved"`
	Due      *int      `json:"due"` // null if the slip is solved for good
	Ended    time.Time `json:"ended"`
}

// ratingsJSON begins the rated pairs of one pool, people or programs. The field "results" with ratedPairJSON values
// follows, the newest first.
type ratingsJSON struct {
	Bots   bool        `json:"bots"`
	Rating *ratingJSON `json:"rating"`
	Pairs  pairsJSON   `json:"pairs"`
}

// ratedPairJSON is a rated pair with its change of the rating.
type ratedPairJSON struct {
	Match     match.ID  `json:"match"` // the last game of the pair
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

// exportFormat names the format of "me export".
const exportFormat = "notakto-account/1"

// Account combines info, the account's data from Accounts, with the player's matches in progress.
func (s *Server) Account(info account.Info) Account {
	all := Account{
		ID: s.Player.ID, Name: s.Player.Name, Guest: s.Player.Guest, Claimed: timeOrNull(info.NamedAt), Keys: s.keys(info),
		Preferences: info.Preferences, Deleted: timeOrNull(info.DeletedAt), Matches: s.Manager.PlayerMatches(s.Player.ID),
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
		Use: "me", Short: "Show, export or delete your account", Long: aboutMe, JSON: true,
		Example: "ssh HOST me\nssh HOST me export >me.json",
		Run: e.onServer(func(context.Context, *cli.Call, []string) (cli.Answer, error) {
			s := e.Server
			shown := s.Account(s.Accounts.CallerInfo(s.Caller))
			owner := s.Accounts.Owner(shown.Name)
			isTaken := owner != "" && owner != shown.ID
			return cli.Answer{JSON: shown, Text: func(say cli.Say) { shown.describe(say, e.Host, isTaken, s.Renamed) }}, nil
		}),
		Sub: []cli.Command{{
			Use: "export", Short: "Print everything that is stored about your account, as JSON",
			Run: e.onServer(func(ctx context.Context, c *cli.Call, _ []string) (cli.Answer, error) {
				s := e.Server
				err := s.Accounts.Export(ctx, s.Caller, func(info account.Info, events []account.Event) error {
					return s.WriteExport(ctx, c.Out, info, events)
				})
				return cli.Answer{}, err
			}),
		}, {
			Use: "delete NAME", Short: "Delete your account in seven days", Long: aboutDelete, Args: cli.AnyArguments,
			Run: e.onServer(e.deleteAccount),
		}, {
			Use: "program on|off", Short: "Say in your profile whether you are a program",
			Args: func(_ *cli.Call, args []string) error {
				if len(args) != 1 || args[0] != "on" && args[0] != "off" {
					return errOnOff
				}
				return nil
			},
			Run: e.onServer(func(ctx context.Context, _ *cli.Call, args []string) (cli.Answer, error) {
				value, line := "", "Your profile no longer says that you are a program."
				if args[0] == "on" {
					value, line = "yes", "Your profile says that you are a program."
				}
				return cli.Line(line), e.Server.Accounts.Prefer(ctx, e.Server.Caller, account.Program, value)
			}),
		}, {
			Use: "undo", Short: "Cancel the deletion of your account",
			Run: e.onServer(func(ctx context.Context, _ *cli.Call, _ []string) (cli.Answer, error) {
				return cli.Line("Your account is kept."), e.Server.Accounts.Undo(ctx, e.Server.Caller)
			}),
		}},
	}
}

// describe says the account in sentences. isTaken means that another player has claimed the name. isRenamed means
// that the name differs from the user name of the login.
func (a Account) describe(say cli.Say, host string, isTaken, isRenamed bool) {
	if a.Guest {
		say("You are %s, a guest. Guests have no account. To get one, run ssh-keygen once, then connect again.", a.Name)
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
		say("Your user name cannot be your name here: %s. To claim a name: ssh %s name NEW", whyRenamed, host)
	default:
		say("The name is that of your login. To claim it: ssh %s name %s", host, a.Name)
	}
	for _, key := range a.Keys {
		say("Key %s", key.text())
	}
	p := a.Preferences
	for _, setting := range [][2]string{
		{"theme", p.Theme}, {"digits", p.Digits}, {"mouse", p.Mouse}, {"bell", p.Bell}, {"alerts", p.Alerts},
		{"motion", p.Motion},
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

// WriteExport writes everything that is stored about the player as one JSON value. info and events are those of the
// account. Matches are written page by page as they are read, because a player may have very many. The value is
// incomplete after an error.
func (s *Server) WriteExport(ctx context.Context, w io.Writer, info account.Info, events []account.Event) error {
	begin := exportJSON{Format: exportFormat, Account: s.Account(info), Events: []eventJSON{}}
	for _, e := range events {
		begin.Events = append(begin.Events, eventJSON{e.At.UTC(), e})
	}
	progress, err := s.progress(ctx)
	if err != nil {
		return err
	}
	end, err := json.Marshal(progress)
	if err != nil {
		return err
	}
	if err := openArray(w, begin, "ratings"); err != nil {
		return err
	}
	if err := s.writeRatings(ctx, w); err != nil {
		return err
	}
	if _, err := io.WriteString(w, `],"finished":[`); err != nil {
		return err
	}
	if err := s.writeFinished(ctx, w); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, `],"progress":%s}`+"\n", end)
	return err
}

// openArray writes a JSON object up to the beginning of one more field, an array.
func openArray(w io.Writer, object any, field string) error {
	text, err := json.Marshal(object)
	if err == nil {
		_, err = fmt.Fprintf(w, `%s,%q:[`, text[:len(text)-1], field)
	}
	return err
}

// writePages writes the elements of a JSON array, until next returns an empty page.
func writePages[T any](w io.Writer, next func() ([]T, error)) error {
	for separator := ""; ; separator = "," {
		page, err := next()
		if err != nil || len(page) == 0 {
			return err
		}
		text, err := json.Marshal(page)
		if err == nil {
			_, err = fmt.Fprintf(w, "%s%s", separator, text[1:len(text)-1])
		}
		if err != nil {
			return err
		}
	}
}

func (s *Server) progress(ctx context.Context) (all progressJSON, err error) {
	state := progress.State{}
	if s.Progress != nil {
		state, err = s.Progress.State(ctx, s.Player)
	}
	all = progressJSON{
		Answers: []answerJSON{}, Runs: []runJSON{}, Slips: []slipJSON{}, Lessons: state.Lessons[1:], Visited: state.Visited,
	}
	for _, a := range state.Answers {
		all.Answers = append(all.Answers, answerJSON{a.Day, a.Index + 1, a.Move.String(), a.Right, inMilliseconds(a.At)})
	}
	for _, r := range state.Runs {
		all.Runs = append(all.Runs, runJSON{r.Day, r.Solved, inMilliseconds(r.At)})
	}
	for _, slip := range state.Slips {
		if s.Manager.PlaysRated(s.Player.ID, slip.Position) {
			continue
		}
		due := &slip.Due
		if slip.IsGone() {
			due = nil
		}
		all.Slips = append(all.Slips, slipJSON{
			slip.Match, slip.Ply, slip.Position.String(), slip.Position.Variant().FormatMove(slip.Played), slip.Solved, due,
			inMilliseconds(slip.Ended),
		})
	}
	return all, err
}

func inMilliseconds(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

// writeRatings writes the player's rated pairs by pool. Pools without a pair are missing.
func (s *Server) writeRatings(ctx context.Context, w io.Writer) error {
	separator := ""
	for pool := match.PeoplePool; pool <= match.LastPool && s.History != nil; pool++ {
		standing, err := s.History.Standing(ctx, pool, s.Player.ID)
		if err != nil {
			return err
		}
		if standing.Ended.IsZero() {
			continue
		}
		if _, err := io.WriteString(w, separator); err != nil {
			return err
		}
		separator = ","
		begin := ratingsJSON{Bots: pool == match.BotPool, Rating: newRating(standing), Pairs: newPairs(standing)}
		if err := openArray(w, begin, "results"); err != nil {
			return err
		}
		before := history.RatedPair{}
		err = writePages(w, func() (all []ratedPairJSON, err error) {
			page, err := s.History.RatedPairs(ctx, pool, s.Player.ID, before, history.MaxPage)
			for _, r := range page {
				before = r
				all = append(all, ratedPairJSON{
					Match: r.Match, Opponent: namedJSON{r.Opponent.ID, r.Opponent.Name}, Result: r.Result.String(), Counts: r.Counts,
					Change: r.Change(), Rating: r.After.WholePoints(), Deviation: r.After.WholeDeviation(),
					Ended: inMilliseconds(r.Ended),
				})
			}
			return all, err
		})
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, "]}"); err != nil {
			return err
		}
	}
	return nil
}

// writeFinished writes all finished matches of the player, the newest first.
func (s *Server) writeFinished(ctx context.Context, w io.Writer) error {
	if s.History == nil {
		return nil
	}
	before := uint64(0)
	return writePages(w, func() ([]historyJSON, error) {
		page, err := s.History.List(ctx, s.Player.ID, before, history.MaxPage, true)
		if len(page) > 0 {
			before = page[len(page)-1].Number
		}
		return newHistory(page), err
	})
}

// maxTypedLine limits the bytes of a typed line.
const maxTypedLine = 256

// deleteAccount schedules the deletion of the account if args are its name. With Echo and without args, deleteAccount
// asks for the name.
func (e Env) deleteAccount(ctx context.Context, c *cli.Call, args []string) (cli.Answer, error) {
	s := e.Server
	name, typed := cmp.Or(s.Accounts.ClaimedName(s.Player.ID), s.Player.Name), strings.Join(args, " ")
	if len(args) == 0 && s.Caller.Key != "" {
		if !e.Echo {
			return cli.Answer{}, errNoName
		}
		if _, err := fmt.Fprintf(c.Out, "Your account will be deleted in seven days. Type your name, %s, to confirm: ",
			name); err != nil {
			return cli.Answer{}, err
		}
		line, in, one := "", e.input(ctx, c), make([]byte, 1)
		for len(line) < maxTypedLine && !strings.HasSuffix(line, "\n") {
			n, err := in.Read(one)
			if n == 0 && err != nil { // the session has ended before the player pressed Enter
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
		Use: "name [NEW]", Short: "Claim a name, or show yours", Long: aboutName,
		Example: "ssh HOST name ann", Args: cli.AnyArguments,
		Run: e.onServer(func(ctx context.Context, _ *cli.Call, args []string) (cli.Answer, error) {
			s, name := e.Server, strings.Join(args, " ")
			claimed := s.Accounts.ClaimedName(s.Player.ID)
			switch {
			case len(args) > 0 && name == claimed:
				return cli.Line("%s", wording.NameClaimed(name, name)), nil
			case len(args) > 0:
				return cli.Line("%s", wording.NameClaimed(name, s.Player.Name)), s.Accounts.Claim(ctx, s.Caller, name)
			case claimed != "":
				return cli.Line("You are %s. You have claimed this name.", claimed), nil
			case s.Renamed:
				return cli.Line("You are %s. Your user name cannot be your name here: %s.", s.Player.Name, whyRenamed), nil
			}
			return cli.Line("You are %s, the name of your login.", s.Player.Name), nil
		}),
	}
}

const aboutKey = `Use one account with several keys, such as those of two machines.

On the machine that has the account, type key add: it prints a code. On the other machine, type key link CODE within ten
minutes. The matches that the other key has played before stay with its old account. A key that you remove has an
account of its own from its next login on.`

// keyJSON is a key as "key list --json" prints it.
type keyJSON struct {
	ID     account.KeyID `json:"id"`
	Linked *time.Time    `json:"linked"` // null for the first key of the account
	Used   bool          `json:"used"`   // the key of this login
}

func (k keyJSON) text() string {
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
		all := s.keys(s.Accounts.CallerInfo(s.Caller))
		return cli.Answer{JSON: all, Text: func(say cli.Say) {
			for _, key := range all {
				say("%s", key.text())
			}
		}}, nil
	})
	return cli.Command{
		Use: "key", Short: "Use one account with several keys", Long: aboutKey, Run: list,
		Example: "ssh HOST key add\nssh HOST key link CFHJKMPQ",
		Sub: []cli.Command{{
			Use: "list", Short: "List the keys of your account", JSON: true, Run: list,
		}, {
			Use: "add", Short: "Print a code that links another key to your account",
			Run: e.onServer(func(ctx context.Context, _ *cli.Call, _ []string) (cli.Answer, error) {
				code, err := e.Server.Accounts.MakeCode(ctx, e.Server.Caller)
				return cli.Line("Log in with the other key within ten minutes: ssh %s key link %s", e.Host, code), err
			}),
		}, {
			Use: "link CODE", Short: "Link the key that you log in with to the account that printed the code",
			Args: cli.ArgumentRange(1, maxCodeWords, "the code that key add prints"),
			Run: e.onServer(func(ctx context.Context, _ *cli.Call, args []string) (cli.Answer, error) {
				s := e.Server
				if len(s.Manager.PlayerMatches(s.Player.ID)) > 0 {
					return cli.Answer{}, errPlaying
				}
				return cli.Line("This key is linked to the account from your next login on."),
					s.Accounts.Link(ctx, s.Caller, joinCode(args))
			}),
		}, {
			Use: "remove ID", Short: "Remove a key from your account",
			Args: cli.ArgumentRange(1, 1, "the identifier of a key, as key list prints it"),
			Run: e.onServer(func(ctx context.Context, _ *cli.Call, args []string) (cli.Answer, error) {
				key := account.KeyID(strings.ToLower(args[0]))
				return cli.Line("The key %s is removed.", key), e.Server.Accounts.RemoveKey(ctx, e.Server.Caller, key)
			}),
		}},
	}
}

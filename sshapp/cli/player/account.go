package player

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/history"
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

// Account is an account as `me --json` prints it. Its fields and their order are a promise (docs/commands.md).
type Account struct {
	ID          match.PlayerID      `json:"id"`
	Name        string              `json:"name"`
	Guest       bool                `json:"guest"`
	Claimed     *time.Time          `json:"claimed"` // when the name was claimed
	Keys        []keyJSON           `json:"keys"`
	Preferences account.Preferences `json:"preferences"`
	Deleted     *time.Time          `json:"deleted"` // when the account will be
	Matches     []match.ID          `json:"matches"` // in progress
}

// exportJSON is all that is stored about an account, as `me export` prints it.
type exportJSON struct {
	Format string `json:"format"`
	Account
	Events   []eventJSON   `json:"events"`
	Ratings  []ratingsJSON `json:"ratings"`
	Finished []historyJSON `json:"finished"`
}

// ratingsJSON is what an export has of rated pairs, those against people or those of programs.
type ratingsJSON struct {
	Bots    bool         `json:"bots"`
	Rating  *ratingJSON  `json:"rating"`
	Pairs   pairsJSON    `json:"pairs"`
	Results []resultJSON `json:"results"` // the newest first
}

// resultJSON is a rated pair, and what it changed.
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

// Account returns the player's account. info is what is recorded of it.
func (s *Server) Account(info account.Info) Account {
	all := Account{
		ID: s.Player.ID, Name: s.Player.Name, Guest: s.Player.Guest, Claimed: timeOrNull(info.NamedAt), Keys: s.keysOf(info),
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

func newMe(e Env) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:     "me",
		Short:   "Say who you are here, export your account or delete it",
		Long:    aboutMe,
		Example: "ssh HOST me\nssh HOST me export >me.json",
		Args:    NoArguments,
		RunE: e.needsServer(func(cmd *cobra.Command, _ []string) error {
			all := e.Server.Account(e.Server.Accounts.InfoOf(e.Server.Caller))
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), all)
			}
			owner := e.Server.Accounts.Owner(all.Name)
			return all.describe(cmd.OutOrStdout(), e.Host, owner != "" && owner != all.ID, e.Server.Renamed)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", asJSON, "one JSON value")
	cmd.AddCommand(newExport(e), newDelete(e), newUndo(e))
	return cmd
}

// describe writes in words who the player is. isTaken says that another player has claimed the name, isRenamed that it
// is not the user name of the login.
func (a Account) describe(w io.Writer, host string, isTaken, isRenamed bool) error {
	var text strings.Builder
	say := func(format string, values ...any) { fmt.Fprintf(&text, format+"\n", values...) }
	if a.Guest {
		say("You are %s, a guest. Nothing is kept but your matches. With a key you have an account: "+
			"ssh-keygen makes one.", a.Name)
		if isTaken {
			say("Another player has claimed this name, so others see yours with a mark.")
		}
		_, err := io.WriteString(w, text.String())
		return err
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
	_, err := io.WriteString(w, text.String())
	return err
}

func newExport(e Env) *cobra.Command {
	return &cobra.Command{
		Use:   "export",
		Short: "Print everything that is stored about your account, as JSON",
		Args:  NoArguments,
		RunE: e.needsServer(func(cmd *cobra.Command, _ []string) error {
			info, events, err := e.Server.Accounts.Export(e.Server.Caller)
			if err != nil {
				return err
			}
			return e.Server.WriteExport(cmd.Context(), cmd.OutOrStdout(), info, events)
		}),
	}
}

// WriteExport writes everything that is stored about the player as one JSON value. info and events are those of the
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
	return writeJSON(w, all)
}

// ratings returns what the history has of the player's rated pairs, for each pool in which there is one.
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
		of := ratingsJSON{Bots: pool == match.BotPool, Rating: ratingOf(standing), Pairs: pairsOf(standing)}
		for before := (history.RatedPair{}); ; {
			page, err := s.History.RatedPairs(ctx, pool, s.Player.ID, before, history.MaxPage)
			if err != nil {
				return nil, err
			}
			if len(page) == 0 {
				break
			}
			of.Results, before = append(of.Results, resultsOf(page)...), page[len(page)-1]
		}
		all = append(all, of)
	}
	return all, nil
}

func resultsOf(all []history.RatedPair) []resultJSON {
	lines := make([]resultJSON, 0, len(all))
	for _, r := range all {
		lines = append(lines, resultJSON{
			Match: r.Match, Opponent: namedJSON{r.Opponent.ID, r.Opponent.Name}, Result: r.Result.String(), Counts: r.Counts,
			Change: r.Change(), Rating: r.After.Value(), Deviation: r.After.WholeDeviation(),
			Ended: r.Ended.UTC().Truncate(time.Millisecond),
		})
	}
	return lines
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
		all, before = append(all, historyOf(page)...), page[len(page)-1].Number
	}
	return all, nil
}

func newDelete(e Env) *cobra.Command {
	return &cobra.Command{
		Use:   "delete NAME",
		Short: "Delete your account in seven days",
		Long:  aboutDelete,
		RunE: e.answers(func(ctx context.Context, s *Server, args []string) (string, error) {
			name, typed := cmp.Or(s.Accounts.NameOf(s.Player.ID), s.Player.Name), strings.Join(args, " ")
			if len(args) == 0 && s.Caller.Key != "" {
				var err error
				if typed, err = e.askName(ctx, name); err != nil {
					return "", err
				}
			}
			err := s.Accounts.Delete(ctx, s.Caller, name, typed)
			return fmt.Sprintf("Your account will be deleted on %s. To keep it: ssh %s me undo",
				wording.Time(s.Accounts.Info(s.Player.ID).DeletedAt), e.Host), err
		}),
	}
}

// maxAnswer is how much of a typed line is read.
const maxAnswer = 256

// askName asks at a terminal for the player's name. What is typed counts once its line has ended.
func (e Env) askName(ctx context.Context, name string) (string, error) {
	if !e.Echo {
		return "", errNoName
	}
	if _, err := fmt.Fprintf(e.Out, "Your account will be deleted in seven days. Type your name, %s, to go on: ",
		name); err != nil {
		return "", err
	}
	var typed strings.Builder
	in, one := e.lines(e.withIdleTimeout(ctx)), make([]byte, 1)
	for typed.Len() < maxAnswer {
		n, err := in.Read(one)
		switch {
		case n > 0 && one[0] == '\n':
			return strings.TrimSpace(typed.String()), nil
		case n == 0 && err != nil: // the session ends, or its connection: the player has not pressed Enter
			return "", cmp.Or(context.Cause(ctx), errNoName)
		}
		typed.Write(one[:n])
	}
	return strings.TrimSpace(typed.String()), nil
}

func newUndo(e Env) *cobra.Command {
	return &cobra.Command{
		Use:   "undo",
		Short: "Keep an account that is going to be deleted",
		Args:  NoArguments,
		RunE: e.answers(func(ctx context.Context, s *Server, _ []string) (string, error) {
			return "Your account is kept.", s.Accounts.Undo(ctx, s.Caller)
		}),
	}
}

func newName(e Env) *cobra.Command {
	return &cobra.Command{
		Use:     "name [NEW]",
		Short:   "Claim a name, or say which one you have",
		Long:    aboutName,
		Example: "ssh HOST name ann",
		RunE: e.answers(func(ctx context.Context, s *Server, args []string) (string, error) {
			if len(args) > 0 {
				name := strings.Join(args, " ")
				if name == s.Accounts.NameOf(s.Player.ID) {
					return wording.NameClaimed(name, name), nil
				}
				return wording.NameClaimed(name, s.Player.Name), s.Accounts.Claim(ctx, s.Caller, name)
			}
			if name := s.Accounts.NameOf(s.Player.ID); name != "" {
				return "You are " + name + ", a name that you have claimed.", nil
			}
			if s.Renamed {
				return "You are " + s.Player.Name + ": your user name cannot be shown as it is.", nil
			}
			return "You are " + s.Player.Name + ", the name of your login.", nil
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
	Used   bool          `json:"used"`   // it is that of this login
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

// keysOf are the keys of the player's account, the oldest first.
func (s *Server) keysOf(info account.Info) []keyJSON {
	all := []keyJSON{}
	for _, key := range info.Keys {
		all = append(all, keyJSON{key.ID, timeOrNull(key.Since), key.ID == s.Caller.Key})
	}
	return all
}

func newKey(e Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "key",
		Short:   "Use one account with several keys",
		Long:    aboutKey,
		Example: "ssh HOST key add\nssh HOST key link CFHJKMPQ",
		Args:    NoArguments,
	}
	list := newKeyList(e)
	cmd.RunE = list.RunE
	cmd.AddCommand(list, newKeyAdd(e), newKeyLink(e), newKeyRemove(e))
	return cmd
}

func newKeyList(e Env) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the keys of your account",
		Args:  NoArguments,
		RunE: e.needsServer(func(cmd *cobra.Command, _ []string) error {
			s := e.Server
			if s.Caller.Key == "" {
				return account.ErrGuest
			}
			all := s.keysOf(s.Accounts.InfoOf(s.Caller))
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), all)
			}
			var text strings.Builder
			for _, key := range all {
				fmt.Fprintln(&text, key.inWords())
			}
			_, err := io.WriteString(cmd.OutOrStdout(), text.String())
			return err
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", asJSON, "one JSON value")
	return cmd
}

func newKeyAdd(e Env) *cobra.Command {
	return &cobra.Command{
		Use:   "add",
		Short: "Print a code by which another key is linked to your account",
		Args:  NoArguments,
		RunE: e.answers(func(ctx context.Context, s *Server, _ []string) (string, error) {
			code, err := s.Accounts.MakeCode(ctx, s.Caller)
			return fmt.Sprintf("Log in with the other key within ten minutes: ssh %s key link %s",
				e.Host, code), err
		}),
	}
}

func newKeyLink(e Env) *cobra.Command {
	return &cobra.Command{
		Use:   "link CODE",
		Short: "Link the key that you log in with to the account that has made a code",
		Args:  Arguments(1, maxCodeWords, "the code that key add prints"),
		RunE: e.answers(func(ctx context.Context, s *Server, args []string) (string, error) {
			if len(s.Manager.MatchesOf(s.Player.ID)) > 0 {
				return "", errPlaying
			}
			return "This key is linked to the account from your next login on.",
				s.Accounts.Link(ctx, s.Caller, codeOf(args))
		}),
	}
}

func newKeyRemove(e Env) *cobra.Command {
	return &cobra.Command{
		Use:   "remove ID",
		Short: "Remove a key from your account",
		Args:  Arguments(1, 1, "the identifier of a key, as key list prints it"),
		RunE: e.answers(func(ctx context.Context, s *Server, args []string) (string, error) {
			key := account.KeyID(strings.ToLower(args[0]))
			return fmt.Sprintf("The key %s is removed.", key), s.Accounts.RemoveKey(ctx, s.Caller, key)
		}),
	}
}

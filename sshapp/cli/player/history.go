package player

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/history"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/sshapp/cli"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

const aboutHistory = `List a player's finished matches, the newest first.

NAME is a claimed name or the identifier of an account, by default yours. Matches of private tables are listed for their
players only.`

// defaultLimit is the default of --limit.
const defaultLimit = 20

var (
	errNoPlayer  = errors.New("it takes the name of a player, or an account's identifier: ssh HOST profile shows yours")
	errNoHistory = errors.New("this server keeps no history")
	errLimit     = fmt.Errorf("it takes a whole number from 1 to %d", history.MaxPage)
)

// historyJSON is a match as "history --json" prints it.
type historyJSON struct {
	Match    match.ID  `json:"match"`
	Variant  string    `json:"variant"`
	Clock    string    `json:"clock"`
	Rated    bool      `json:"rated"`
	Opponent namedJSON `json:"opponent"`
	Result   string    `json:"result"`
	Reason   string    `json:"reason"`
	Plies    int       `json:"plies"`
	Ended    time.Time `json:"ended"`
}

type namedJSON struct {
	ID   match.PlayerID `json:"id"`
	Name string         `json:"name"`
}

func (e Env) history() cli.Command {
	limit := defaultLimit
	return e.withPlayer(cli.Command{
		Use: "history [NAME]", Short: "List a player's finished matches", Long: aboutHistory, JSON: true,
		Example: "ssh HOST history\nssh HOST history ann --limit 5 --json",
		Flags:   func(f *pflag.FlagSet) { addLimit(f, &limit, "matches") },
	}, func(ctx context.Context, r playerHistory) (cli.Answer, error) {
		all, err := r.List(ctx, r.player.ID, 0, limit, r.seesPrivate)
		return cli.Answer{JSON: newHistory(all), Text: func(say cli.Say) {
			if len(all) == 0 {
				say("%s has not finished a match yet.", r.player.Name)
			}
			for _, line := range wording.HistoryLines(all) {
				say("%s", strings.TrimSuffix(line, "\n"))
			}
		}}, err
	})
}

func newHistory(all []history.Entry) []historyJSON {
	lines := make([]historyJSON, 0, len(all))
	for _, e := range all {
		lines = append(lines, historyJSON{
			Match: e.Match, Variant: e.Variant.String(), Clock: e.Clock.String(), Rated: e.Pool.IsRated(),
			Result:   e.Result(),
			Opponent: namedJSON{e.Opponent.ID, e.Opponent.Name}, Reason: e.Reason, Plies: e.Plies,
			Ended: e.Ended.UTC().Truncate(time.Millisecond),
		})
	}
	return lines
}

// addLimit adds the flag --limit. The parameter what names the limited things in the help, such as matches.
func addLimit(flags *pflag.FlagSet, limit *int, what string) {
	flags.Func("limit", fmt.Sprintf("how many %s, 1 to %d (default %d)", what, history.MaxPage, defaultLimit),
		func(text string) (err error) {
			if *limit, err = strconv.Atoi(text); err != nil || *limit < 1 || *limit > history.MaxPage {
				return errLimit
			}
			return nil
		})
}

// playerHistory is a history with the player that a command line names.
type playerHistory struct {
	player      match.Player
	seesPrivate bool
	*store.History
}

// withPlayer completes a command about one player with its arguments and its action.
func (e Env) withPlayer(cmd cli.Command, do func(context.Context, playerHistory) (cli.Answer, error)) cli.Command {
	cmd.Args = cli.ArgumentRange(0, maxNameWords, "one name, or none for your own")
	return e.withHistory(cmd, func(ctx context.Context, h *store.History, args []string) (cli.Answer, error) {
		r, err := e.findPlayer(ctx, h, strings.Join(args, " "))
		if err != nil {
			return cli.Answer{}, err
		}
		return do(ctx, r)
	})
}

// findPlayer returns h with the player of a name, or with the caller for an empty name. A local command finds a player
// by any name that the player had in a match.
func (e Env) findPlayer(ctx context.Context, h *store.History, name string) (playerHistory, error) {
	if e.Server != nil {
		switch {
		case name != "":
			p, err := client.FindPlayer(e.Server.Accounts, e.Host, name)
			return playerHistory{p, p.ID == e.Server.Player.ID, h}, err
		case e.Server.Player.Guest:
			return playerHistory{}, account.ErrGuest
		default:
			return playerHistory{e.Server.Player, true, h}, nil
		}
	}
	if name == "" {
		return playerHistory{}, errNoPlayer
	}
	found, err := h.FindByName(ctx, name)
	switch {
	case err != nil:
		return playerHistory{}, err
	case len(found) == 0:
		return playerHistory{}, fmt.Errorf("there is no finished match of a player %.40q", name)
	case len(found) > 1:
		all := string(found[0])
		for _, id := range found[1:] {
			all += ", " + string(id)
		}
		return playerHistory{}, fmt.Errorf("several players had the name %.40q: give the account of one, %s", name, all)
	}
	return playerHistory{match.Player{ID: found[0], Name: name}, true, h}, nil
}

// withHistory completes cmd with an action that reads the server's history. A local command reads the history of the
// data that Env.Data opens. A local cmd needs Flags that are not nil.
func (e Env) withHistory(
	cmd cli.Command, do func(ctx context.Context, h *store.History, args []string) (cli.Answer, error),
) cli.Command {
	if e.Server != nil || e.Data == nil {
		cmd.Run = e.onServer(func(ctx context.Context, _ *cli.Call, args []string) (cli.Answer, error) {
			if e.Server.History == nil {
				return cli.Answer{}, errNoHistory
			}
			return do(ctx, e.Server.History, args)
		})
		return cmd
	}
	var open func(context.Context) (*store.Store, error)
	addFlags := cmd.Flags
	cmd.Flags = func(f *pflag.FlagSet) {
		addFlags(f)
		open = e.Data(f)
	}
	cmd.Run = func(ctx context.Context, _ *cli.Call, args []string) (cli.Answer, error) {
		s, err := open(ctx)
		if err != nil {
			return cli.Answer{}, err
		}
		a, err := do(ctx, s.History(), args)
		return a, UserError(errors.Join(err, s.Close()), e.Host)
	}
	return cmd
}

const aboutProfile = `Sum up a player's finished matches.

NAME is a claimed name or the identifier of an account, by default yours. The command also says how often the player, in
a winning position, kept it winning.`

// profileJSON is the answer of "profile".
type profileJSON struct {
	ID        match.PlayerID `json:"id"`
	Name      string         `json:"name"`
	Program   bool           `json:"program,omitempty"`
	Here      bool           `json:"here,omitempty"`
	Rating    *ratingJSON    `json:"rating"`  // null without a rated pair
	Rank      *int           `json:"rank"`    // null off the ladder
	Players   int            `json:"players"` // on the ladder
	Pairs     pairsJSON      `json:"pairs"`
	Matches   int            `json:"matches"`
	Won       int            `json:"won"`
	KeptShare *float64       `json:"kept"` // share of winning positions that the player kept winning, null if unknown
	Rush      int            `json:"rush"` // puzzles solved in the best run, 0 without one
	Bots      *botsJSON      `json:"bots"` // the player's programs, null without a rated pair
}

// botsJSON is the standing of a player among programs.
type botsJSON struct {
	Rating  *ratingJSON `json:"rating"`
	Rank    *int        `json:"rank"`
	Players int         `json:"players"`
	Pairs   pairsJSON   `json:"pairs"`
}

type pairsJSON struct {
	Won   int `json:"won"`
	Split int `json:"split"`
	Lost  int `json:"lost"`
}

type ratingJSON struct {
	Value       int  `json:"value"`
	Deviation   int  `json:"deviation"`
	Provisional bool `json:"provisional"`
}

func (e Env) profile() cli.Command {
	return e.withPlayer(cli.Command{
		Use: "profile [NAME]", Short: "Sum up a player's finished matches", Long: aboutProfile, JSON: true,
		Example: "ssh HOST profile\nssh HOST profile ann --json", Flags: func(*pflag.FlagSet) {},
	}, func(ctx context.Context, r playerHistory) (cli.Answer, error) {
		var m *manager.Manager
		if e.Server != nil {
			m = e.Server.Manager
		}
		totals, err := client.Totals(ctx, r.History, m, r.player.ID)
		if err != nil {
			return cli.Answer{}, err
		}
		people, err := r.Standing(ctx, match.PeoplePool, r.player.ID)
		if err != nil {
			return cli.Answer{}, err
		}
		bots, err := r.Standing(ctx, match.BotPool, r.player.ID)
		if err != nil {
			return cli.Answer{}, err
		}
		against := history.Totals{}
		if e.Server != nil && !r.seesPrivate {
			if against, err = r.TotalsAgainst(ctx, e.Server.Player.ID, r.player.ID); err != nil {
				return cli.Answer{}, err
			}
		}
		answer := newProfile(r.player, totals, people, bots)
		if e.Server != nil && e.Server.Progress != nil {
			state, err := e.Server.Progress.State(ctx, r.player)
			if err != nil {
				return cli.Answer{}, err
			}
			answer.Rush = state.BestEver()
		}
		answer.Here = e.Server != nil && e.Server.Manager.IsHere(r.player.ID)
		answer.Program = e.Server != nil && e.Server.Accounts.IsProgram(r.player.ID)
		return cli.Answer{JSON: answer, Text: func(say cli.Say) {
			program := ""
			if answer.Program {
				program = ", a program"
			}
			if answer.Here {
				program += ", " + wording.HereNow
			}
			say("%s, account %s%s", r.player.Name, r.player.ID, program)
			for _, line := range wording.Totals(totals) {
				say("%s", line)
			}
			if text := wording.Standing(people); text != "" {
				say("%s", text)
			}
			if text := wording.Standing(bots); text != "" {
				say("Among programs: %s", text)
			}
			if answer.Rush > 0 {
				say("Best rush: %s.", wording.Count(answer.Rush, "puzzle", "puzzles"))
			}
			if against.Matches > 0 {
				say("You against %s, %s", r.player.Name, strings.Join(wording.Totals(against), " "))
			}
		}}, nil
	})
}

func newProfile(p match.Player, t history.Totals, people, bots history.Standing) profileJSON {
	profile := profileJSON{
		ID: p.ID, Name: p.Name, Rating: newRating(people), Players: people.Players, Pairs: newPairs(people),
		Matches: t.Matches, Won: t.Won, Rank: newRank(people),
	}
	if rating := newRating(bots); rating != nil {
		profile.Bots = &botsJSON{rating, newRank(bots), bots.Players, newPairs(bots)}
	}
	if share, ok := t.Share(); ok {
		profile.KeptShare = new(math.Round(share*1000) / 1000)
	}
	return profile
}

// newRating returns nil for a player without a rated pair.
func newRating(s history.Standing) *ratingJSON {
	if s.Ended.IsZero() {
		return nil
	}
	return &ratingJSON{s.Rating.WholePoints(), s.Rating.WholeDeviation(), s.Rating.IsProvisional()}
}

// newRank returns nil for a player off the ladder.
func newRank(s history.Standing) *int {
	if s.Rank == 0 {
		return nil
	}
	return &s.Rank
}

func newPairs(s history.Standing) pairsJSON { return pairsJSON{s.Won, s.Split, s.Lost} }

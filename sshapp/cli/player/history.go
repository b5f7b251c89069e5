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
	"notakto/match/store"
	"notakto/sshapp/cli"
	"notakto/sshapp/wording"
)

const aboutHistory = `List a player's finished matches, the newest first: yours, or those of the player with a
claimed name or an account's identifier.

Matches of private tables are listed for their players only.`

// defaultLimit is the number of matches or players in a list without --limit.
const defaultLimit = 20

var (
	errNoPlayer  = errors.New("it takes the name of a player, or an account's identifier: ssh HOST profile says your own")
	errNoHistory = errors.New("this server keeps no history")
	errLimit     = fmt.Errorf("it takes a whole number from 1 to %d", history.MaxPage)
)

// historyJSON is a match as `history --json` prints it.
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
	return e.withRecord(cli.Command{
		Use: "history [NAME]", Short: "List a player's finished matches", Long: aboutHistory, JSON: true,
		Example: "ssh HOST history\nssh HOST history ann --limit 5 --json",
		Flags:   func(f *pflag.FlagSet) { addLimit(f, &limit, "matches") },
	}, func(ctx context.Context, r playerHistory) (cli.Answer, error) {
		all, err := r.List(ctx, r.player.ID, 0, limit, r.isOwn)
		return cli.Answer{JSON: newHistory(all), Text: func(say cli.Say) {
			if len(all) == 0 {
				say("No match of %s's has been finished yet.", r.player.Name)
			}
			for _, entry := range all {
				say("%s  %s", wording.HistoryLine(entry), entry.Match)
			}
		}}, err
	})
}

func newHistory(all []history.Entry) []historyJSON {
	lines := make([]historyJSON, 0, len(all))
	for _, e := range all {
		lines = append(lines, historyJSON{
			Match: e.Match, Variant: e.Variant.String(), Clock: e.Clock.String(), Rated: e.Pool.IsRated(), Result: e.Result(),
			Opponent: namedJSON{e.Opponent.ID, e.Opponent.Name}, Reason: e.Reason, Plies: e.Plies,
			Ended: e.Ended.UTC().Truncate(time.Millisecond),
		})
	}
	return lines
}

// addLimit adds the flag --limit. what says in words what it limits.
func addLimit(flags *pflag.FlagSet, limit *int, what string) {
	flags.Func("limit", fmt.Sprintf("how many %s, 1 to %d (default %d)", what, history.MaxPage, defaultLimit),
		func(text string) (err error) {
			if *limit, err = strconv.Atoi(text); err != nil || *limit < 1 || *limit > history.MaxPage {
				return errLimit
			}
			return nil
		})
}

// playerHistory is a history, and the player that a command line names.
type playerHistory struct {
	player match.Player
	isOwn  bool
	*store.History
}

// withRecord returns cmd with the arguments and the action of a command about one player.
func (e Env) withRecord(cmd cli.Command, do func(context.Context, playerHistory) (cli.Answer, error)) cli.Command {
	cmd.Args = cli.Arguments(0, 1, "one name, or none for your own")
	return e.withHistory(cmd, func(ctx context.Context, h *store.History, args []string) (cli.Answer, error) {
		r, err := e.findRecord(ctx, h, args)
		if err != nil {
			return cli.Answer{}, err
		}
		return do(ctx, r)
	})
}

// findRecord returns the history and the player that args name, by default the caller. With a data directory it
// finds a player by any name that the player had in a match.
func (e Env) findRecord(ctx context.Context, h *store.History, args []string) (playerHistory, error) {
	if e.Server != nil {
		switch {
		case len(args) > 0:
			p, err := e.Server.Accounts.Find(args[0])
			return playerHistory{p, p.ID == e.Server.Player.ID, h}, err
		case e.Server.Player.Guest:
			return playerHistory{}, account.ErrGuest
		default:
			return playerHistory{e.Server.Player, true, h}, nil
		}
	}
	if len(args) == 0 {
		return playerHistory{}, errNoPlayer
	}
	found, err := h.Named(ctx, args[0])
	switch {
	case err != nil:
		return playerHistory{}, err
	case len(found) == 0:
		return playerHistory{}, fmt.Errorf("no finished match has a player %.40q", args[0])
	case len(found) > 1:
		all := string(found[0])
		for _, id := range found[1:] {
			all += ", " + string(id)
		}
		return playerHistory{}, fmt.Errorf("several players had the name %.40q: name one by the account, %s", args[0], all)
	}
	return playerHistory{match.Player{ID: found[0], Name: args[0]}, true, h}, nil
}

// withHistory returns cmd with an action that reads the server's history. A local command reads the history in a
// data directory.
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

const aboutProfile = `Say what a player's finished matches add up to: yours, or those of the player with a
claimed name or an account's identifier.

The share of winning moves found says how often the player, when able to win whatever the opponent does, made a move
that keeps it so.`

// profileJSON is a profile as `profile --json` prints it.
type profileJSON struct {
	ID      match.PlayerID `json:"id"`
	Name    string         `json:"name"`
	Rating  *ratingJSON    `json:"rating"`  // null without a rated pair
	Rank    *int           `json:"rank"`    // null for a player who is not on the ladder
	Players int            `json:"players"` // number of players with a rank
	Pairs   pairsJSON      `json:"pairs"`
	Matches int            `json:"matches"`
	Won     int            `json:"won"`
	Kept    *float64       `json:"kept"`
	Bots    *botsJSON      `json:"bots"` // the standing of the player's programs; null without a rated pair
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
	return e.withRecord(cli.Command{
		Use: "profile [NAME]", Short: "Say what a player's finished matches add up to", Long: aboutProfile, JSON: true,
		Example: "ssh HOST profile\nssh HOST profile ann --json", Flags: func(*pflag.FlagSet) {},
	}, func(ctx context.Context, r playerHistory) (cli.Answer, error) {
		totals, err := r.Totals(ctx, r.player.ID)
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
		if e.Server != nil && !r.isOwn {
			if against, err = r.Against(ctx, e.Server.Player.ID, r.player.ID); err != nil {
				return cli.Answer{}, err
			}
		}
		return cli.Answer{JSON: newProfile(r.player, totals, people, bots), Text: func(say cli.Say) {
			say("%s, account %s", r.player.Name, r.player.ID)
			for _, line := range wording.Totals(totals) {
				say("%s", line)
			}
			if text := wording.Standing(people); text != "" {
				say("%s", text)
			}
			if text := wording.Standing(bots); text != "" {
				say("Among programs: %s", text)
			}
			if against.Matches > 0 {
				say("You against %s, %s", r.player.Name, strings.Join(wording.Totals(against), " "))
			}
		}}, nil
	})
}

// newProfile returns a player's profile. people and bots are the standings among people and among programs.
func newProfile(p match.Player, t history.Totals, people, bots history.Standing) profileJSON {
	profile := profileJSON{
		ID: p.ID, Name: p.Name, Rating: newRating(people), Players: people.Players, Pairs: newPairs(people),
		Matches: t.Matches, Won: t.Won, Rank: newRank(people),
	}
	if rating := newRating(bots); rating != nil {
		profile.Bots = &botsJSON{rating, newRank(bots), bots.Players, newPairs(bots)}
	}
	if share, ok := t.Share(); ok {
		profile.Kept = new(math.Round(share*1000) / 1000)
	}
	return profile
}

// newRating returns the rating of a player, nil without a rated pair.
func newRating(s history.Standing) *ratingJSON {
	if s.Ended.IsZero() {
		return nil
	}
	return &ratingJSON{s.Rating.Value(), s.Rating.WholeDeviation(), s.Rating.Provisional()}
}

// newRank returns the rank of a player, nil for one who is not on the ladder.
func newRank(s history.Standing) *int {
	if s.Rank == 0 {
		return nil
	}
	return &s.Rank
}

func newPairs(s history.Standing) pairsJSON { return pairsJSON{s.Won, s.Split, s.Lost} }

package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/history"
	"notakto/sshapp/wording"
)

const aboutHistory = `List a player's finished matches, the newest first: yours, or those of the player with a
claimed name or an account's identifier.

Matches of private tables are listed for their players only.`

const aboutProfile = `Say what a player's finished matches add up to: yours, or those of the player with a
claimed name or an account's identifier.

The share of winning moves found says how often the player, when able to win whatever the opponent does, made a move
that keeps it so.`

// defaultLimit is how many matches are listed.
const defaultLimit = 20

var (
	errNoPlayer  = errors.New("it takes the name of a player, or an account's identifier: ssh HOST profile says your own")
	errNoHistory = errors.New("this server keeps no history")
	errLimit     = fmt.Errorf("it takes a whole number from 1 to %d", history.MaxPage)
)

// historyJSON is a match as `history --json` prints it. Its fields and their order are a promise (docs/commands.md).
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

// profileJSON is a profile as `profile --json` prints it. Its fields and their order are a promise (docs/commands.md).
type profileJSON struct {
	ID      match.PlayerID `json:"id"`
	Name    string         `json:"name"`
	Rating  *ratingJSON    `json:"rating"`  // null without a rated pair
	Rank    *int           `json:"rank"`    // null for a player who is not on the ladder
	Players int            `json:"players"` // with a rank
	Pairs   pairsJSON      `json:"pairs"`
	Matches int            `json:"matches"`
	Won     int            `json:"won"`
	Kept    *float64       `json:"kept"`
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

// profileOf returns the profile of a player.
func profileOf(p match.Player, t history.Totals, s history.Standing) profileJSON {
	profile := profileJSON{
		ID: p.ID, Name: p.Name, Rating: ratingOf(s), Players: s.Players, Pairs: pairsOf(s),
		Matches: t.Matches, Won: t.Won,
	}
	if s.Rank > 0 {
		profile.Rank = &s.Rank
	}
	if share, ok := t.Share(); ok {
		share = math.Round(share*1000) / 1000
		profile.Kept = &share
	}
	return profile
}

// ratingOf returns the rating of a player, nil without a rated pair.
func ratingOf(s history.Standing) *ratingJSON {
	if s.Ended.IsZero() {
		return nil
	}
	return &ratingJSON{s.Rating.Value(), s.Rating.WholeDeviation(), s.Rating.Provisional()}
}

func pairsOf(s history.Standing) pairsJSON { return pairsJSON{s.Won, s.Split, s.Lost} }

// record is whose history is asked for, and where it is.
type record struct {
	player match.Player
	isOwn  bool
	*history.Store
}

// findRecord finds the player that a command names, or who asks. dir is the data directory of a local command.
func findRecord(ctx context.Context, d Env, dir string, args []string) (record, error) {
	switch {
	case d.Server == nil:
		return localRecord(ctx, dir, args)
	case len(args) == 0 && d.Server.Player.Guest:
		return record{}, account.ErrGuest
	case d.Server.History == nil:
		return record{}, errNoHistory
	case len(args) == 0:
		return record{d.Server.Player, true, d.Server.History}, nil
	}
	p, err := d.Server.Accounts.Find(args[0])
	return record{p, p.ID == d.Server.Player.ID, d.Server.History}, err
}

// localRecord finds a player in the history of a data directory, by the names that players had in their matches.
func localRecord(ctx context.Context, dir string, args []string) (record, error) {
	if len(args) == 0 {
		return record{}, errNoPlayer
	}
	store, err := history.Read(dir)
	if err != nil {
		return record{}, err
	}
	found, err := store.Named(ctx, args[0])
	switch {
	case err != nil:
	case len(found) == 0:
		err = fmt.Errorf("no finished match has a player %.40q", args[0])
	case len(found) > 1:
		err = fmt.Errorf("several players had the name %.40q: name one by the account, %s", args[0], joinIDs(found))
	default:
		return record{match.Player{ID: found[0], Name: args[0]}, true, store}, nil
	}
	return record{}, errors.Join(err, store.Close())
}

func joinIDs(all []match.PlayerID) string {
	texts := make([]string, 0, len(all))
	for _, id := range all {
		texts = append(texts, string(id))
	}
	return strings.Join(texts, ", ")
}

// newRecord is a command about a player's history, which write prints.
func newRecord(d Env, cmd *cobra.Command, write func(context.Context, io.Writer, record) error) *cobra.Command {
	dir := ""
	cmd.Args = Arguments(0, 1, "one name, or none for your own")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := d.setData(&dir); err != nil {
			return err
		}
		r, err := findRecord(cmd.Context(), d, dir, args)
		if err != nil {
			return RuntimeError(userError(err))
		}
		if d.Server == nil {
			defer func() { _ = r.Close() }() // nothing was written
		}
		return RuntimeError(userError(write(cmd.Context(), cmd.OutOrStdout(), r)))
	}
	d.addData(cmd, &dir)
	return cmd
}

// addData adds the flag of a local command that names the data directory.
func (d Env) addData(cmd *cobra.Command, dir *string) {
	if d.Server == nil {
		cmd.Flags().StringVar(dir, "data", "", "the server's data `directory`; by default that of the settings")
	}
}

// setData sets the data directory of a local command to that of the settings if the command line names none.
func (d Env) setData(dir *string) (err error) {
	if d.Server == nil && *dir == "" {
		*dir, err = d.Data()
	}
	return err
}

func newHistory(d Env) *cobra.Command {
	asJSON, limit := false, defaultLimit
	cmd := newRecord(d, &cobra.Command{
		Use:     "history [NAME]",
		Short:   "List a player's finished matches",
		Long:    aboutHistory,
		Example: "ssh HOST history\nssh HOST history ann --limit 5 --json",
	}, func(ctx context.Context, w io.Writer, r record) error {
		all, err := r.List(ctx, r.player.ID, 0, limit, r.isOwn)
		if err != nil {
			return err
		}
		if asJSON {
			return writeJSON(w, historyOf(all))
		}
		if len(all) == 0 {
			_, err := fmt.Fprintln(w, "No match of "+r.player.Name+"'s has been finished yet.")
			return err
		}
		for _, e := range all {
			if _, err := fmt.Fprintln(w, wording.HistoryLine(e)+"  "+string(e.Match)); err != nil {
				return err
			}
		}
		return nil
	})
	cmd.Flags().BoolVar(&asJSON, "json", asJSON, "one JSON value")
	addLimit(cmd, &limit, "matches")
	return cmd
}

// addLimit adds the flag that says how many of something are listed.
func addLimit(cmd *cobra.Command, limit *int, what string) {
	cmd.Flags().Func("limit", fmt.Sprintf("how many %s, 1 to %d (default %d)", what, history.MaxPage, defaultLimit),
		func(text string) (err error) {
			if *limit, err = strconv.Atoi(text); err != nil || *limit < 1 || *limit > history.MaxPage {
				return errLimit
			}
			return nil
		})
}

func historyOf(all []history.Entry) []historyJSON {
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

func newProfile(d Env) *cobra.Command {
	asJSON := false
	cmd := newRecord(d, &cobra.Command{
		Use:     "profile [NAME]",
		Short:   "Say what a player's finished matches add up to",
		Long:    aboutProfile,
		Example: "ssh HOST profile\nssh HOST profile ann --json",
	}, func(ctx context.Context, w io.Writer, r record) error {
		t, err := r.Totals(ctx, r.player.ID)
		if err != nil {
			return err
		}
		standing, err := r.Standing(ctx, match.PeoplePool, r.player.ID)
		if err != nil {
			return err
		}
		if asJSON {
			return writeJSON(w, profileOf(r.player, t, standing))
		}
		lines := append([]string{r.player.Name + ", account " + string(r.player.ID)}, wording.Totals(t)...)
		if text := wording.Standing(standing); text != "" {
			lines = append(lines, text)
		}
		if d.Server != nil && !r.isOwn {
			against, err := r.Against(ctx, d.Server.Player.ID, r.player.ID)
			if err != nil {
				return err
			}
			if against.Matches > 0 {
				lines = append(lines, "You against "+r.player.Name+", "+strings.Join(wording.Totals(against), " "))
			}
		}
		_, err = fmt.Fprintln(w, strings.Join(lines, "\n"))
		return err
	})
	cmd.Flags().BoolVar(&asJSON, "json", asJSON, "one JSON value")
	return cmd
}

const aboutLadder = `List the players with the best ratings: those who have played eight rated pairs or more,
one of them in the last month, and whose rating is certain enough.

A rated pair is two games, of which each player begins one.`

// ladderJSON is a player as `ladder --json` prints one. Its fields and their order are a promise (docs/commands.md).
type ladderJSON struct {
	Rank      int            `json:"rank"`
	ID        match.PlayerID `json:"id"`
	Name      string         `json:"name"`
	Rating    int            `json:"rating"`
	Deviation int            `json:"deviation"`
	Pairs     int            `json:"pairs"`
}

func newLadder(d Env) *cobra.Command {
	asJSON, bots, dir, limit := false, false, "", defaultLimit
	cmd := &cobra.Command{
		Use:     "ladder",
		Short:   "List the players with the best ratings",
		Long:    aboutLadder,
		Example: "ssh HOST ladder\nssh HOST ladder --limit 5 --json",
		Args:    Arguments(0, 0, "no word"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := d.setData(&dir); err != nil {
				return err
			}
			store, err := d.findHistory(dir)
			if err != nil {
				return RuntimeError(userError(err))
			}
			if d.Server == nil {
				defer func() { _ = store.Close() }() // nothing was written
			}
			pool := match.PeoplePool
			if bots {
				pool = match.BotPool
			}
			return RuntimeError(printLadder(cmd.OutOrStdout(), store.Ladder(pool, 0, limit), asJSON))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", asJSON, "one JSON value")
	cmd.Flags().BoolVar(&bots, "bots", bots, "the ladder of programs that play as bots")
	addLimit(cmd, &limit, "players")
	d.addData(cmd, &dir)
	return cmd
}

// findHistory returns the server's history, or that of a data directory for a local command, which has to close it.
func (d Env) findHistory(dir string) (*history.Store, error) {
	switch {
	case d.Server == nil:
		return history.Read(dir)
	case d.Server.History == nil:
		return nil, errNoHistory
	default:
		return d.Server.History, nil
	}
}

func printLadder(w io.Writer, all []history.Standing, asJSON bool) error {
	if asJSON {
		lines := make([]ladderJSON, 0, len(all))
		for _, s := range all {
			lines = append(lines, ladderJSON{
				Rank: s.Rank, ID: s.Player.ID, Name: s.Player.Name, Rating: s.Rating.Value(), Deviation: s.Rating.WholeDeviation(),
				Pairs: s.Won + s.Split + s.Lost,
			})
		}
		return writeJSON(w, lines)
	}
	if len(all) == 0 {
		_, err := fmt.Fprintln(w, wording.NoLadder)
		return err
	}
	for _, s := range all {
		if _, err := fmt.Fprintln(w, wording.LadderLine(s)); err != nil {
			return err
		}
	}
	return nil
}

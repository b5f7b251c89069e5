package player

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/picture"
	"notakto/sshapp/wording"
)

const aboutShow = `Print the record of a match that is over: its variant and players, each move with the
time that it took, and how it ended.`

// recordJSON is a match as `show --json` prints it. Its fields and their order are a promise (docs/commands.md).
type recordJSON struct {
	Match   match.ID   `json:"match"`
	Variant string     `json:"variant"`
	Clock   string     `json:"clock"`
	Rated   *pairJSON  `json:"rated,omitempty"`
	Players [2]seated  `json:"players"`
	Moves   []Move     `json:"moves"`
	Winner  rules.Side `json:"winner"`
	Reason  string     `json:"reason"`
	Begun   time.Time  `json:"begun"`
	Ended   time.Time  `json:"ended"`
}

// Move is a move as `show --json` prints it. Its fields and their order are a promise (docs/commands.md).
type Move struct {
	Ply          int        `json:"ply"`
	Seat         rules.Side `json:"seat"`
	Move         string     `json:"move"`
	Milliseconds int64      `json:"ms"`
}

// pairJSON is which game of a rated pair a match is. The seed is known once the pair is over.
type pairJSON struct {
	Pair    match.ID    `json:"pair"`
	Game    int         `json:"game"`
	Opening openingJSON `json:"opening"`
}

type openingJSON struct {
	Position string `json:"position"`
	Hash     string `json:"hash"`
	Seed     string `json:"seed,omitempty"`
}

func newShow(e Env) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:     "show MATCH",
		Short:   "Print the record of a match that is over",
		Long:    aboutShow,
		Example: "ssh HOST show c6zl3rq7s7",
		Args:    Arguments(1, 1, "the name of a match that is over"),
		RunE: e.needsServer(func(cmd *cobra.Command, args []string) error {
			states, err := e.Server.history(cmd.Context(), match.ID(args[0]))
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), recordOf(states))
			}
			return recordOf(states).writeText(cmd.OutOrStdout(), &states[len(states)-1])
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", asJSON, "one JSON value")
	return cmd
}

// recordOf returns the record of a match that is over, from how it stood after each of its events.
func recordOf(states []match.State) recordJSON {
	last := states[len(states)-1]
	r := recordJSON{
		Match: last.ID, Variant: last.Variant.String(), Clock: last.Clock.String(), Rated: pairOf(&last),
		Moves: Moves(states), Winner: last.Outcome.Winner, Reason: last.Outcome.Reason.String(),
		Ended: last.EndedAt.UTC().Truncate(time.Millisecond),
	}
	for i, side := range rules.Sides() {
		r.Players[i] = seatedAs(last.SeatState(side).Player)
	}
	before := match.State{}
	for _, s := range states {
		if !before.Started() && s.Started() {
			r.Begun = s.TurnSince.UTC().Truncate(time.Millisecond)
		}
		before = s
	}
	return r
}

// pairOf returns which game of a rated pair s is, or nil.
func pairOf(s *match.State) *pairJSON {
	if !s.Pool.IsRated() {
		return nil
	}
	return &pairJSON{s.PairID(), s.Game(), openingJSON{s.Start.String(), s.OpeningHash(), s.OpeningSeed()}}
}

// Moves returns the moves of a match, from how it stood after each of its events.
func Moves(states []match.State) []Move {
	all, before := []Move{}, match.State{}
	for _, s := range states {
		for ply := len(before.Moves); ply < len(s.Moves); ply++ {
			all = append(all, Move{
				Ply: ply + 1, Seat: rules.Sides()[ply%2], Move: s.Variant.FormatMove(s.Moves[ply]),
				Milliseconds: took(&before, &s).Milliseconds(),
			})
		}
		before = s
	}
	return all
}

// took returns the time that a move took: what was charged for it in a match with a clock, else the time since the move
// before.
func took(before, after *match.State) time.Duration {
	if before.ClockRuns() {
		return after.Spent
	}
	return max(0, after.TurnSince.Sub(before.TurnSince))
}

// Text returns a move as a line, with the name of its player.
func (m Move) Text(name string) string {
	return fmt.Sprintf("%3d  %-3s  %-16s  %d.%03d s", m.Ply, m.Move, name, m.Milliseconds/1000, m.Milliseconds%1000)
}

// writeText writes the record in words. last is how the match ended.
func (r recordJSON) writeText(w io.Writer, last *match.State) error {
	_, err := fmt.Fprintf(w, "%s, %s\n%s%s against %s, %s\n", r.Match, wording.Variant(last.Variant), r.Rated.text(),
		r.Players[0].Name, r.Players[1].Name, wording.Time(r.Begun))
	for _, m := range r.Moves {
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(w, m.Text(r.Players[m.Seat-1].Name))
	}
	if err != nil {
		return err
	}
	result := wording.Result(last, wording.Name)
	if last.Outcome.IsVoid() {
		result = "Cancelled"
	}
	_, err = fmt.Fprintf(w, "%s. %s\n", result, wording.Reason(last, func(side rules.Side) string {
		return r.Players[side-1].Name
	}))
	return err
}

// text says the same in lines; nothing of a match that is not rated.
func (p *pairJSON) text() string {
	if p == nil {
		return ""
	}
	text := fmt.Sprintf("rated, game %d of the pair %s\nopening %s, hash %s",
		p.Game, p.Pair, p.Opening.Position, p.Opening.Hash)
	if p.Opening.Seed != "" {
		text += ", seed " + p.Opening.Seed
	}
	return text + "\n"
}

const aboutCard = `Print an SVG of how a match ended, for a page or a message.

Its text is text, and its colours follow the reader's preference for dark or light. It tells who was winning with
perfect play, so a player of a rated pair has to wait until that is over.`

const aboutCast = `Print a match as an asciicast, version 3: each move as a spectator saw it, at the pace of the match.

Save it, and asciinema plays it. No pause is longer than two seconds. It tells at its end who was winning with perfect
play, so a player of a rated pair has to wait until that is over.`

func newCard(e Env) *cobra.Command {
	return newShowing(e, &cobra.Command{
		Use:     "card MATCH",
		Short:   "Print a picture of how a match ended",
		Long:    aboutCard,
		Example: "ssh HOST card c6zl3rq7s7 >match.svg",
	}, picture.Card)
}

func newCast(e Env) *cobra.Command {
	return newShowing(e, &cobra.Command{
		Use:     "cast MATCH",
		Short:   "Print a match that is over as an asciicast",
		Long:    aboutCast,
		Example: "ssh HOST cast c6zl3rq7s7 >match.cast",
	}, picture.Cast)
}

// newShowing is a command that prints a match that is over, made from how it stood after each event and from the host.
func newShowing(e Env, cmd *cobra.Command, made func([]match.State, string) []byte) *cobra.Command {
	cmd.Args = Arguments(1, 1, "the name of a match that is over")
	cmd.RunE = e.needsServer(func(cmd *cobra.Command, args []string) error {
		if err := e.Server.mayAnalyse(); err != nil {
			return err
		}
		history, err := e.Server.history(cmd.Context(), match.ID(args[0]))
		if err != nil {
			return err
		}
		var picture []byte
		err = e.Server.inTurn(cmd.Context(), func() { picture = made(history, cmp.Or(e.Host, wording.NoHost)) })
		if err != nil {
			return err
		}
		_, err = cmd.OutOrStdout().Write(picture)
		return err
	})
	return cmd
}

var errNoOpponentCame = errors.New("the table was cleared before anyone came: no match was played")

// history is how a match that is over stood after each of its events until then.
func (s *Server) history(ctx context.Context, id match.ID) ([]match.State, error) {
	spectator, err := s.watch(ctx, id)
	if err != nil {
		return nil, err
	}
	defer spectator.Close()
	all, err := spectator.History(ctx)
	if err != nil {
		return nil, err
	}
	end := slices.IndexFunc(all, match.State.Over)
	if end < 0 {
		return nil, match.ErrNotOver
	}
	if !all[end].Started() {
		return nil, errNoOpponentCame
	}
	return all[:end+1], nil
}

package command

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/plain"
)

// matchAnalysis is what `analyse --match --json` prints: the analysis of the position that the match has come to, and
// the match. Its fields and their order are a promise (docs/commands.md).
type matchAnalysis struct {
	analysis
	Match played `json:"match"`
}

// played is a match that is over.
type played struct {
	ID      match.ID       `json:"id"`
	Players [2]seated      `json:"players"`
	Winner  int            `json:"winner"`
	Reason  string         `json:"reason"`
	Moves   []moveReviewOf `json:"moves"`
}

// moveReviewOf is a move with what perfect play says of it, for the player who made it.
type moveReviewOf struct {
	Ply     int      `json:"ply"`
	Seat    int      `json:"seat"`
	Move    string   `json:"move"`
	Was     string   `json:"was"`
	Verdict string   `json:"verdict"`
	Best    []string `json:"best"`
}

var errNoOpponentCame = errors.New("the table was cleared before anyone came: no match was played")

// analyseMatch goes through a match of the server's that is over.
func (d Env) analyseMatch(cmd *cobra.Command, id match.ID, asJSON bool) error {
	if d.Server == nil {
		return RuntimeError(needsServerError("analyse --match ID"))
	}
	state, err := d.Server.snapshot(cmd.Context(), id)
	switch {
	case err != nil:
		return RuntimeError(userError(err))
	case !state.Over():
		return RuntimeError(match.ErrNotOver)
	case !state.Started():
		return RuntimeError(errNoOpponentCame)
	}
	var out bytes.Buffer
	err = d.Server.inTurn(cmd.Context(), func() {
		a := strategy.Analyse(state.Position)
		if asJSON {
			_ = writeJSON(&out, matchAnalysis{analysisOf(a), playedIn(state)}) // a buffer takes all
		} else {
			fmt.Fprint(&out, strings.Join(plain.Transcript(state), "\n"), "\n", inWords(a))
		}
	})
	if err == nil {
		_, err = out.WriteTo(cmd.OutOrStdout())
	}
	return RuntimeError(err)
}

func playedIn(s match.State) played {
	all := played{ID: s.ID, Winner: int(s.Outcome.Winner), Reason: s.Outcome.Reason.String(), Moves: []moveReviewOf{}}
	for i, side := range [...]rules.Side{rules.First, rules.Second} {
		all.Players[i] = seatedAs(s.SeatState(side).Player)
	}
	for _, r := range strategy.Review(s.Start, s.Moves) {
		all.Moves = append(all.Moves, moveReviewOf{
			r.Ply, int(r.Side), s.Variant.FormatMove(r.Move), r.Before.String(), r.After.String(), moveNames(s.Variant, r.Best),
		})
	}
	return all
}

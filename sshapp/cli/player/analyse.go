package player

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/plain"
)

const aboutAnalyse = `Say who wins with perfect play, and judge every move.

A position is nine characters a board, top left cell first, the boards joined by /: X for a cross, . for a free cell,
and O for a nought of tic-tac-toe. A game is its variant, a colon and its moves. Lower case will do. A single board
without a nought counts as Notakto.

With --match a match of the server's that is over is gone through move by move.

A server analyses nothing for a player who plays a rated pair.`

var errMatchAndMore = errors.New("--match names all that is to be analysed: leave the rest out")

func newAnalyse(e Env) *cobra.Command {
	asJSON, id := false, ""
	cmd := &cobra.Command{
		Use:     "analyse POSITION|GAME",
		Aliases: []string{"analyze"},
		Short:   "Say who wins with perfect play, and every move that wins",
		Long:    aboutAnalyse,
		Example: e.Name + " analyse X......../........./...X.....\n" + e.Name + " analyse notakto/3: A5 B5 C1\n" +
			e.Name + " analyse tictactoe: 5 1 --json",
		Args: func(cmd *cobra.Command, args []string) error {
			switch given := cmd.Flags().Changed("match"); {
			case given && len(args) > 0:
				return errMatchAndMore
			case given:
				return nil
			}
			return Arguments(1, math.MaxInt, "a position or a game")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := e.Server.mayAnalyse(); err != nil {
				return RuntimeError(e.userError(err))
			}
			if cmd.Flags().Changed("match") {
				return e.analyseMatch(cmd, match.ID(id), asJSON)
			}
			p, err := readPosition(strings.Join(args, " "))
			if err != nil {
				return err
			}
			a := strategy.Analyse(p)
			if asJSON {
				return RuntimeError(writeJSON(cmd.OutOrStdout(), analysisOf(a)))
			}
			_, err = fmt.Fprint(cmd.OutOrStdout(), inWords(a))
			return RuntimeError(err)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", asJSON, "one JSON value")
	cmd.Flags().StringVar(&id, "match", id, "go through a match that is over, by its `name`; asked of a server")
	e.completeFlag(cmd, "match")
	return cmd
}

// mayAnalyse returns why the player may not be told what perfect play says: [match.ErrRated]. Without a server everyone
// may.
func (s *Server) mayAnalyse() error {
	if s != nil && s.Manager.PlaysRated(s.Player.ID) {
		return match.ErrRated
	}
	return nil
}

// readPosition reads a position, or a game for the position that it has come to.
func readPosition(text string) (rules.Position, error) {
	text = strings.TrimSpace(text)
	if strings.Contains(text, ":") {
		game, err := rules.ParseGame(text)
		return game.Position, err
	}
	name, _, _ := strings.Cut(text, " ")
	switch v, err := rules.ParseVariant(name); {
	case err == nil:
		moves := "A5 A1"
		if v.IsTicTacToe() {
			moves = "5 1"
		}
		return rules.Position{}, fmt.Errorf("the position is missing in %.80q: write the moves behind a colon, such as "+
			"\"%s: %s\", or the boards, such as \"X......../.........\"", text, v, moves)
	case strings.HasPrefix(strings.ToLower(name), "notakto"):
		return rules.Position{}, err
	}
	if text == "" || strings.Trim(text, "XxOo./") != "" && !strings.ContainsAny(text, "./") {
		return rules.Position{}, fmt.Errorf("%.80q is neither a position, such as X......../........., nor a game, "+
			"such as notakto/2: A5 B1", text)
	}
	return rules.ParsePosition(text)
}

// analysis is what `analyse --json` prints. Its fields and their order are a promise (docs/commands.md).
type analysis struct {
	Variant  string        `json:"variant"`
	Position string        `json:"position"`
	Turn     int           `json:"turn"`
	Verdict  string        `json:"verdict"`
	Winning  []string      `json:"winning_moves"`
	Moves    []moveVerdict `json:"moves"`
	Over     bool          `json:"over"`
	Winner   *int          `json:"winner,omitempty"` // only when the game is over
}

type moveVerdict struct {
	Move    string `json:"move"`
	Verdict string `json:"verdict"`
}

func analysisOf(a strategy.Analysis) analysis {
	outcome := a.Position.Outcome()
	all := analysis{
		Variant:  a.Position.Variant().String(),
		Position: a.Position.String(),
		Turn:     int(a.Position.Turn()),
		Verdict:  a.Verdict.String(),
		Winning:  moveNames(a.Position.Variant(), a.Winning()),
		Moves:    []moveVerdict{},
		Over:     outcome.Over(),
	}
	for _, m := range a.Moves {
		all.Moves = append(all.Moves, moveVerdict{a.Position.Variant().FormatMove(m.Move), m.Verdict.String()})
	}
	if all.Over {
		all.Winner = new(int(outcome.Winner))
	}
	return all
}

// moveNames is never nil, which JSON would have as null.
func moveNames(v rules.Variant, moves []rules.Move) []string {
	written := make([]string, 0, len(moves))
	for _, m := range moves {
		written = append(written, v.FormatMove(m))
	}
	return written
}

// inWords is an analysis in plain sentences, a line each.
func inWords(a strategy.Analysis) string {
	var text strings.Builder
	say := func(format string, values ...any) { fmt.Fprintf(&text, format+"\n", values...) }
	p := a.Position
	say("Position %s of %s.", p, gameName(p.Variant()))
	turn := p.Turn()
	switch outcome := p.Outcome(); {
	case outcome.Reason == rules.Draw:
		say("The game is over. It is a draw.")
		return text.String()
	case outcome.Over():
		say("The game is over. Player %d has won.", outcome.Winner)
		return text.String()
	case a.Verdict == strategy.Win:
		say("Player %d is to move and wins with perfect play.", turn)
	case a.Verdict == strategy.Draw:
		say("Player %d is to move. With perfect play it is a draw.", turn)
	default:
		say("Player %d is to move and loses to perfect play.", turn)
	}
	named := 0
	for _, kind := range []struct {
		verdict strategy.Verdict
		verb    string
	}{{strategy.Win, "win"}, {strategy.Draw, "draw"}, {strategy.Loss, "lose"}} {
		var moves []string
		for _, m := range a.Moves {
			if m.Verdict == kind.verdict {
				moves = append(moves, p.Variant().FormatMove(m.Move))
			}
		}
		switch named += len(moves); {
		case len(moves) == 0:
		case len(moves) == len(a.Moves):
			say("All moves %s.", kind.verb)
		case named == len(a.Moves) && len(moves) > 1:
			say("All others %s.", kind.verb)
		default:
			say("Moves that %s: %s.", kind.verb, strings.Join(moves, ", "))
		}
	}
	return text.String()
}

// gameName is a variant as people say it.
func gameName(v rules.Variant) string {
	switch {
	case v.IsTicTacToe():
		return "tic-tac-toe"
	case v.Boards() == 1:
		return "Notakto on 1 board"
	default:
		return fmt.Sprintf("Notakto on %d boards", v.Boards())
	}
}

// matchAnalysis is what `analyse --match --json` prints: the analysis of the position that the match has come to, and
// the match. Its fields and their order are a promise (docs/commands.md).
type matchAnalysis struct {
	analysis
	Match played `json:"match"`
}

// played is a match that is over.
type played struct {
	ID      match.ID     `json:"id"`
	Players [2]seated    `json:"players"`
	Winner  int          `json:"winner"`
	Reason  string       `json:"reason"`
	Moves   []moveReview `json:"moves"`
}

// moveReview is a move with what perfect play says of it, for the player who made it.
type moveReview struct {
	Ply     int      `json:"ply"`
	Seat    int      `json:"seat"`
	Move    string   `json:"move"`
	Was     string   `json:"was"`
	Verdict string   `json:"verdict"`
	Best    []string `json:"best"`
}

// analyseMatch goes through a match of the server's that is over.
func (e Env) analyseMatch(cmd *cobra.Command, id match.ID, asJSON bool) error {
	if e.Server == nil {
		return RuntimeError(needsServerError("analyse --match ID"))
	}
	state, err := e.Server.snapshot(cmd.Context(), id)
	switch {
	case err != nil:
		return RuntimeError(e.userError(err))
	case !state.Over():
		return RuntimeError(match.ErrNotOver)
	case !state.Started():
		return RuntimeError(errNoOpponentCame)
	}
	var out bytes.Buffer
	err = e.Server.inTurn(cmd.Context(), func() {
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
	all := played{ID: s.ID, Winner: int(s.Outcome.Winner), Reason: s.Outcome.Reason.String(), Moves: []moveReview{}}
	for i, side := range [...]rules.Side{rules.First, rules.Second} {
		all.Players[i] = seatedAs(s.SeatState(side).Player)
	}
	for _, r := range strategy.Review(s.Start, s.Moves) {
		all.Moves = append(all.Moves, moveReview{
			r.Ply, int(r.Side), s.Variant.FormatMove(r.Move), r.Before.String(), r.After.String(), moveNames(s.Variant, r.Best),
		})
	}
	return all
}

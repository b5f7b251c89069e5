package player

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/pflag"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/cli"
	"notakto/sshapp/plain"
	"notakto/sshapp/wire"
)

const aboutAnalyse = `Say who wins with perfect play, and judge every move.

A position is nine characters a board, top left cell first, the boards joined by /: X for a cross, . for a free cell,
and O for a nought of tic-tac-toe. A game is its variant, a colon and its moves. Lower case works too. A single
board without a nought counts as Notakto.

With --match, a server goes through one of its finished matches, move by move.

A server analyses nothing for you while you play a rated pair. With a clock of
days, it analyses all but the positions of the pair and of its next move.`

var errMatchAndMore = errors.New("--match names the match: leave positions and games out")

func (e Env) analyse() cli.Command {
	id := ""
	return cli.Command{
		Use: "analyse POSITION|GAME", Aliases: []string{"analyze"},
		Short: "Say who wins with perfect play, and every move that wins", Long: aboutAnalyse, JSON: true,
		Example: e.Name + " analyse X......../........./...X.....\n" + e.Name + " analyse notakto/3: A5 B5 C1\n" +
			e.Name + " analyse tictactoe: 5 1 --json",
		Choices: map[string][]string{"match": nil},
		Flags: func(f *pflag.FlagSet) {
			f.StringVar(&id, "match", id, "go through a finished match, by its `name`; at a server only")
		},
		Args: func(c *cli.Call, args []string) error {
			switch given := c.Flags.Changed("match"); {
			case given && len(args) > 0:
				return errMatchAndMore
			case given:
				return nil
			}
			return cli.ArgumentRange(1, math.MaxInt, "a position or a game")(c, args)
		},
		Run: func(ctx context.Context, c *cli.Call, args []string) (cli.Answer, error) {
			if c.Flags.Changed("match") {
				return e.analyseMatch(ctx, match.ID(id))
			}
			p, err := readPosition(strings.Join(args, " "))
			if err != nil {
				return cli.Answer{}, cli.Usage(err)
			}
			if err := e.Server.checkAnalysis(p); err != nil {
				return cli.Answer{}, UserError(err, e.Host)
			}
			a := strategy.Analyse(p)
			return cli.Answer{JSON: newAnalysis(a), Text: func(say cli.Say) { sayAnalysis(say, a) }}, nil
		},
	}
}

// checkAnalysis returns [match.ErrRated] if the player of a rated pair must not learn of perfect play in the positions
// shown (see [manager.Manager.PlaysRated]). Without a server there is no error.
func (s *Server) checkAnalysis(shown ...rules.Position) error {
	if s != nil && s.Manager.PlaysRated(s.Player.ID, shown...) {
		return match.ErrRated
	}
	return nil
}

// readPosition parses a position or a game. Of a game it returns the last position.
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
		return rules.Position{}, fmt.Errorf("the position is missing in %.80q: write the moves after a colon, such as "+
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

// analysis is the answer of "analyse".
type analysis struct {
	Variant  string        `json:"variant"`
	Position string        `json:"position"`
	Turn     int           `json:"turn"`
	Verdict  string        `json:"verdict"`
	Winning  []string      `json:"winning_moves"`
	Moves    []moveVerdict `json:"moves"`
	Over     bool          `json:"over"`
	Winner   *int          `json:"winner,omitempty"` // only of a finished game
}

type moveVerdict struct {
	Move    string `json:"move"`
	Verdict string `json:"verdict"`
}

func newAnalysis(a strategy.Analysis) analysis {
	outcome := a.Position.Outcome()
	all := analysis{
		Variant:  a.Position.Variant().String(),
		Position: a.Position.String(),
		Turn:     int(a.Position.Turn()),
		Verdict:  a.Verdict.String(),
		Winning:  moveNames(a.Position.Variant(), a.WinningMoves()),
		Moves:    []moveVerdict{},
		Over:     outcome.IsOver(),
	}
	for _, m := range a.Moves {
		all.Moves = append(all.Moves, moveVerdict{a.Position.Variant().FormatMove(m.Move), m.Verdict.String()})
	}
	if all.Over {
		all.Winner = new(int(outcome.Winner))
	}
	return all
}

func sayAnalysis(say cli.Say, a strategy.Analysis) {
	p := a.Position
	game := fmt.Sprintf("Notakto on %d boards", p.Variant().Boards())
	switch {
	case p.Variant().IsTicTacToe():
		game = "tic-tac-toe"
	case p.Variant().Boards() == 1:
		game = "Notakto on 1 board"
	}
	say("Position %s of %s.", p, game)
	turn := p.Turn()
	switch outcome := p.Outcome(); {
	case outcome.Reason == rules.ReasonDraw:
		say("The game is over. It is a draw.")
		return
	case outcome.IsOver():
		say("The game is over. Player %d has won.", outcome.Winner)
		return
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
}

// matchAnalysis is the answer of "analyse --match". The analysis is of the match's last position.
type matchAnalysis struct {
	analysis
	Match finishedMatch `json:"match"`
}

type finishedMatch struct {
	ID      match.ID       `json:"id"`
	Players [2]wire.Player `json:"players"`
	Winner  int            `json:"winner"`
	Reason  string         `json:"reason"`
	Moves   []moveReview   `json:"moves"`
}

// moveReview is a move with its verdicts before and after, from the view of the player of the move.
type moveReview struct {
	Ply           int      `json:"ply"`
	Seat          int      `json:"seat"`
	Move          string   `json:"move"`
	VerdictBefore string   `json:"was"`
	Verdict       string   `json:"verdict"`
	Best          []string `json:"best"`
}

func (e Env) analyseMatch(ctx context.Context, id match.ID) (answer cli.Answer, err error) {
	if e.Server == nil {
		return answer, needsServerError("analyse --match ID")
	}
	state, err := e.Server.snapshot(ctx, id)
	if err == nil {
		err = e.Server.checkAnalysis(state.Positions()...)
	}
	switch {
	case err != nil:
		return answer, UserError(err, e.Host)
	case !state.IsOver():
		return answer, match.ErrNotOver
	case !state.HasStarted():
		return answer, errNoOpponentCame
	}
	err = e.Server.runInTurn(ctx, func() {
		a := strategy.Analyse(state.Position)
		all := matchAnalysis{newAnalysis(a), finishedMatch{
			ID: state.ID, Players: wire.NewPlayers(&state), Winner: int(state.Outcome.Winner),
			Reason: state.Outcome.Reason.String(), Moves: []moveReview{},
		}}
		for _, r := range strategy.Review(state.Start, state.Moves) {
			all.Match.Moves = append(all.Match.Moves, moveReview{
				r.Ply, int(r.Side), state.Variant.FormatMove(r.Move), r.VerdictBefore.String(), r.VerdictAfter.String(),
				moveNames(state.Variant, r.Best),
			})
		}
		transcript := plain.Transcript(state)
		answer = cli.Answer{JSON: all, Text: func(say cli.Say) {
			say("%s", strings.Join(transcript, "\n"))
			sayAnalysis(say, a)
		}}
	})
	return answer, err
}

// moveNames returns the notation of moves. An empty list is not nil, because JSON would have null.
func moveNames(v rules.Variant, moves []rules.Move) []string {
	written := make([]string, 0, len(moves))
	for _, m := range moves {
		written = append(written, v.FormatMove(m))
	}
	return written
}

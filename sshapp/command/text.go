package command

import (
	"fmt"
	"strings"

	"notakto/rules"
	"notakto/rules/strategy"
)

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
		moves := moveVerdictOf(a, kind.verdict)
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

func moveVerdictOf(a strategy.Analysis, verdict strategy.Verdict) []string {
	var moves []string
	for _, m := range a.Moves {
		if m.Verdict == verdict {
			moves = append(moves, a.Position.Variant().FormatMove(m.Move))
		}
	}
	return moves
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

package strategy

import "notakto/rules"

// perfect lists the moves that the perfect player considers equally good: those that win; if none does, those that
// draw; in a lost game those that leave the opponent the fewest winning replies, and never one that ends the game if
// another does not. In tic-tac-toe a line that can be completed is: other ways to win come after it.
func perfect(p rules.Position) shortlist {
	if p.Variant().IsTicTacToe() {
		return perfectTicTacToe(p)
	}
	s := newSum(p)
	return s.best()
}

func perfectTicTacToe(p rules.Position) shortlist {
	var list shortlist
	for _, m := range p.Legal() {
		list.offer(m, ticTacToeCost(after(p, m)))
	}
	return list
}

// ticTacToeCost rates p for the side that has just moved; lower is better: 0 for a completed line, then a win, a draw,
// and a loss by the number of replies that win.
func ticTacToeCost(p rules.Position) int {
	switch verdict := Evaluate(p); {
	case p.Outcome().Reason == rules.Line:
		return 0
	case verdict == Loss:
		return 1
	case verdict == Draw:
		return 2
	default:
		return 2 + len(Analyse(p).Winning())
	}
}

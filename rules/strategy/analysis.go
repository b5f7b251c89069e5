package strategy

import "notakto/rules"

// Judged is a move and its verdict for the side that plays it.
type Judged struct {
	Move    rules.Move
	Verdict Verdict
}

// Analysis is what perfect play makes of a position: the verdict for the side to move, and that of each move it has, in board, then cell
// order. A finished game has no moves.
type Analysis struct {
	Position rules.Position
	Verdict  Verdict
	Moves    []Judged
}

// Winning lists the moves that win, in the order of Moves.
func (a Analysis) Winning() []rules.Move {
	var winning []rules.Move
	for _, judged := range a.Moves {
		if judged.Verdict == Win {
			winning = append(winning, judged.Move)
		}
	}
	return winning
}

// Judge is the verdict for the side to move, or, in a finished game, for the side that would have moved next. It takes well under a
// microsecond and no search, whatever the number of boards.
func Judge(p rules.Position) Verdict {
	switch v := p.Variant(); {
	case !v.Valid():
		return 0
	case v.IsTicTacToe():
		return ticTacToe()[p]
	default:
		s := newSum(p)
		return s.verdict()
	}
}

// Analyse judges p and every legal move in it.
func Analyse(p rules.Position) Analysis {
	a := Analysis{Position: p, Verdict: Judge(p)}
	for _, m := range p.Legal() {
		a.Moves = append(a.Moves, Judged{Move: m, Verdict: judgeMove(p, m)})
	}
	return a
}

// judgeMove is the verdict of a legal move for the side that plays it.
func judgeMove(p rules.Position, m rules.Move) Verdict {
	return Judge(after(p, m)).forOpponent()
}

// after is the position after a legal move.
func after(p rules.Position, m rules.Move) rules.Position {
	next, _ := p.Play(m)
	return next
}

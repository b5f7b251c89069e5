package strategy

import "notakto/rules"

// Verdict says how a game ends for one side with perfect play of both. The zero value is none.
type Verdict uint8

// The verdicts, worst first.
const (
	Loss Verdict = iota + 1
	Draw
	Win
)

var verdictNames = [...]string{Win: "win", Loss: "loss", Draw: "draw"}

// String returns the verdict's name in the protocol, or "" for none.
func (v Verdict) String() string {
	if int(v) < len(verdictNames) {
		return verdictNames[v]
	}
	return ""
}

// forOpponent returns the verdict from the other side's view.
func (v Verdict) forOpponent() Verdict {
	switch v {
	case Win:
		return Loss
	case Loss:
		return Win
	default:
		return v
	}
}

// MoveVerdict is a move and its verdict for the side that plays it.
type MoveVerdict struct {
	Move    rules.Move
	Verdict Verdict
}

// Analysis holds the verdict of a position for the side to move, and that of each legal move, in board, then cell
// order. A finished game has no moves.
type Analysis struct {
	Position rules.Position
	Verdict  Verdict
	Moves    []MoveVerdict
}

// Winning lists the moves that win, in the order of Moves.
func (a Analysis) Winning() []rules.Move {
	var winning []rules.Move
	for _, verdict := range a.Moves {
		if verdict.Verdict == Win {
			winning = append(winning, verdict.Move)
		}
	}
	return winning
}

// Evaluate returns the verdict for the side to move, or, in a finished game, for the side that would have moved next.
// It takes well under a microsecond and no search, whatever the number of boards.
func Evaluate(p rules.Position) Verdict {
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
	a := Analysis{Position: p, Verdict: Evaluate(p)}
	for _, m := range p.Legal() {
		a.Moves = append(a.Moves, MoveVerdict{Move: m, Verdict: evaluateMove(p, m)})
	}
	return a
}

// evaluateMove returns the verdict of a legal move for the side that plays it.
func evaluateMove(p rules.Position, m rules.Move) Verdict {
	return Evaluate(after(p, m)).forOpponent()
}

// after returns the position after a legal move.
func after(p rules.Position, m rules.Move) rules.Position {
	next, _ := p.Play(m)
	return next
}

package strategy

import "notakto/rules"

// Verdict is the result of perfect play for one side, the worst first. The zero value is no verdict.
type Verdict uint8

// The verdicts.
const (
	Loss Verdict = iota + 1
	Draw
	Win
)

var verdictNames = [...]string{Win: "win", Loss: "loss", Draw: "draw"}

// String returns the verdict's name in the protocol, or "" for zero.
func (v Verdict) String() string {
	if int(v) < len(verdictNames) {
		return verdictNames[v]
	}
	return ""
}

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

// Analysis holds the verdicts of a position and of its legal moves, for the side to move. Moves has the order of
// [rules.Position.LegalMoves]. A finished game has no moves.
type Analysis struct {
	Position rules.Position
	Verdict  Verdict
	Moves    []MoveVerdict
}

// WinningMoves lists the moves that win, in the order of Moves.
func (a Analysis) WinningMoves() []rules.Move {
	var winning []rules.Move
	for _, m := range a.Moves {
		if m.Verdict == Win {
			winning = append(winning, m.Move)
		}
	}
	return winning
}

// Evaluate returns the verdict for the side to move, or, in a finished game, for the side that would have moved next.
// Evaluate returns zero for an invalid variant, and for a position of tic-tac-toe that no game reaches.
//
// The first call for a game builds tables. Later calls take well under a microsecond for any number of boards, because
// Evaluate does not search.
func Evaluate(p rules.Position) Verdict {
	switch v := p.Variant(); {
	case !v.IsValid():
		return 0
	case v.IsTicTacToe():
		return ticTacToe()[p]
	default:
		s := newSum(p)
		return s.verdict()
	}
}

// Analyse evaluates p and every legal move in it.
func Analyse(p rules.Position) Analysis {
	a := Analysis{Position: p, Verdict: Evaluate(p)}
	for _, m := range p.LegalMoves() {
		a.Moves = append(a.Moves, MoveVerdict{Move: m, Verdict: evaluateMove(p, m)})
	}
	return a
}

func evaluateMove(p rules.Position, m rules.Move) Verdict {
	return Evaluate(after(p, m)).forOpponent()
}

// after returns the position after a legal move.
func after(p rules.Position, m rules.Move) rules.Position {
	next, err := p.Play(m)
	if err != nil {
		panic(err) // the callers pass only legal moves
	}
	return next
}

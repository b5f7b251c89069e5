package strategy

import "notakto/rules"

// Reason is why a position is lost for the side to move, in terms that can be checked on the boards.
type Reason uint8

// The reasons. ByTheory is any other: the side to move loses, but it takes more than a look to see it.
const (
	ByTheory   Reason = iota
	NoSafeCell        // one board is alive, and every free cell of it kills it
	Paired            // one board is alive; whatever safe cell is taken, the answer leaves none
	IsOver            // the game is over
)

// Why is a reason for which a position is lost. Board is the only board alive with [NoSafeCell] and [Paired].
type Why struct {
	Reason Reason
	Board  int
}

// WhyLost says why a position of Notakto is lost for the side to move, which it has to be.
func WhyLost(p rules.Position) Why {
	switch {
	case p.Outcome().Over():
		return Why{Reason: IsOver}
	case p.Alive() != 1 || p.Variant().IsTicTacToe():
		return Why{}
	}
	board := 0
	for p.Dead(board) {
		board++
	}
	safe := safeMoves(p)
	if len(safe) == 0 {
		return Why{NoSafeCell, board}
	}
	for _, m := range safe {
		if !canLeaveNoSafeCell(after(p, m)) {
			return Why{}
		}
	}
	return Why{Paired, board}
}

// safeMoves are the moves that kill no board.
func safeMoves(p rules.Position) []rules.Move {
	var safe []rules.Move
	for _, m := range p.Legal() {
		if !after(p, m).Dead(int(m.Board)) {
			safe = append(safe, m)
		}
	}
	return safe
}

func canLeaveNoSafeCell(p rules.Position) bool {
	for _, m := range safeMoves(p) {
		if len(safeMoves(after(p, m))) == 0 {
			return true
		}
	}
	return false
}

// Refutation returns a move that wins after a slip, the first in the order of boards and cells; false if there is none.
func (r MoveReview) Refutation() (rules.Move, bool) {
	if r.After != Loss || r.Position.Outcome().Over() {
		return rules.Move{}, false
	}
	for _, m := range Analyse(r.Position).Moves {
		if m.Verdict == Win {
			return m.Move, true
		}
	}
	return rules.Move{}, false
}

package rules

// Side is one of the two players. First makes the first move.
type Side uint8

// The sides. NoSide is the winner of a draw and of a game in progress.
const (
	NoSide Side = iota
	First
	Second
)

// Other returns the opponent's side, or [NoSide] for [NoSide].
func (s Side) Other() Side {
	switch s {
	case First:
		return Second
	case Second:
		return First
	default:
		return NoSide
	}
}

// Sides returns the two sides, in the order of their first moves.
func Sides() [2]Side { return [2]Side{First, Second} }

// IsValid reports whether s is one of the two sides.
func (s Side) IsValid() bool { return s == First || s == Second }

// Reason says how a game ended.
type Reason uint8

// The reasons. ReasonBoards, ReasonLine and ReasonDraw follow from the position, all later ones from acts of players or
// an operator.
const (
	Unfinished      Reason = iota
	ReasonBoards           // Notakto: The last board is dead, and its killer has lost.
	ReasonLine             // tic-tac-toe: Three marks stand in a row.
	ReasonDraw             // tic-tac-toe: No cell is free.
	ReasonResign           // a player resigned
	ReasonTime             // a player ran out of time
	ReasonAbandoned        // a player stayed away for too long
	ReasonOperator         // the operator of the server ended the game
)

var reasonNames = [...]string{"unfinished", "boards", "line", "draw", "resign", "time", "abandoned", "operator"}

// String returns the reason's name in the bot protocol.
func (r Reason) String() string {
	if int(r) < len(reasonNames) {
		return reasonNames[r]
	}
	return "unknown"
}

// Outcome has the winner of a game and the reason for its end. The zero value is a game in progress.
type Outcome struct {
	Winner Side
	Reason Reason
}

// IsVoid reports whether the game has ended without a result, because a player never moved or did not come back, or
// because the operator ended it.
func (o Outcome) IsVoid() bool {
	return (o.Reason == ReasonAbandoned || o.Reason == ReasonOperator) && o.Winner == NoSide
}

// IsOver reports whether the game has ended.
func (o Outcome) IsOver() bool { return o.Reason != Unfinished }

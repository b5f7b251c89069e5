package rules

// Side is one of the two players. First makes the first move.
type Side uint8

// The sides. Nobody is the winner of a draw and of a game in progress.
const (
	Nobody Side = iota
	First
	Second
)

// Other returns the opponent's side, or [Nobody] for [Nobody].
func (s Side) Other() Side {
	switch s {
	case First:
		return Second
	case Second:
		return First
	default:
		return Nobody
	}
}

// Sides returns the two sides, in the order in which they move.
func Sides() [2]Side { return [2]Side{First, Second} }

// Valid reports whether s is one of the two sides.
func (s Side) Valid() bool { return s == First || s == Second }

// Reason says how a game ended.
type Reason uint8

// The reasons. Boards, Line and Draw follow from the position. The others follow from what players or an operator do.
const (
	Unfinished Reason = iota
	Boards            // Notakto: the last board is dead, and the player who completed it lost
	Line              // tic-tac-toe: three in a row
	Draw              // tic-tac-toe: no free cell left
	Resign            // a player resigned
	Time              // a player ran out of time
	Abandoned         // a player stayed away for too long
	Operator          // the operator of the server ended the game
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
	return (o.Reason == Abandoned || o.Reason == Operator) && o.Winner == Nobody
}

// Over reports whether the game has ended.
func (o Outcome) Over() bool { return o.Reason != Unfinished }

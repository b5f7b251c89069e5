package rules

// Reason is how a game ended.
type Reason uint8

// The reasons. Boards, Line and Draw follow from the position; the others from the players' actions.
const (
	Unfinished Reason = iota
	Boards            // Notakto: the last board is dead; the player who completed it lost
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

// Outcome is who won and how. The zero value is a game in progress.
type Outcome struct {
	Winner Side
	Reason Reason
}

// IsVoid reports whether the game has ended without a result: a player of it never moved or did not come back, or the
// operator ended it, and neither has lost.
func (o Outcome) IsVoid() bool {
	return (o.Reason == Abandoned || o.Reason == Operator) && o.Winner == Nobody
}

// Over reports whether the game has ended.
func (o Outcome) Over() bool { return o.Reason != Unfinished }

package history

import (
	"fmt"

	"notakto/match"
)

// Kind is the kind of a fault.
type Kind string

// The kinds of fault.
const (
	Lost        Kind = "lost"        // a move that a client received is not in a later event of its match
	Vanished    Kind = "vanished"    // a match that had started is unknown
	Unlisted    Kind = "unlisted"    // a match in progress is not in its player's welcome
	Split       Kind = "split"       // two clients received different histories of one match
	Twice       Kind = "twice"       // a move, or an end, was received twice
	Illegal     Kind = "illegal"     // the rules do not allow it
	Unrequested Kind = "unrequested" // a move of a player who did not request it, or was refused
	Gap         Kind = "gap"         // moves of a session are missing
	WrongEnd    Kind = "wrong end"   // it follows neither from the position nor from what a player sent
	Unfinished  Kind = "unfinished"  // a match that had started never ended
	Deserted    Kind = "deserted"    // a match was abandoned although its loser kept reconnecting
	Stalled     Kind = "stalled"     // no move at a node, or no result of a seek, for longer than the limit
	Unpaired    Kind = "unpaired"    // a rated pair without its second game, with two, or with one that is no sibling
	Doubled     Kind = "doubled"     // a player has more opponents in rated pairs than times the player sought one
	Untold      Kind = "untold"      // a client was not told for a long time that nothing can be recorded
	Charged     Kind = "charged"     // a player was charged for time in which nothing could be recorded
	Garbled     Kind = "garbled"     // not a line of the protocol, or one that this session cannot receive
)

// Fault is one fault, and its position in the record.
type Fault struct {
	Kind  Kind
	Match match.ID
	Entry int64
	Text  string
}

// String returns the fault as one line.
func (f Fault) String() string {
	return fmt.Sprintf("%s: match %s, entry %d: %s", f.Kind, f.Match, f.Entry, f.Text)
}

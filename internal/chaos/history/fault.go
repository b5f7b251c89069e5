package history

import (
	"fmt"

	"notakto/match"
)

// Kind is what is wrong with a record.
type Kind string

// The kinds of fault.
const (
	Lost        Kind = "lost"        // a move that a client received is not in a later event of its match
	Vanished    Kind = "vanished"    // a match that had begun is not known any more
	Unlisted    Kind = "unlisted"    // a match that is on is not in its player's welcome
	Split       Kind = "split"       // two clients received different histories of one match
	Twice       Kind = "twice"       // a move, or an end, came twice
	Illegal     Kind = "illegal"     // the rules do not allow it
	Unrequested Kind = "unrequested" // a move in the name of a player who did not ask for it, or was refused
	Gap         Kind = "gap"         // the moves of a session have a hole
	WrongEnd    Kind = "wrong end"   // not what the rules make of the position, nor what a player sent
	Unfinished  Kind = "unfinished"  // a match that had begun never ended
	Deserted    Kind = "deserted"    // a match ended as abandoned though its loser kept coming back
	Stalled     Kind = "stalled"     // no move at a node, or nothing came of a seek, for longer than the limit
	Garbled     Kind = "garbled"     // not a line of the protocol, or one that this session cannot receive
)

// Fault is one thing that is wrong, and where the record shows it.
type Fault struct {
	Kind  Kind
	Match match.ID
	Entry int64
	Text  string
}

// String returns the fault in one line.
func (f Fault) String() string {
	return fmt.Sprintf("%s: match %s, entry %d: %s", f.Kind, f.Match, f.Entry, f.Text)
}

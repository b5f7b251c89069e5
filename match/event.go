package match

import (
	"time"

	"notakto/rules"
)

// ID names a match: ten characters of lower-case base32, drawn at random.
type ID string

// Kind is what an [Event] tells.
type Kind uint8

// The kinds of event, with the fields that each one uses beside Match, Seq and At.
const (
	Opened    Kind = iota + 1 // a table was opened: Terms, Origin, Code (of a private table)
	Seated                    // a player took a seat: Seat, Player, Code (a guest's way back), Node
	Moved                     // Seat, Move
	Resigned                  // Seat gave up
	Left                      // the last session of Seat's player went away
	Returned                  // Seat's player is back: Node
	NoShow                    // Seat's player never came to the table and counts as away since the seat was taken
	Forfeited                 // Seat's player stayed away for longer than the grace and has lost
	Offered                   // Seat wants a rematch
	Rematched                 // both wanted one: Next is the new match
	Cancelled                 // the table was cleared before a second player came

	Overdue // Seat's player did not move in time: the match is void if it was the first move, else lost

	// LastKind is the newest kind that this version knows.
	LastKind = Overdue
)

// Origin is how the players of a match met. A rematch has that of the match before.
type Origin uint8

// The origins.
const (
	UnknownOrigin  Origin = iota // an older version recorded the match, which was no private one
	QueueOrigin                  // in the queue
	PrivateOrigin                // by the code of a private table
	ComputerOrigin               // one of them is the computer

	// LastOrigin is the newest that this version knows.
	LastOrigin = ComputerOrigin
)

// Event is one entry of a match's log. Events are values and are never changed once they are recorded.
type Event struct {
	Terms
	Match  ID
	Seq    uint64    // 1 for the first event of its match, then without gaps
	At     time.Time // given by the journal
	Kind   Kind
	Seat   rules.Side
	Player Player
	Move   rules.Move
	Origin Origin
	Code   Code
	Next   ID
	Node   Node
}

// Node names one run of one server: drawn anew at each start, so that a server which comes back does not take itself
// for the one that was there before.
type Node string

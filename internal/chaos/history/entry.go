package history

import (
	"encoding/json"
	"time"
)

// What is what an [Entry] is about.
type What string

// The entries. The first four are a client's, the last one is of whoever makes the faults.
const (
	Opened   What = "opened"   // a connection is open: Note is where to
	Sent     What = "sent"     // a line is about to be sent
	Received What = "received" // a line has been read
	Cut      What = "cut"      // the connection is over: Note says why
	Done     What = "done"     // something was done to a server: Note
)

// What the notes of a [Done] entry begin with, where the checker has to know.
const (
	Started = "started" // a server process: from here on it can be reached
	Quiet   = "quiet"   // nothing is begun and nothing broken any more
)

// Entry is one line of a record. Whatever has a smaller number happened before; a line that is sent has its number
// before it is written, one that is received after it was read.
type Entry struct {
	N    int64           `json:"n"`
	At   time.Duration   `json:"at"` // since the record began
	Who  string          `json:"who,omitempty"`
	Link int             `json:"link,omitempty"` // a connection; no two have the same number
	What What            `json:"what"`
	Line json.RawMessage `json:"line,omitempty"`
	Note string          `json:"note,omitempty"`
	// Limit, of a [Done] entry, is how long from here to the next one a node with players may be without a move. While
	// there is one, a seek is answered, and two seeks of one variant are paired, within 15 seconds. 0 is no limit.
	Limit time.Duration `json:"limit,omitempty"`
}

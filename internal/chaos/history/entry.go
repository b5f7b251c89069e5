package history

import (
	"encoding/json"
	"time"
)

// What is the kind of an [Entry].
type What string

// The kinds. The first four are a client's, the last one is of the tool that makes the faults.
const (
	Opened   What = "opened"   // a connection is open: Note is its server
	Sent     What = "sent"     // a line is about to be sent
	Received What = "received" // a line has been read
	Cut      What = "cut"      // the connection has ended: Note is the reason
	Done     What = "done"     // something was done to a server: Note
)

// Beginnings of the notes of [Done] entries that the checker recognises.
const (
	Started = "started" // a server process: from now on it can be reached
	Quiet   = "quiet"   // nothing is started and nothing broken any more
)

// Entry is one line of a record. An entry with a smaller number happened before; a sent line gets its number before it
// is written, a received one after it was read.
type Entry struct {
	N    int64           `json:"n"`
	At   time.Duration   `json:"at"` // since the record began
	Who  string          `json:"who,omitempty"`
	Link int             `json:"link,omitempty"` // a connection; numbers are unique
	What What            `json:"what"`
	Line json.RawMessage `json:"line,omitempty"`
	Note string          `json:"note,omitempty"`
	// Limit, of a [Done] entry, is how long from here to the next one a server with players may go without a move. While
	// there is one, a seek is answered, and two seeks of one variant are paired, within 15 seconds. 0 is no limit. It is
	// not for the server that Who names.
	Limit time.Duration `json:"limit,omitempty"`
	// Out, of a [Done] entry, says that from here to the next one no server can record anything.
	Out bool `json:"out,omitempty"`
}

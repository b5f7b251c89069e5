// Package history records the lines that clients send and receive, and checks that no match in them was lost, had two
// histories or broke the rules. The package never queries a server. Only lines that a client received count.
//
// A [Book] writes each [Entry] as it happens. Bots of internal/chaos/load write most entries, and internal/chaos adds
// one for each fault that it makes. [Read] and [Check] read the record after the run, and need no server. Check folds
// the events of all clients into one history for each match, and returns a [Verdict] with each [Fault].
//
// Order decides what a client must know. A sent line is numbered before it is written, and a received one after it
// was read. With one server, an answer must contain the events that any client received before the request.
//
// The package starts no goroutine.
package history

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"sync"
	"time"
)

// What is the kind of an [Entry].
type What string

// The kinds. A client adds the first four, the tool that makes the faults adds Done.
const (
	Opened   What = "opened"   // Note is the server of the new connection
	Sent     What = "sent"     // a line is about to be sent
	Received What = "received" // a line has been read
	Cut      What = "cut"      // Note is the reason why the connection has ended
	Done     What = "done"     // a server was harmed or started, as Note says
)

// [Check] recognises [Done] entries with a Note that begins with Started or equals Quiet.
const (
	Started = "started" // a server process begins
	Quiet   = "quiet"   // no further match is started and no further fault made
)

// Entry is one line of a record. Numbers follow the order of events. A sent line is numbered before it is written, a
// received one after it was read.
type Entry struct {
	N    int64           `json:"n"`
	At   time.Duration   `json:"at"` // since the record began
	Who  string          `json:"who,omitempty"`
	Link int             `json:"link,omitempty"` // number of the connection, unique in the record
	What What            `json:"what"`
	Line json.RawMessage `json:"line,omitempty"`
	Note string          `json:"note,omitempty"`
	// Limit of a [Done] entry is the longest time that a server with players may go without a move, until the next Done
	// entry. The server named in Who is exempt. Under a limit a server must also answer a seek, and pair two seeks of
	// one variant, within seekLimit. Zero means no limit.
	Limit time.Duration `json:"limit,omitempty"`
	// Out of a [Done] entry says that until the next one no server can record events.
	Out bool `json:"out,omitempty"`
}

// maxEntry is larger in bytes than an entry with the longest line of the protocol.
const maxEntry = 64 << 10

// ErrNoEntry reports a line of a record that is not an [Entry].
var ErrNoEntry = errors.New("not an entry of a record")

// Book writes a record. Methods of a Book are safe for concurrent use.
type Book struct {
	began time.Time

	mu  sync.Mutex
	out *bufio.Writer
	n   int64
	err error
}

// NewBook starts a record.
func NewBook(out io.Writer) *Book { return &Book{began: time.Now(), out: bufio.NewWriter(out)} }

// Add sets N and At of e and writes e. [Book.Flush] returns the error of a failed write. A Line that is not JSON
// becomes the Note.
func (b *Book) Add(e Entry) {
	if e.Line != nil && !json.Valid(e.Line) {
		e.Note, e.Line = string(e.Line), nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.n++
	e.N, e.At = b.n, time.Since(b.began)
	text, err := json.Marshal(e)
	if err == nil {
		_, err = b.out.Write(append(text, '\n'))
	}
	if b.err == nil {
		b.err = err
	}
}

// Flush writes buffered entries and returns the first error of Add, joined with that of this write.
func (b *Book) Flush() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return errors.Join(b.err, b.out.Flush())
}

// Read returns the entries of a record. The sequence ends with the first error.
func Read(in io.Reader) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		lines := bufio.NewScanner(in)
		lines.Buffer(nil, maxEntry)
		for lines.Scan() {
			var e Entry
			if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
				yield(e, fmt.Errorf("%w: %.80q: %w", ErrNoEntry, lines.Text(), err))
				return
			}
			if !yield(e, nil) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(Entry{}, fmt.Errorf("read the record: %w", err))
		}
	}
}

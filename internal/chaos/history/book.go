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

// maxEntry is larger than any entry: a line of the protocol, and its JSON.
const maxEntry = 64 << 10

// ErrNoEntry says that a line of a record is no entry.
var ErrNoEntry = errors.New("not an entry of a record")

// Book writes a record. Its methods are safe for concurrent use.
type Book struct {
	began time.Time

	mu  sync.Mutex
	out *bufio.Writer
	n   int64
	err error
}

// NewBook starts a record.
func NewBook(out io.Writer) *Book { return &Book{began: time.Now(), out: bufio.NewWriter(out)} }

// Add numbers, dates and writes an entry. [Book.Flush] returns the error of a failed write.
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

// Flush writes all entries out, and returns the first error of any write.
func (b *Book) Flush() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return errors.Join(b.err, b.out.Flush())
}

// Read reads a record. It ends with the first error.
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

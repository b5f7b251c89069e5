package manager

import (
	"sync/atomic"

	"notakto/match"
)

// reader is what every handle on a table has: a mailbox that only the table fills and closes, and a mark that it was given back, which the
// table finds on its next round. So closing a handle never waits for the table, nor the table for whoever holds the handle.
type reader struct {
	table *table
	box   match.Mailbox[*match.Snapshot]
	gone  atomic.Bool
}

func newReader(t *table) *reader { return &reader{table: t, box: match.NewMailbox[*match.Snapshot]()} }

func (r *reader) close() {
	if r.gone.Swap(true) {
		return
	}
	r.table.nudge()
}

// sweep closes the readers that were given back and keeps the others.
func sweep(readers []*reader) []*reader {
	kept := readers[:0]
	for _, r := range readers {
		if r.gone.Load() {
			close(r.box)
		} else {
			kept = append(kept, r)
		}
	}
	clear(readers[len(kept):])
	return kept
}

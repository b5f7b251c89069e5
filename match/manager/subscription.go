package manager

import (
	"sync/atomic"

	"notakto/match"
)

// subscription is what every handle on a table has: a mailbox that only the table fills and closes, and a mark that it
// was given back, which the table finds on its next round. So closing a handle never waits for the table, nor the table
// for whoever holds the handle.
type subscription struct {
	table  *table
	box    match.Mailbox[*match.Snapshot]
	closed atomic.Bool
}

func newSubscription(t *table) *subscription {
	return &subscription{table: t, box: match.NewMailbox[*match.Snapshot]()}
}

func (r *subscription) close() {
	if r.closed.Swap(true) {
		return
	}
	r.table.wakeUp()
}

// dropClosed closes the readers that were given back and keeps the others.
func dropClosed(readers []*subscription) []*subscription {
	kept := readers[:0]
	for _, r := range readers {
		if r.closed.Load() {
			close(r.box)
		} else {
			kept = append(kept, r)
		}
	}
	clear(readers[len(kept):])
	return kept
}

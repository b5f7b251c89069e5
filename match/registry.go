package match

import (
	"context"
	"time"
)

// Registry is a registry that all nodes of a cluster see: who waits for an opponent, and which nodes are up. What is
// on it need not outlast the nodes. Its methods may be called from any goroutine, and return soon after ctx has ended.
type Registry interface {
	// Put puts an entry up, or in the place of the one whose revision is n.Revision (0 if there is to be none), and
	// returns it with its new revision and the time. By then it has been told to [Registry.Watch]. [ErrConflict] if
	// another stands there, [ErrUnavailable].
	Put(ctx context.Context, n Entry) (Entry, error)
	// Delete takes down the entry with this key and revision. [ErrConflict] if another stands there, or none;
	// [ErrUnavailable].
	Delete(ctx context.Context, n Entry) error
	// Watch calls fn with every entry that stands, then it returns, then with every change, made here or on another
	// node, until stop is called: an entry without a text was taken down. A note that was not pinned again for
	// [EntryTTL] may vanish without a word. look is called by one goroutine at a time; it must not wait, nor call the
	// registry.
	Watch(fn func(Entry)) (stop func())
}

// EntryTTL is how long an entry on a [Registry] is good after it was pinned, by [Journal.Now].
const EntryTTL = 15 * time.Second

// Entry is a small text on a [Registry]. Its key consists of lower-case letters, digits, dots and hyphens.
type Entry struct {
	Key      string
	Text     []byte // not empty
	Revision uint64 // grows with every change of the registry
	At       time.Time
}

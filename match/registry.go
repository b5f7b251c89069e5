package match

import (
	"context"
	"time"
)

// Registry holds entries that all nodes of a cluster see: the tickets of waiting players, and which nodes are up. What
// is in it need not outlast the nodes. Its methods may be called from any goroutine, and return soon after ctx has
// ended.
type Registry interface {
	// Put stores an entry in the place of the one whose revision is n.Revision (0 if there must be none), and
	// returns it with its new revision and the time. By then the watchers have received it. [ErrConflict] if
	// the key has another revision, [ErrUnavailable].
	Put(ctx context.Context, n Entry) (Entry, error)
	// Delete deletes the entry with this key and revision. [ErrConflict] if the key has another revision, or none;
	// [ErrUnavailable].
	Delete(ctx context.Context, n Entry) error
	// Watch calls fn with every entry, then it returns, then with every change, made here or on another
	// node, until stop is called: an entry without a text was deleted. An entry that was not put again for
	// [EntryTTL] may vanish without a call. fn is called by one goroutine at a time; it must not wait, nor call the
	// registry.
	Watch(fn func(Entry)) (stop func())
}

// EntryTTL is how long an entry of a [Registry] is valid after it was put, by [Journal.Now].
const EntryTTL = 15 * time.Second

// Entry is a small text in a [Registry]. Its key consists of lower-case letters, digits, dots and hyphens.
type Entry struct {
	Key      string
	Text     []byte // not empty
	Revision uint64 // grows with every change of the registry
	At       time.Time
}

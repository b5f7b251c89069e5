package match

import (
	"context"
	"time"
)

// Registry is a small key-value store that all nodes of a cluster share: the queue, and which nodes are up. Its entries
// need not outlast the nodes. Its methods are safe for concurrent use and return soon after ctx ends.
type Registry interface {
	// Put writes an entry if the current one has revision n.Revision (0: none exists). It returns the entry with its new
	// revision and time. By then it has been delivered to [Registry.Watch]. [ErrConflict] if the revision differs,
	// [ErrUnavailable].
	Put(ctx context.Context, n Entry) (Entry, error)
	// Delete removes the entry with this key and revision. [ErrConflict] if the revision differs or there is no entry;
	// [ErrUnavailable].
	Delete(ctx context.Context, n Entry) error
	// Watch calls fn with every current entry before it returns, then with every change, from any node, until stop is
	// called. An entry without a text was deleted. An entry that was not put again for [EntryTTL] may vanish without a
	// call. Calls are serialised. fn must not block or call the registry.
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

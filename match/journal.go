package match

import (
	"context"
	"errors"
	"time"
)

// Errors of a [Journal] and a [Registry].
var (
	// ErrConflict says that another change came first and nothing was recorded: read again and decide anew.
	ErrConflict = errors.New("another event came first")
	// ErrNoSuchMatch says that no match has that ID.
	ErrNoSuchMatch = errors.New("there is no such match")
	// ErrArchived says that a match accepts no more events.
	ErrArchived = errors.New("the match is archived")
	// ErrDamaged says that parts of a match's log are missing or corrupt: it is not served and accepts no more events.
	ErrDamaged = errors.New("the log of the match is damaged")
	// ErrNewer says that a newer version of the program wrote the log. This version neither shows nor changes it.
	ErrNewer = errors.New("the match was written by a newer version of the server")
	// ErrUnavailable says that nothing can be recorded now: no quorum of nodes, a full disk, or a slow journal. Recorded
	// events remain. The text of the error that wraps it gives the reason, worded for a player.
	ErrUnavailable = errors.New("nothing can be recorded just now")
)

// Journal stores the logs of all matches. Its methods are safe for concurrent use and return soon after ctx ends.
type Journal interface {
	// Append records events of one match with consecutive sequences, all or none, even if a node crashes. The first
	// sequence must be one more than the last of the match, or 1 for a new match. Append returns the last event with its
	// time. By then all events have been delivered to [Journal.Subscribe] and can be read. [ErrConflict] and [ErrArchived]
	// mean that nothing was recorded. After any other error, such as [ErrUnavailable], the outcome is unknown: read on to
	// find out.
	Append(ctx context.Context, events ...Event) (Event, error)
	// Load returns the events of a match after a sequence, in order; none if there is nothing newer. Archived matches can
	// be loaded for as long as they are retained. [ErrNoSuchMatch], [ErrUnavailable].
	Load(ctx context.Context, id ID, after uint64) ([]Event, error)
	// Archive declares that nothing will be appended to a match any more, so that it may be moved to the archive. It can
	// still be loaded. Archiving a match twice is harmless. [ErrNoSuchMatch], [ErrUnavailable].
	Archive(ctx context.Context, id ID) error
	// Subscribe calls fn once for every event of every match that is neither archived nor damaged, in order within a
	// match. Recorded events are delivered before Subscribe returns; later ones, from any node, until stop is called.
	// Calls are serialised. fn must not block or call the journal, except Now. An event without a kind says that the log
	// of its match was lost and accepts no more events: [ErrDamaged].
	Subscribe(fn func(Event)) (stop func())
	// Check returns nil if an event can be recorded now, else an error that wraps [ErrUnavailable]. It records nothing and
	// takes a few seconds at most.
	Check(ctx context.Context) error
	// CatchUp returns once all that was recorded before the call, on any node, has been delivered to [Journal.Subscribe].
	// [ErrUnavailable].
	CatchUp(ctx context.Context) error
	// Now returns the time of this node's clock. The times of events and entries are in that clock too, whatever the
	// clocks of other nodes say. It does not jump when the system clock is set. It never blocks and may be called from
	// anywhere.
	Now() time.Time
}

// Archive reads finished matches in the order in which they were archived, which is the same on every node.
type Archive interface {
	// ReadArchive calls fn for every archived match after a position, and then for every other one when it is archived. It
	// returns when ctx ends, or with the error of fn. Calls are serialised, in the goroutine that called ReadArchive.
	ReadArchive(ctx context.Context, after uint64, fn func(ArchivedMatch) error) error
	// ArchiveEnd returns the position of the newest archived match that this node knows; 0 if there is none. It never
	// blocks.
	ArchiveEnd() uint64
}

// ArchiveIndex has the names of the archived matches that were read from an [Archive], so that the journal need not
// have them in memory.
type ArchiveIndex interface {
	// Attach says which archive the index is of. If what it has is of another one (the archive was emptied, or an older
	// copy was put in its place), it drops that. Until it has returned, the other methods are about the archive before.
	Attach(ctx context.Context, a Archive) error
	// IndexedTo returns the position up to which the index has all archived matches. It never blocks, and never decreases
	// but in Attach.
	IndexedTo() uint64
	// FindArchived returns the position of a match, 0 if the index does not have it. A name that no match ever had costs
	// no more than another.
	FindArchived(ctx context.Context, id ID) (uint64, error)
}

// ArchivedMatch is a match of the archive.
type ArchivedMatch struct {
	Position uint64    // 1 or more; grows from match to match
	Stamp    time.Time // when the record was written, by the clock of the server that wrote it; may be zero
	ID       ID
	Events   []Event // with the times of the record; none if it cannot be read, or a newer version wrote it
}

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

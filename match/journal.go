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
	// ErrUnavailable says that nothing can be recorded now: the database does not answer, or its disk is full.
	// Recorded events remain. The text of the error that wraps it gives the reason, worded for a player.
	ErrUnavailable = errors.New("nothing can be recorded just now")
)

// Journal stores the logs of all matches. Its methods are safe for concurrent use and return soon after ctx ends.
type Journal interface {
	// Append records events of one match with consecutive sequences, all or none, even if a node crashes. The first
	// sequence must be one more than the last of the match, or 1 for a new match. Append returns the last event with
	// its time. By then all events have been delivered to [Journal.Subscribe] and can be read. [ErrConflict] and
	// [ErrArchived] mean that nothing was recorded. After any other error, such as [ErrUnavailable], the outcome is
	// unknown: call Load to find out.
	Append(ctx context.Context, events ...Event) (Event, error)
	// Load returns the events of a match after a sequence, in order. It returns none if there is nothing newer.
	// Archived matches can be loaded as long as they are kept. Errors: [ErrNoSuchMatch], [ErrUnavailable].
	Load(ctx context.Context, id ID, after uint64) ([]Event, error)
	// Archive closes the log of a match, so that the store may move it to the archive. The log can still be loaded.
	// Archiving a match twice is harmless. Errors: [ErrNoSuchMatch], [ErrUnavailable].
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
	// Now returns the time of this node's clock. Events and entries have times of this clock, whatever the clocks of
	// other nodes say. The clock does not jump when the system's clock is set. Now never blocks and may be called
	// anywhere.
	Now() time.Time
}

// Registry is a small key-value store that all servers on one database share: the queue, and which servers are up. Its
// entries need not outlast the servers. Its methods are safe for concurrent use and return soon after ctx ends.
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

// Store is a [Journal] and a [Registry] in one database.
type Store interface {
	Journal
	Registry
	// AppendWith appends events as [Journal.Append] does, and puts entries as [Registry.Put] does, all or nothing. The
	// entries have different keys, and texts that are not empty. The events are delivered before the entries.
	// [ErrConflict] says that an entry or the match has changed.
	AppendWith(ctx context.Context, entries []Entry, events ...Event) (Event, error)
}

// EntryTTL limits the life of an entry of a [Registry] since its last put, by [Journal.Now].
const EntryTTL = 15 * time.Second

// Entry is a small text in a [Registry]. Its key consists of lower-case letters, digits, dots and hyphens.
type Entry struct {
	Key      string
	Text     []byte // not empty
	Revision uint64 // grows with every change of the registry
	At       time.Time
}

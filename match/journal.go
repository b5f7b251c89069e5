package match

import (
	"context"
	"errors"
	"time"
)

// Errors of a [Journal] and a [Registry].
var (
	// ErrConflict says that the change was refused because another one came first. Read again and decide anew.
	ErrConflict = errors.New("another event came first")
	// ErrNoSuchMatch says that no match has that ID.
	ErrNoSuchMatch = errors.New("there is no such match")
	// ErrArchived says that a match accepts no more events.
	ErrArchived = errors.New("the match is archived")
	// ErrDamaged says that parts of a match's log are missing or corrupt. The match is not served and accepts no more
	// events.
	ErrDamaged = errors.New("the log of the match is damaged")
	// ErrNewer says that a newer version of the program wrote the log, and the running version neither shows nor changes
	// it.
	ErrNewer = errors.New("the match was written by a newer version of the server")
	// ErrUnavailable says that the database does not answer or its disk is full, and no event can be recorded now.
	// Recorded events remain. The text of the error that wraps ErrUnavailable gives the reason, worded for a player.
	ErrUnavailable = errors.New("the server cannot save moves now")
)

// Journal stores the logs of all matches. Its methods are safe for concurrent use and return soon after ctx ends.
type Journal interface {
	// Append records events of one match with consecutive sequences, and then maybe events of further matches. A crash
	// never leaves only a part of them. The first sequence of a match must be one more than the last one recorded, or 1
	// for a new match. Append sets the time of the events, and calls [State.WithOtherGame] for each of them.
	//
	// Append returns the last event with its time. By then all events have been delivered to [Journal.Subscribe] and can
	// be read. [ErrConflict] and [ErrArchived] mean that no event was recorded. After any other error, such as
	// [ErrUnavailable], the outcome is unknown. Call Load to find out.
	Append(ctx context.Context, events ...Event) (Event, error)
	// Load returns the events of a match after a sequence, in order. The result is empty if there is no newer event.
	// Archived matches can be loaded until they are deleted. Errors are [ErrNoSuchMatch] and [ErrUnavailable].
	Load(ctx context.Context, id ID, after uint64) ([]Event, error)
	// Archive closes the log of a match. The store may then move the log to the archive, where Load still finds it.
	// Archiving a match twice is harmless. Errors are [ErrNoSuchMatch] and [ErrUnavailable].
	Archive(ctx context.Context, id ID) error
	// Subscribe calls fn once for every event of every match that is neither archived nor damaged, in order within a
	// match. Subscribe delivers recorded events before it returns, and later ones, from any node, until stop is called.
	// Calls are serialised. fn must not block, and may call no method of the journal except Now.
	//
	// An event without a kind says that the log of its match is damaged and accepts no more events.
	Subscribe(fn func(Event)) (stop func())
	// Check returns nil if an event can be recorded now, else an error that wraps [ErrUnavailable]. Check records no
	// event and takes a few seconds at most.
	Check(ctx context.Context) error
	// CatchUp returns once every event recorded before the call, on any node, has been delivered to [Journal.Subscribe].
	// The error is [ErrUnavailable].
	CatchUp(ctx context.Context) error
	// Now returns the time of the clock that stamps events and entries, on every node. The clock does not jump when a
	// system clock is set. Now never blocks and may be called anywhere.
	Now() time.Time
	// Outages returns the latest periods without a server before the journal was opened, also those before earlier
	// openings. Periods may overlap. The caller must not change the result.
	Outages() []Period
}

// Period is the time between two moments.
type Period struct{ From, To time.Time }

// ByMatch divides the events of an Append into those of each match.
func ByMatch(events []Event) (runs [][]Event) {
	for i, e := range events {
		if i == 0 || e.Match != events[i-1].Match {
			runs = append(runs, nil)
		}
		runs[len(runs)-1] = append(runs[len(runs)-1], e)
	}
	return runs
}

// Registry is a small key-value store that all servers on one database share, for example for the queue. Entries need
// not outlast the servers. The methods are safe for concurrent use and return soon after ctx ends.
type Registry interface {
	// Put writes e if the current entry has revision e.Revision, where 0 means that no entry exists. Put returns e with
	// its new revision and time, after [Registry.Watch] has delivered it. Errors are [ErrConflict] if the revision
	// differs, and [ErrUnavailable].
	Put(ctx context.Context, e Entry) (Entry, error)
	// Delete removes the entry with the key and revision of e. Errors are [ErrConflict] if no entry has both, and
	// [ErrUnavailable].
	Delete(ctx context.Context, e Entry) error
	// Watch calls fn with every current entry before it returns, then with every change, from any node, until stop is
	// called. A deleted entry has no text. An entry that was not put again for [EntryTTL] may vanish without a call.
	// Calls are serialised. fn must not block or call the registry.
	Watch(fn func(Entry)) (stop func())
}

// Store is a [Journal] and a [Registry] in one database.
type Store interface {
	Journal
	Registry
	// AppendWith appends events as [Journal.Append] does and puts entries as [Registry.Put] does, in one transaction.
	// The entries must have different keys and a text. The events are delivered before the entries. [ErrConflict] says
	// that an entry or the match has changed.
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

package match

import (
	"context"
	"errors"
	"time"
)

// The journal's refusals.
var (
	// ErrConflict says that another event came first: nothing was recorded; read on and decide again.
	ErrConflict = errors.New("another event came first")
	// ErrNoSuchMatch says that no match has that ID.
	ErrNoSuchMatch = errors.New("there is no such match")
	// ErrArchived says that a match takes no more events.
	ErrArchived = errors.New("the match is archived")
	// ErrDamaged says that a match's log was found with parts missing or spoilt: it is not served, and takes no more
	// events.
	ErrDamaged = errors.New("the log of the match is damaged")
	// ErrNewer says that a newer version of the program wrote the log: this one does not show it and changes nothing
	// about it.
	ErrNewer = errors.New("the match was written by a newer version of the server")
	// ErrUnavailable says that nothing can be recorded just now: too few nodes are up to agree, the disk is full, or
	// the journal is slow. What was recorded stays. The text of the error that wraps it says why, in words for a
	// player.
	ErrUnavailable = errors.New("nothing can be recorded just now")
)

// Journal keeps the logs of all matches. Its methods may be called from any goroutine, and return soon after ctx has
// ended.
type Journal interface {
	// Append records events of one match, whose sequences follow each other, all or none, through every crash. The
	// first sequence has to be one more than the last of the match, or 1 for a new match. It returns the last event
	// with the time at which it was recorded. By then all have been told to [Journal.Subscribe] and can be read.
	// [ErrConflict] and [ErrArchived] mean that nothing happened; after any other error the caller does not know
	// whether it did, and reads on to find out. [ErrUnavailable].
	Append(ctx context.Context, events ...Event) (Event, error)
	// Load returns the events of a match after a sequence, in order; none if there is nothing newer. Matches that were
	// archived can be read too, for as long as they are kept. [ErrNoSuchMatch], [ErrUnavailable].
	Load(ctx context.Context, id ID, after uint64) ([]Event, error)
	// Archive says that nothing will be appended to a match any more, so that it may be moved to where finished matches
	// are kept. It can still be read. Retiring a match twice is harmless. [ErrNoSuchMatch], [ErrUnavailable].
	Archive(ctx context.Context, id ID) error
	// Subscribe calls fn with every event of the matches that were not archived and are not damaged, those of one
	// match in order and each once: with what was recorded before, then it returns, then with what is recorded, here or
	// on another node, until stop is called. hear is called by one goroutine at a time; it must not wait, nor call the
	// journal for anything but the time. An event without a kind says that the log of its match has been lost and takes
	// no more events: [ErrDamaged].
	Subscribe(fn func(Event)) (stop func())
	// Check returns nil if an event can be recorded now, and else an error that wraps [ErrUnavailable]. It records
	// nothing, and waits a few seconds at most.
	Check(ctx context.Context) error
	// CatchUp returns once all that was recorded before the call, on any node, has been told to [Journal.Subscribe].
	// [ErrUnavailable].
	CatchUp(ctx context.Context) error
	// Now returns the time by this node's clock, by which it also tells the times of events and notes, whatever the
	// clocks of other nodes say. It does not leap when the system's clock is set. It never waits, and may be asked for
	// from anywhere.
	Now() time.Time
}

package match

import (
	"context"
	"errors"
)

// The journal's refusals.
var (
	// ErrConflict says that another event came first: nothing was recorded; read on and decide again.
	ErrConflict = errors.New("another event came first")
	// ErrNoSuchMatch says that no match has that ID.
	ErrNoSuchMatch = errors.New("there is no such match")
	// ErrRetired says that a match takes no more events.
	ErrRetired = errors.New("the match has been put away")
)

// Journal keeps the logs of all matches. Its methods may be called from any goroutine, and return soon after ctx has ended.
type Journal interface {
	// Append records e if e.Seq is one more than the last sequence of e.Match, or 1 for a new match, and returns it with the time
	// at which it was recorded. [ErrConflict] and [ErrRetired] mean that nothing happened; after any other error nobody knows whether
	// it did: read on to find out.
	Append(ctx context.Context, e Event) (Event, error)
	// Read returns the events of a match after a sequence, in order; none if there is nothing newer. [ErrNoSuchMatch].
	Read(ctx context.Context, id ID, after uint64) ([]Event, error)
	// Follow tells of events that are recorded from now on, wherever they were appended. ctx is for the call, not for the feed.
	// [ErrNoSuchMatch].
	Follow(ctx context.Context, id ID) (Feed, error)
	// Retire says that nothing will be appended to a match any more, so that it may be moved to where finished matches are kept. It can
	// still be read. Retiring a match twice is harmless. [ErrNoSuchMatch].
	Retire(ctx context.Context, id ID) error
}

// Feed says when a match has news. It carries no events, so a slow follower costs no memory and misses nothing: on news, [Journal.Read]
// what came after the last sequence seen.
type Feed interface {
	// News receives the sequence of the newest event. A newer one takes the place of one that was not received; the last event is always
	// told.
	News() <-chan uint64
	// Close ends the feed; News receives nothing more.
	Close()
}

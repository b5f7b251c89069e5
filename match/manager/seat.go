package manager

import (
	"context"
	"sync/atomic"

	"notakto/match"
	"notakto/rules"
)

// Seat is a player's handle on a table, one for each window that the player has open. Its methods may be called from
// any goroutine.
type Seat struct {
	*subscription
	side rules.Side
}

// ID is the match.
func (s *Seat) ID() match.ID { return s.table.id }

// Side is the side that the seat plays.
func (s *Seat) Side() rules.Side { return s.side }

// Snapshots receives the match as it stands at once and then after every change. There is room for one: a newer
// snapshot takes the place of one that was not read. The table closes it when the table or the seat closes.
func (s *Seat) Snapshots() <-chan *match.Snapshot { return s.box }

// Play places a mark. Nil means that the move is recorded: every snapshot from then on has it. The errors are
// [ErrNotBegun], [ErrMatchOver], [ErrNotYourTurn], those of rules.Position.Check, [ErrClosed], and what kept the
// journal from recording it; after ctx has ended the outcome is unknown, and the snapshots show it.
func (s *Seat) Play(ctx context.Context, m rules.Move) error {
	return s.table.do(ctx, func() error { return s.table.record(match.Event{Kind: match.Moved, Seat: s.side, Move: m}) })
}

// Resign gives up the match; before a second player has come it clears the table. Errors as for [Seat.Play];
// [ErrMatchOver].
func (s *Seat) Resign(ctx context.Context) error {
	return s.table.do(ctx, func() error { return resign(s.table, s.side) })
}

// OfferRematch says that the player wants another match with the seats swapped. When both have said it, State.Next
// names the new match; a computer always wants one. Saying it again changes nothing. Errors as for [Seat.Play];
// [ErrNotOver], [ErrTooMany], [ErrTooFast], [ErrDraining].
func (s *Seat) OfferRematch(ctx context.Context) error {
	return s.table.do(ctx, func() error { return offerRematch(s.table, s.side) })
}

// Close gives the handle back. The player counts as away once the last one is closed. It waits for nothing and may be
// called again.
func (s *Seat) Close() { s.close() }

// Spectator is a spectator's handle of a match. Its methods may be called from any goroutine.
type Spectator struct{ *subscription }

// ID is the match.
func (s *Spectator) ID() match.ID { return s.table.id }

// Snapshots is like [Seat.Snapshots].
func (s *Spectator) Snapshots() <-chan *match.Snapshot { return s.box }

// Close is like [Seat.Close].
func (s *Spectator) Close() { s.close() }

// subscription is what every handle on a table has: a mailbox that only the table fills and closes, and a mark that it
// was given back, which the table finds on its next round. So closing a handle never waits for the table, nor the table
// for the holder of the handle.
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

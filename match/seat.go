package match

import (
	"context"

	"notakto/rules"
)

// Seat is a player's handle on a table, one for each window that the player has open. Its methods may be called from any goroutine.
type Seat struct {
	id   ID
	side rules.Side
	box  chan Snapshot
}

// ID is the match.
func (s *Seat) ID() ID { return s.id }

// Side is the side that the seat plays.
func (s *Seat) Side() rules.Side { return s.side }

// Snapshots receives the match as it stands at once and then after every change. There is room for one: a newer snapshot takes the place of
// one that was not read. The table closes it when the table or the seat closes.
func (s *Seat) Snapshots() <-chan Snapshot { return s.box }

// Play places a mark. Nil means that the move is recorded: every snapshot from then on has it. The errors are [ErrNotBegun], [ErrMatchOver],
// [ErrNotYourTurn], those of rules.Position.Check, [ErrClosed], and what kept the journal from recording it.
func (s *Seat) Play(ctx context.Context, m rules.Move) error { return ErrClosed }

// Resign gives up the match; before a second player has come it clears the table. [ErrMatchOver].
func (s *Seat) Resign(ctx context.Context) error { return ErrClosed }

// OfferRematch says that the player wants another match with the seats swapped. When both have said it, State.Next names the new match. Saying
// it again changes nothing. [ErrNotOver], [ErrTooMany], [ErrDraining].
func (s *Seat) OfferRematch(ctx context.Context) error { return ErrClosed }

// Close gives the handle back. The player counts as away once the last one is closed. It waits for nothing and may be called again.
func (s *Seat) Close() {}

// Spectator is a handle of someone who looks on.
type Spectator struct {
	id  ID
	box chan Snapshot
}

// ID is the match.
func (s *Spectator) ID() ID { return s.id }

// Snapshots is like [Seat.Snapshots].
func (s *Spectator) Snapshots() <-chan Snapshot { return s.box }

// Close is like [Seat.Close].
func (s *Spectator) Close() {}

package manager

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"notakto/match"
	"notakto/rules"
)

// Seat is a player's handle on a table, one for each session of the player. Safe for concurrent use.
type Seat struct {
	*subscription
	IsBot bool // counts moves as a program's, to be set before the first move
	side  rules.Side
}

// ID returns the ID of the match.
func (s *Seat) ID() match.ID { return s.table.id }

// Side returns the player's side.
func (s *Seat) Side() rules.Side { return s.side }

// Snapshots returns a channel that receives the current snapshot, and a new one for every change. The channel keeps the
// newest snapshot, or the two newest after Notify, and drops older ones that were not read. The channel is closed when
// the table or the seat closes.
func (s *Seat) Snapshots() <-chan *match.Snapshot { return s.box.Values() }

// Play places a mark. After nil the move is recorded, and every later snapshot has it. After ctx has ended the
// outcome is unknown until the snapshots show it. Errors: [match.ErrNotStarted], [match.ErrMatchOver],
// [match.ErrNotYourTurn], [match.ErrClosed], those of [rules.Position.Check], and those of the journal.
func (s *Seat) Play(ctx context.Context, m rules.Move) error {
	by := ByPerson
	if s.IsBot {
		by = ByBot
	}
	return s.table.do(ctx, func() error {
		err := s.table.record(match.Event{Kind: match.Moved, Seat: s.side, Move: m})
		if err == nil {
			s.table.tables.index.stats.Moves.Add(by, 1)
		}
		return err
	})
}

// Resign resigns the match. Before a second player has joined, it closes the table. Errors are those of [Seat.Play].
func (s *Seat) Resign(ctx context.Context) error {
	return s.table.do(ctx, func() error { return s.table.resign(s.side) })
}

// resign resigns for the player of a side, or closes the table if the match has not begun.
func (t *table) resign(side rules.Side) error {
	err := t.record(match.Event{Kind: match.Resigned, Seat: side})
	if errors.Is(err, match.ErrNotStarted) {
		err = t.record(match.Event{Kind: match.Cancelled})
	}
	return err
}

// Reveal shows the deadly cells to both players for the rest of the match. Repeated calls, and calls in tic-tac-toe,
// succeed without effect. Errors are those of [Seat.Play].
func (s *Seat) Reveal(ctx context.Context) error {
	return s.table.do(ctx, func() error {
		t := s.table
		if t.refresh(); t.state.Variant.IsTicTacToe() {
			return nil
		}
		err := t.record(match.Event{Kind: match.Revealed, Seat: s.side})
		if t.state.RevealedBy() != rules.NoSide { // perhaps by the opponent, at another node
			return nil
		}
		return err
	})
}

// OfferRematch asks for another match with the seats swapped. Once both players have asked, State.Next names the new
// match. A computer always accepts. The offer ends when the player is seated in another match. A repeated offer has
// no effect. Errors are those of [Seat.Play], and [match.ErrNotOver], [match.ErrTooMany], [match.ErrAddressFull],
// [match.ErrRateLimited], [match.ErrRated], [match.ErrDraining].
func (s *Seat) OfferRematch(ctx context.Context) error {
	return s.table.do(ctx, func() error { return s.table.offerRematch(s.side) })
}

// Ask sends the opponent a request of kind [match.TakebackOffered] or [match.HintsOffered]. If the opponent's
// [match.Request] has that kind, Ask agrees to the request. With [match.Declined], Ask declines the request. A computer
// agrees at once. Repeated calls have no effect. Errors are those of [Seat.Play], and [match.ErrNoOwnMove],
// [match.ErrNoTakebacks], [match.ErrUnanswered], [match.ErrDeclined], [match.ErrRated]. A player of a rated pair gets
// no hints in any match.
func (s *Seat) Ask(ctx context.Context, kind match.Kind) error {
	return s.table.do(ctx, func() error {
		t, isHint := s.table, kind == match.HintsOffered
		switch t.refresh(); {
		case isHint && t.tables.index.playsRated(t.state.Seat(s.side).Player.ID):
			return match.ErrRated
		case isHint && t.state.Hinted, t.state.Request == match.Request{Kind: kind, Side: s.side},
			kind == match.Declined && t.state.RequestTo(s.side) == 0:
			return nil
		}
		return t.record(match.Event{Kind: kind, Seat: s.side})
	})
}

// Close releases the handle. When the last one is closed, the player counts as away. Close never blocks and may be
// repeated.
func (s *Seat) Close() { s.close() }

// Spectator is a spectator's handle on a table. Safe for concurrent use.
type Spectator struct{ *subscription }

// ID returns the ID of the match.
func (s *Spectator) ID() match.ID { return s.table.id }

// Snapshots is like [Seat.Snapshots].
func (s *Spectator) Snapshots() <-chan *match.Snapshot { return s.box.Values() }

// History returns the states of the match after each of its events, oldest first, as spectators see them. The log is
// read anew. Errors are those of [match.Journal.Load].
func (s *Spectator) History(ctx context.Context) ([]match.State, error) {
	return s.table.tables.cfg.history(ctx, s.table.id)
}

func (c Config) history(ctx context.Context, id match.ID) ([]match.State, error) {
	states, err := c.load(ctx, id)
	for i := range states {
		states[i] = *states[i].SeenBy(rules.NoSide)
	}
	return states, err
}

func (c Config) load(ctx context.Context, id match.ID) ([]match.State, error) {
	ctx, cancel := context.WithTimeout(ctx, c.JournalTimeout)
	defer cancel()
	events, err := c.Journal.Load(ctx, id, 0)
	if err != nil {
		return nil, fmt.Errorf("reading match %s: %w", id, err)
	}
	states, state := make([]match.State, 0, len(events)), match.State{}
	for _, e := range events {
		if state, err = c.apply(state, e); err != nil {
			return nil, fmt.Errorf("match %s: %w", id, err)
		}
		states = append(states, state)
	}
	return states, nil
}

// Close is like [Seat.Close].
func (s *Spectator) Close() { s.close() }

// subscription is the base of every handle on a table. Only the table fills and closes box. Closing a handle sets
// closed, and the table looks at closed in its next step. Therefore handle and table never wait for each other.
type subscription struct {
	table  *table
	client Client // may be nil
	box    *match.Mailbox[*match.Snapshot]
	closed atomic.Bool
}

func (t *table) newSubscription(ctx context.Context) *subscription {
	client, _ := ctx.Value(clientKey{}).(Client)
	return &subscription{table: t, client: client, box: match.NewMailbox[*match.Snapshot]()}
}

// Notify calls bell now and after every change of Snapshots. bell must not block.
func (s *subscription) Notify(bell func()) { s.box.Notify(bell) }

func (s *subscription) close() {
	if s.closed.Swap(true) {
		return
	}
	s.table.wakeUp()
}

func dropClosed(readers []*subscription) []*subscription {
	kept := readers[:0]
	for _, r := range readers {
		if r.closed.Load() {
			r.box.Close()
		} else {
			kept = append(kept, r)
		}
	}
	clear(readers[len(kept):])
	return kept
}

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
	IsBot bool // moves count as a program's; set it before the first move
	side  rules.Side
}

// ID returns the ID of the match.
func (s *Seat) ID() match.ID { return s.table.id }

// Side returns the player's side.
func (s *Seat) Side() rules.Side { return s.side }

// Snapshots returns the channel that receives the current snapshot, and a new one for every change. A newer snapshot
// replaces one that was not read. The channel is closed when the table or the seat closes.
func (s *Seat) Snapshots() <-chan *match.Snapshot { return s.box.Values() }

// Play places a mark. Nil means that the move is recorded: every later snapshot has it. The errors are
// [match.ErrNotStarted], [match.ErrMatchOver], [match.ErrNotYourTurn], those of rules.Position.Check,
// [match.ErrClosed], and errors of the journal. After ctx has ended the outcome is unknown until the snapshots show it.
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

// Resign resigns the match. Before a second player has joined, it closes the table. Errors as for [Seat.Play].
func (s *Seat) Resign(ctx context.Context) error {
	return s.table.do(ctx, func() error {
		err := s.table.record(match.Event{Kind: match.Resigned, Seat: s.side})
		if errors.Is(err, match.ErrNotStarted) {
			err = s.table.record(match.Event{Kind: match.Cancelled})
		}
		return err
	})
}

// Reveal shows the deadly cells to both players from here on. It does nothing if they are shown already, or in
// tic-tac-toe, which has none. Errors as for [Seat.Play].
func (s *Seat) Reveal(ctx context.Context) error {
	return s.table.do(ctx, func() error {
		t := s.table
		if t.refresh(); t.state.Variant.IsTicTacToe() {
			return nil
		}
		err := t.record(match.Event{Kind: match.Revealed, Seat: s.side})
		if t.state.RevealedBy() != rules.Nobody { // by the opponent, perhaps a moment ago at another node
			return nil
		}
		return err
	})
}

// OfferRematch asks for another match with the seats swapped. Once both players have asked, State.Next names the new
// match. A computer always accepts. The offer ends when the player is seated in another match. Repeating it changes
// nothing. Errors as for [Seat.Play], and [match.ErrNotOver], [match.ErrTooMany], [match.ErrAddressFull],
// [match.ErrRateLimited], [match.ErrRated], [match.ErrDraining].
func (s *Seat) OfferRematch(ctx context.Context) error {
	return s.table.do(ctx, func() error { return s.table.offerRematch(s.side) })
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

// History returns how the match stood after each of its events, oldest first, as spectators see it. It reads the log
// anew. Errors of [match.Journal.Load].
func (s *Spectator) History(ctx context.Context) ([]match.State, error) {
	return s.table.tables.cfg.history(ctx, s.table.id)
}

// history returns how a match stood after each of its events, as spectators see it.
func (c Config) history(ctx context.Context, id match.ID) ([]match.State, error) {
	states, err := c.load(ctx, id)
	for i := range states {
		states[i] = *states[i].SeenBy(rules.Nobody)
	}
	return states, err
}

// load returns how a match stood after each of its events, by the journal.
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
// closed, and the table checks closed in its next step, so neither waits for the other.
type subscription struct {
	table  *table
	client Client // nil if it is not known
	box    *match.Mailbox[*match.Snapshot]
	closed atomic.Bool
}

func (t *table) newSubscription(ctx context.Context) *subscription {
	client, _ := ctx.Value(clientKey{}).(Client)
	return &subscription{table: t, client: client, box: match.NewMailbox[*match.Snapshot]()}
}

// Notify sends bell a value now and after every change of Snapshots, unless bell is full. bell needs a capacity of one.
func (s *subscription) Notify(bell chan<- struct{}) { s.box.Notify(bell) }

func (s *subscription) close() {
	if s.closed.Swap(true) {
		return
	}
	s.table.wakeUp()
}

// dropClosed closes the mailboxes of closed subscriptions and returns the others.
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

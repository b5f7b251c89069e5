package manager

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"notakto/match"
	"notakto/rules"
)

// Seat is a player's handle on a table, one for each session of the player. Its methods are safe for concurrent use.
type Seat struct {
	*subscription
	IsBot bool // moves count as those of a program; to be set before the first one
	side  rules.Side
}

// ID returns the ID of the match.
func (s *Seat) ID() match.ID { return s.table.id }

// Side returns the player's side.
func (s *Seat) Side() rules.Side { return s.side }

// Snapshots receives the current snapshot at once and then one after every change. It holds one value: a newer snapshot
// replaces one that was not received. It is closed when the table or the seat closes.
func (s *Seat) Snapshots() <-chan *match.Snapshot { return s.box }

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

// Resign resigns the match; before a second player has joined it closes the table. Errors as for [Seat.Play].
func (s *Seat) Resign(ctx context.Context) error {
	return s.table.do(ctx, func() error { return s.table.resign(s.side) })
}

// Reveal has the deadly cells shown to both players from here on. Repeating it changes nothing, and so it does in
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

// OfferRematch asks for another match with the seats swapped. When both players have, State.Next names the new match; a
// computer always does. Repeating it changes nothing. Errors as for [Seat.Play]; [match.ErrNotOver],
// [match.ErrTooMany], [match.ErrRateLimited], [match.ErrDraining].
func (s *Seat) OfferRematch(ctx context.Context) error {
	return s.table.do(ctx, func() error { return s.table.offerRematch(s.side) })
}

// Close releases the handle. The player counts as away once the last one is closed. It never blocks and may be
// repeated.
func (s *Seat) Close() { s.close() }

// Spectator is a spectator's handle on a table. Its methods are safe for concurrent use.
type Spectator struct{ *subscription }

// ID returns the ID of the match.
func (s *Spectator) ID() match.ID { return s.table.id }

// Snapshots is like [Seat.Snapshots].
func (s *Spectator) Snapshots() <-chan *match.Snapshot { return s.box }

// History returns how the match stood after each of its events, oldest first, as spectators see it. It reads the log
// anew. Errors of [match.Journal.Load].
func (s *Spectator) History(ctx context.Context) ([]match.State, error) {
	return s.table.tables.cfg.history(ctx, s.table.id)
}

// history returns how a match stood after each of its events, as spectators see it.
func (c Config) history(ctx context.Context, id match.ID) ([]match.State, error) {
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
		states = append(states, *state.SeenBy(rules.Nobody))
	}
	return states, nil
}

// Close is like [Seat.Close].
func (s *Spectator) Close() { s.close() }

// Operator is what the operator of the server may do about all matches, private ones included. Its methods may be
// called from any goroutine.
type Operator struct{ tables *tables }

// NewOperator returns the operator of the matches of m.
func NewOperator(m *Manager) Operator { return Operator{m.tables} }

// Now is like [Manager.Now].
func (o Operator) Now() time.Time { return o.tables.now() }

// Matches returns the matches that are not over, and the tables that wait for their second player, those first whose
// last move is the oldest. Spectators are those of this node. MoveBy is not set.
func (o Operator) Matches() []*match.Snapshot {
	on, _ := o.tables.index.liveAndFinished()
	all := make([]*match.Snapshot, 0, len(on))
	for _, s := range on {
		summary := (&list{tables: o.tables}).summary(s)
		all = append(all, &match.Snapshot{
			State: s.SeenBy(rules.Nobody), Spectators: summary.Spectators, ForfeitAt: summary.ForfeitAt,
		})
	}
	slices.SortFunc(all, func(a, b *match.Snapshot) int {
		return cmp.Or(a.ChangedAt().Compare(b.ChangedAt()), cmp.Compare(a.ID, b.ID))
	})
	return all
}

// History is like [Spectator.History], of any match whose log is kept.
func (o Operator) History(ctx context.Context, id match.ID) ([]match.State, error) {
	return o.tables.cfg.history(ctx, id)
}

// End ends a match: the player of winner has won, or for [rules.Nobody] the match is void. A table that waits for its
// second player is closed; it has no winner. End returns the match as it is then. [match.ErrNoSuchMatch],
// [match.ErrMatchOver], [match.ErrNotStarted], [match.ErrUnavailable].
func (o Operator) End(ctx context.Context, id match.ID, winner rules.Side) (*match.State, error) {
	if s, _ := o.tables.index.match(id); s == nil { // archived, or there is none: no table is to be made for it
		if _, err := o.History(ctx, id); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("match %s: %w", id, match.ErrMatchOver)
	}
	var ended *match.State
	err := o.tables.at(ctx, id, func(t *table) error {
		return t.do(ctx, func() error {
			err := t.record(match.Event{Kind: match.Adjudicated, Seat: winner})
			if errors.Is(err, match.ErrNotStarted) && winner == rules.Nobody {
				err = t.record(match.Event{Kind: match.Cancelled})
			}
			if err == nil {
				ended = t.state.SeenBy(rules.Nobody)
			}
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return ended, nil
}

// subscription is the base of every handle on a table: a mailbox that only the table fills and closes, and a flag that
// it was closed, which the table checks in its next step. So closing a handle never waits for the table, nor the table
// for the holder.
type subscription struct {
	table  *table
	box    match.Mailbox[*match.Snapshot]
	closed atomic.Bool
}

func (t *table) newSubscription() *subscription {
	return &subscription{table: t, box: match.NewMailbox[*match.Snapshot]()}
}

func (r *subscription) close() {
	if r.closed.Swap(true) {
		return
	}
	r.table.wakeUp()
}

// dropClosed closes the mailboxes of closed subscriptions and returns the others.
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

// Join uses a code, in upper or lower case. The code of a private table seats p there and returns p. A guest's code
// returns that guest's Player, which replaces p from then on, unless a session at this node has the seat. A session at
// another node does not count: that node may have just failed. Enter the match with [Manager.Sit] afterwards.
//
// The errors are [match.ErrNoSuchTable], [match.ErrTableFull], [match.ErrSeatInUse], [match.ErrOwnTable] with the
// match's ID, [match.ErrTooMany], [match.ErrRateLimited], [match.ErrDraining], [match.ErrTooManyCodes] after too many
// wrong codes, and [match.ErrUnavailable] if this node does not know the code and cannot ask the others.
func (m *Manager) Join(ctx context.Context, p match.Player, c match.Code) (match.ID, match.Player, error) {
	who := m.cfg.accountable(p.ID)
	if !m.guesses.Allows(time.Now(), who) {
		m.cfg.OnLimit(p.ID, match.ErrTooManyCodes)
		return "", p, match.ErrTooManyCodes
	}
	to, err := m.lookUp(ctx, c.Normalize())
	if err != nil {
		m.guesses.Charge(time.Now(), who)
		m.guesses.ChargeAll(time.Now())
		if errors.Is(err, match.ErrNoSuchTable) {
			m.cfg.OnLimit(p.ID, err)
		}
		return "", p, err
	}
	player := p
	err = m.tables.at(ctx, to.id, func(t *table) error {
		return t.do(ctx, func() (err error) {
			if to.side == rules.Nobody {
				return t.takeSeat(p)
			}
			player, err = t.resumeGuest(p, to.side)
			return err
		})
	})
	switch {
	case err == nil:
		if player.ID != p.ID {
			m.cfg.OnGuestResumed(p.ID, player.ID)
		}
		return to.id, player, nil
	case errors.Is(err, match.ErrOwnTable):
		return to.id, p, err
	case errors.Is(err, match.ErrSeatInUse): // a holder of a stolen code must not wait until the guest's connection breaks
		m.guesses.Charge(time.Now(), who)
		m.guesses.ChargeAll(time.Now())
		return "", p, err
	default:
		return "", p, err
	}
}

// lookUp returns the target of a code. If the code is unknown here it first catches up with the journal: another node
// may have recorded it a moment ago. [match.ErrNoSuchTable], and the error of catching up.
func (m *Manager) lookUp(ctx context.Context, c match.Code) (codeTarget, error) {
	if to, ok := m.tables.index.find(c); ok {
		return to, nil
	}
	if err := m.tables.membership.refuse(); err != nil {
		return codeTarget{}, err
	}
	if err := m.cfg.Journal.CatchUp(ctx); err != nil {
		return codeTarget{}, err
	}
	if to, ok := m.tables.index.find(c); ok {
		return to, nil
	}
	return codeTarget{}, match.ErrNoSuchTable
}

// takeSeat seats p on the free seat.
func (t *table) takeSeat(p match.Player) error {
	for {
		e := match.Event{Kind: match.Seated, Seat: t.state.Vacant(), Player: p, Node: t.tables.membership.self}
		e.Match, e.Seq = t.id, t.state.Seq+1
		if _, err := t.state.Apply(e); err != nil {
			return err
		}
		if err := t.recordSeat(e); !errors.Is(err, errAgain) {
			return err
		}
	}
}

// recordSeat records that a player takes a seat; errAgain as of [table.append].
func (t *table) recordSeat(e match.Event) error {
	if err := t.tables.claim(e.Player.ID, t.id); err != nil {
		return err
	}
	defer t.tables.index.release(e.Player.ID, t.id)
	code, err := opener{t.tables}.resumeCode(e.Player, codeTarget{id: t.id, side: e.Seat})
	if err != nil {
		return err
	}
	e.Code = code
	return t.append(e)
}

// resumeGuest returns the guest of a seat whose code p has presented.
func (t *table) resumeGuest(p match.Player, side rules.Side) (match.Player, error) {
	seatState := t.state.SeatState(side)
	switch {
	case t.state.Over():
		return p, match.ErrNoSuchTable
	case seatState.Player.ID == p.ID:
		return p, match.ErrOwnTable
	case t.attendance.isPresent(side):
		return p, match.ErrSeatInUse
	}
	return t.state.Recorded(side), nil
}

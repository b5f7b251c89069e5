package manager

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"notakto/match"
	"notakto/rules"
)

// ResignAll resigns all matches of p in progress, withdraws p's challenges and declines challenges that name p. Call it
// for each deleted account, because a match shows the recorded name and account until its end. ResignAll tries all
// matches and joins their errors. A match that ends first is no error.
func (m *Manager) ResignAll(ctx context.Context, p match.PlayerID) error {
	var failed []error
	for _, id := range m.tables.index.unfinishedOf(p) {
		err := m.tables.withTable(ctx, id, func(t *table) error {
			return t.do(ctx, func() error {
				if t.refresh(); t.state.IsOpenChallenge() && t.state.Side(p) == rules.NoSide {
					return t.record(match.Event{Kind: match.Cancelled, Seat: t.state.VacantSide()})
				}
				return t.resign(t.state.Side(p))
			})
		})
		if state, _ := m.tables.index.match(id); err != nil && state != nil && !state.IsOver() {
			failed = append(failed, fmt.Errorf("match %s: %w", id, err))
		}
	}
	return errors.Join(failed...)
}

// unfinishedOf returns the matches in progress with a seat of p, and the open challenges that name p.
func (i *index) unfinishedOf(p match.PlayerID) (all []match.ID) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, id := range i.seats.byPlayer[p] {
		if e := i.matches[id]; e.isLive() && e.state.Side(p) != rules.NoSide {
			all = append(all, id)
		}
	}
	for _, o := range i.open[p] {
		all = append(all, o.id)
	}
	return all
}

// Operator acts on all matches for the server's operator, private ones included. Methods may be called from any
// goroutine.
type Operator struct{ tables *tables }

// Operator returns the operator of the matches of m.
func (m *Manager) Operator() Operator { return Operator{m.tables} }

// Now returns the journal's time.
func (o Operator) Now() time.Time { return o.tables.now() }

// Matches returns the unfinished matches and the tables that wait for a second player, those without a move for the
// longest time first. Matches leaves MoveBy zero, and fills Spectators and ForfeitAt from [match.Summary].
func (o Operator) Matches() []*match.Snapshot {
	live, _ := o.tables.index.liveAndFinished()
	all := make([]*match.Snapshot, 0, len(live))
	for _, s := range live {
		summary := o.tables.summary(s)
		all = append(all, &match.Snapshot{
			State: s.SeenBy(rules.NoSide), Spectators: summary.Spectators, ForfeitAt: summary.ForfeitAt,
		})
	}
	slices.SortFunc(all, func(a, b *match.Snapshot) int {
		return cmp.Or(a.ChangedAt().Compare(b.ChangedAt()), cmp.Compare(a.ID, b.ID))
	})
	return all
}

// History is [Spectator.History] for any match in the journal.
func (o Operator) History(ctx context.Context, id match.ID) ([]match.State, error) {
	return o.tables.cfg.history(ctx, id)
}

// End ends a match and returns its final state. End gives the win to the player of side winner. If winner is not valid,
// the match is void, and a table that waits for its second player closes. Errors: [match.ErrNoSuchMatch],
// [match.ErrMatchOver], [match.ErrNotStarted], [match.ErrUnavailable].
func (o Operator) End(ctx context.Context, id match.ID, winner rules.Side) (*match.State, error) {
	if s, _ := o.tables.index.match(id); s == nil { // do not start a table for an archived or unknown match
		if _, err := o.History(ctx, id); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("match %s: %w", id, match.ErrMatchOver)
	}
	var ended *match.State
	err := o.tables.withTable(ctx, id, func(t *table) error {
		return t.do(ctx, func() error {
			err := t.record(match.Event{Kind: match.Adjudicated, Seat: winner})
			if errors.Is(err, match.ErrNotStarted) && winner == rules.NoSide {
				err = t.record(match.Event{Kind: match.Cancelled})
			}
			if err == nil {
				ended = t.state.SeenBy(rules.NoSide)
			}
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return ended, nil
}

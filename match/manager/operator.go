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

// Operator acts for the server's operator on all matches, private ones included. Methods may be called from any
// goroutine.
type Operator struct{ tables *tables }

// NewOperator returns the operator of the matches of m.
func NewOperator(m *Manager) Operator { return Operator{m.tables} }

// Now is like [Manager.Now].
func (o Operator) Now() time.Time { return o.tables.now() }

// Matches returns the unfinished matches and the tables that wait for a second player, those without a move for the
// longest time first. Spectators are those of this node. MoveBy is not set.
func (o Operator) Matches() []*match.Snapshot {
	on, _ := o.tables.index.liveAndFinished()
	all := make([]*match.Snapshot, 0, len(on))
	for _, s := range on {
		summary := o.tables.summary(s)
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

// End ends a match and returns its final state. The player of winner wins. For [rules.Nobody] the match is void, and a
// table that waits for its second player is closed. Errors: [match.ErrNoSuchMatch], [match.ErrMatchOver],
// [match.ErrNotStarted], [match.ErrUnavailable].
func (o Operator) End(ctx context.Context, id match.ID, winner rules.Side) (*match.State, error) {
	if s, _ := o.tables.index.match(id); s == nil { // archived or unknown: start no table
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

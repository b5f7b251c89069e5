package match

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// plan is how a table is laid: its first events. The zero plan is that of a table whose log exists.
type plan struct {
	events []Event
	shared bool // another node may lay the same table, or may have begun to
}

// begin lays the table, or reads it from its log.
func (t *table) begin(p plan) error {
	for i, e := range p.events {
		for t.state.Seq < uint64(i)+1 {
			if err := t.record(e); errors.Is(err, errAgain) && !p.shared {
				return fmt.Errorf("match %s: %w", t.id, ErrConflict)
			} else if err != nil && !errors.Is(err, errAgain) {
				return err
			}
		}
	}
	if err := t.follow(); err != nil {
		return err
	}
	t.takeUp(len(p.events) == 0)
	return nil
}

func (t *table) follow() error {
	err := t.consult(func(ctx context.Context) (err error) {
		t.feed, err = t.cfg.Journal.Follow(ctx, t.id)
		return err
	})
	if err != nil {
		return fmt.Errorf("following match %s: %w", t.id, err)
	}
	t.unsure = true
	if err := t.sure(); err != nil {
		return err
	}
	if t.state.Seq == 0 {
		return fmt.Errorf("%w: %.40q", ErrNoSuchMatch, t.id)
	}
	return nil
}

// takeUp makes the table ready for readers. At a table that was laid just now the players are expected; after a restart they were cut off,
// whatever the log says, and time does not count before it.
func (t *table) takeUp(again bool) {
	t.quiet, t.laid = time.Now(), true
	for i, chair := range t.state.chairs {
		switch {
		case !chair.Taken:
		case again:
			t.benches[i].attendance = gone
		default:
			t.benches[i].attendance = expected
		}
	}
	if again {
		t.resumed, t.frozen, t.told = t.quiet, t.state.Over(), t.state.Over()
	}
	t.logBegin(again)
	t.changed()
}

func (t *table) logBegin(again bool) {
	what := "match opened"
	if again {
		what = "match taken up again"
	}
	s := t.state
	t.log.Info(what, "variant", s.Variant.String(), "plies", len(s.Moves),
		"first", string(s.chairs[0].Player.ID), "second", string(s.chairs[1].Player.ID))
}

func (t *table) logEnd() {
	reason := t.state.Outcome.Reason.String()
	if t.state.Closed {
		reason = "dismantled"
	}
	t.log.Info("match ended", "reason", reason, "winner", string(t.state.Chair(t.state.Outcome.Winner).Player.ID), "plies", len(t.state.Moves))
}

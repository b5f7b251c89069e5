package manager

import (
	"context"
	"errors"
	"fmt"

	"notakto/match"
	"notakto/rules"
)

// plan is how a match is opened: its first events. The zero plan is that of a table whose log exists.
type plan struct {
	events []match.Event
	shared bool // another node may lay the same table, or may have begun to
}

// begin opens the match by a plan, or reads it from its log.
func (t *table) begin(p plan) error {
	if len(p.events) > 0 {
		if err := t.open(p); err != nil && (!p.shared || !errors.Is(err, match.ErrConflict)) {
			return err
		}
	}
	// Where another node came first, the match may even be over, and put away.
	if t.refresh(); t.state.Seq == 0 && t.broken == nil {
		if err := t.fetch(); err != nil {
			return err
		}
	}
	if t.broken != nil {
		return t.broken
	}
	t.resume(len(p.events) == 0)
	return nil
}

// open records the events of a plan at once, so that no crash leaves a match with one player. [ErrConflict] if the
// match is open already.
func (t *table) open(p plan) error {
	if t.refresh(); t.state.Seq == 0 {
		if err := t.appendEvents(p.events...); err == nil || t.state.Seq == 0 {
			return err
		}
	}
	return fmt.Errorf("match %s: %w", t.id, match.ErrConflict) // another node came first, at the last moment maybe
}

// fetch reads a match that was archived, or that has not been heard of here yet.
func (t *table) fetch() error {
	var events []match.Event
	err := t.callJournal(func(ctx context.Context) (err error) {
		events, err = t.manager.cfg.Journal.Load(ctx, t.id, 0)
		return err
	})
	if err != nil {
		return fmt.Errorf("reading match %s: %w", t.id, err)
	}
	state := match.State{}
	for _, e := range events {
		if state, err = t.manager.cfg.apply(state, e); err != nil {
			t.broken = fmt.Errorf("match %s: %w", t.id, err)
			return t.broken
		}
	}
	t.state, t.readOnly = &state, state.Over() // one that goes on is only not heard of here yet
	return nil
}

// resume makes the table ready for readers. Who was seated at this node just now is expected; whoever else the log says
// is here was, before something broke, or is at another node. Time does not count before a table is taken up again.
func (t *table) resume(again bool) {
	t.emptySince, t.ready = t.now(), true
	for i, seatState := range t.state.SeatStates() {
		if again && seatState.Taken && seatState.Node == t.manager.membership.self && seatState.Since.Add(joinTimeout).Before(t.emptySince) {
			t.presence[i].state = absent
		}
	}
	if again {
		t.resumed, t.readOnly, t.endLogged = t.emptySince, t.readOnly || t.state.Over(), t.state.Over()
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
		"first", string(s.SeatState(rules.First).Player.ID), "second", string(s.SeatState(rules.Second).Player.ID))
}

func (t *table) logEnd() {
	reason := t.state.Outcome.Reason.String()
	if t.state.Closed {
		reason = "dismantled"
	}
	t.log.Info("match ended", "reason", reason, "winner", string(t.state.SeatState(t.state.Outcome.Winner).Player.ID), "plies", len(t.state.Moves))
}

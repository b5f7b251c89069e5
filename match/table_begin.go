package match

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// plan is how a table is laid: its first events. The zero plan is that of a table whose log exists.
type plan struct {
	events []Event
	shared bool // another node may lay the same table, or may have begun to
}

// begin lays the table, or reads it from its log.
func (t *table) begin(p plan) error {
	if t.catchUp(); len(p.events) > 0 && t.state.Seq > 0 && !p.shared {
		return fmt.Errorf("match %s: %w", t.id, ErrConflict)
	}
	if err := t.follow(p); err != nil && (!p.shared || !errors.Is(err, ErrConflict)) {
		return err
	}
	// Where another node came first, the match may even be over, and put away.
	if t.catchUp(); t.state.Seq == 0 && t.broken == nil {
		if err := t.fetch(); err != nil {
			return err
		}
	}
	if t.broken != nil {
		return t.broken
	}
	t.takeUp(len(p.events) == 0)
	return nil
}

// follow records what is missing of a plan. Other nodes may do the same, or find somebody missing, meanwhile.
func (t *table) follow(p plan) error {
	for _, e := range p.events {
		for !t.state.has(e) {
			switch err := t.record(e); {
			case err == nil, p.shared && (errors.Is(err, errAgain) || t.state.has(e)):
			case errors.Is(err, errAgain):
				return fmt.Errorf("match %s: %w", t.id, ErrConflict)
			default:
				return err
			}
		}
	}
	return nil
}

// has reports whether an event of a plan was recorded.
func (s State) has(e Event) bool {
	if e.Kind == Seated {
		return s.Chair(e.Seat).Taken
	}
	return s.Seq > 0
}

// isDone reports whether everything in a plan was recorded.
func (p plan) isDone(s *State) bool {
	return !slices.ContainsFunc(p.events, func(e Event) bool { return !s.has(e) })
}

// fetch reads a match that was put away, or that has not been heard of here yet.
func (t *table) fetch() error {
	var events []Event
	err := t.consult(func(ctx context.Context) (err error) {
		events, err = t.manager.cfg.Journal.Read(ctx, t.id, 0)
		return err
	})
	if err != nil {
		return fmt.Errorf("reading match %s: %w", t.id, err)
	}
	state := State{}
	for _, e := range events {
		if state, err = state.Apply(e); err != nil {
			t.broken = fmt.Errorf("match %s: %w", t.id, err)
			return t.broken
		}
	}
	t.state, t.frozen = &state, state.Over() // one that goes on is only not heard of here yet
	return nil
}

// takeUp makes the table ready for readers. Who was seated at this node just now is expected; whoever else the log says is here was, before
// something broke, or is at another node. Time does not count before a table is taken up again.
func (t *table) takeUp(again bool) {
	t.quiet, t.laid = t.now(), true
	for i, chair := range t.state.chairs {
		if again && chair.Taken && chair.Node == t.manager.nodes.self && chair.Since.Add(arrival).Before(t.quiet) {
			t.benches[i].attendance = gone
		}
	}
	if again {
		t.resumed, t.frozen, t.told = t.quiet, t.frozen || t.state.Over(), t.state.Over()
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

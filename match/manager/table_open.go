package manager

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

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
	isNew := len(p.events) > 0
	if isNew {
		if err := t.open(p); err != nil && (!p.shared || !errors.Is(err, match.ErrConflict)) {
			return err
		}
	}
	// Where another node came first, the match may even be over, and put away.
	isArchived := false
	if t.refresh(); t.state.Seq == 0 && t.phase != tableBroken {
		if err := t.fetch(); err != nil {
			return err
		}
		isArchived = t.state.Over() // one that goes on is only not heard of here yet
	}
	if t.phase == tableBroken {
		return t.broken
	}
	t.resume(isNew, isArchived)
	return nil
}

// open records the events of a plan at once, so that no crash leaves a match with one player. [ErrConflict] if the
// match is open already.
func (t *table) open(p plan) error {
	if t.refresh(); t.state.Seq == 0 {
		if err := t.append(p.events...); err == nil || t.state.Seq == 0 {
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
			t.fail(err)
			return t.broken
		}
	}
	t.state = &state
	return nil
}

// resume makes the table ready for readers. Who was seated at this node just now is expected; whoever else the log says
// is here was, before something broke, or is at another node. Time does not count before a table is taken up again.
func (t *table) resume(isNew, isArchived bool) {
	now := t.now()
	t.attendance.emptySince = now
	if !isNew {
		t.attendance.missAll(t.state, t.manager.membership.self, now)
		t.resumed = now
	}
	t.phase = tableLive
	if isArchived || !isNew && t.state.Over() {
		t.phase = tableArchived
	}
	logBegin(t.log, t.state, isNew)
	t.changed()
}

func logBegin(log *slog.Logger, s *match.State, isNew bool) {
	what := "match taken up again"
	if isNew {
		what = "match opened"
	}
	log.Info(what, "variant", s.Variant.String(), "plies", len(s.Moves),
		"first", string(s.SeatState(rules.First).Player.ID), "second", string(s.SeatState(rules.Second).Player.ID))
}

func logEnd(log *slog.Logger, s *match.State) {
	reason := s.Outcome.Reason.String()
	if s.Closed {
		reason = "dismantled"
	}
	log.Info("match ended", "reason", reason, "winner", string(s.SeatState(s.Outcome.Winner).Player.ID), "plies", len(s.Moves))
}

package manager

import (
	"context"
	"errors"
	"fmt"

	"notakto/match"
)

// errAgain says that another event was recorded first, and the caller must decide again.
var errAgain = errors.New("decide again")

// refresh publishes what the journal has delivered since.
func (t *table) refresh() {
	state, err := t.tables.index.match(t.id)
	if err != nil {
		t.fail(err)
	}
	if state != nil && state.Seq > t.state.Seq {
		t.state = state
		t.changed()
	}
}

// fail ends the table at its next step: its log cannot be folded.
func (t *table) fail(err error) {
	if t.phase != tableBroken {
		t.phase, t.broken = tableBroken, fmt.Errorf("match %s: %w", t.id, err)
	}
}

// callJournal calls the journal. Time in which it does not answer does not count for absence, since players may have
// tried to return; it is logged if a player's clock was running.
func (t *table) callJournal(ask func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(t.tables.ctx, t.tables.cfg.JournalTimeout)
	defer cancel()
	begun := t.tables.now()
	err := ask(ctx)
	failed := err != nil && !errors.Is(err, match.ErrConflict) && !errors.Is(err, match.ErrArchived)
	now := t.tables.now()
	if failed || now.Sub(begun) > slowJournal {
		t.outages.begin(begun)
	}
	if failed || t.outages.since.IsZero() {
		return err
	}
	t.refresh()
	if a := t.agenda(); !a.forfeitAt().IsZero() || !a.moveBy().IsZero() {
		t.log.Info("the journal did not answer; that time is charged to no player",
			"event", "recording-late", "not_charged_ms",
			now.Sub(t.outages.since).Milliseconds())
	}
	t.outages.end(now)
	t.resumed = now
	return err
}

// append appends events to the log once, all or none. Nil means that they were recorded and published; errAgain, that
// others came first. After any other error the outcome is unknown; the journal delivers them if they were recorded.
func (t *table) append(events ...match.Event) error {
	if t.refresh(); t.phase == tableBroken {
		return t.broken
	}
	next, err := *t.state, error(nil)
	for i := range events {
		e := &events[i]
		e.Match, e.Seq, e.At = t.id, next.Seq+1, t.tables.now()
		if i == 0 {
			e.Spent = t.agenda().spent(e.Kind)
		}
		if next, err = next.Apply(*e); err != nil {
			return err
		}
	}
	if t.phase == tableArchived {
		return match.ErrClosed
	}
	before, lost := t.state, t.tables.membership.lostSince(t.state, events[0])
	err = t.callJournal(func(ctx context.Context) error {
		_, err := t.tables.cfg.Journal.Append(ctx, events...)
		return err
	})
	t.refresh()
	switch {
	case errors.Is(err, match.ErrArchived):
		t.phase = max(t.phase, tableArchived)
		return match.ErrClosed
	case errors.Is(err, match.ErrConflict) && t.state.Seq > before.Seq:
		return errAgain
	case err != nil:
		return fmt.Errorf("recording in match %s: %w", t.id, err)
	}
	t.tables.index.stats.recorded(before, &next, events)
	t.outages.add(lost, t.tables.now())
	for _, e := range events {
		if e.Kind == match.Returned {
			t.attendance.of(e.Seat).chargeReturn(t.tables.now())
		}
	}
	return t.broken
}

// record appends a player's action, retrying while others come first and it remains allowed. Then it records the
// player's return, if that was delayed.
func (t *table) record(e match.Event) error {
	err := errAgain
	for errors.Is(err, errAgain) {
		err = t.append(e)
	}
	if err != nil || !e.Seat.Valid() || t.state.Closed || !t.attendance.isPresent(e.Seat) ||
		t.state.SeatState(e.Seat).Present {
		return err
	}
	_ = t.append(match.Event{Kind: match.Returned, Seat: e.Seat, Node: t.tables.membership.self}) // else recorded later
	return nil
}

// recordDue appends what is due. What the journal refuses is retried after a delay.
func (t *table) recordDue() {
	for t.phase != tableBroken && t.tables.ctx.Err() == nil && !t.tables.now().Before(t.retryAt) {
		d := t.agenda().next()
		if d.event.Kind == 0 || d.at.After(t.tables.now()) {
			return
		}
		e, err := opener{t.tables}.complete(d.event, t.state)
		if err == nil {
			err = t.append(e)
		}
		switch {
		case err == nil, errors.Is(err, errAgain), t.tables.ctx.Err() != nil:
		case errors.Is(err, match.ErrClosed) && t.phase == tableArchived: // another node has archived the match
			return
		default:
			t.retryAt = t.tables.now().Add(backOff)
			t.log.Warn("the table could not record what is due", "event", "recording-failed", "error", err)
		}
	}
}

package manager

import (
	"context"
	"errors"
	"fmt"
	"time"

	"notakto/match"
)

// errAgain says that others recorded something first: what is to be done has to be decided again.
var errAgain = errors.New("decide again")

// refresh shows what the journal has told of the match since.
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

// callJournal asks the journal for something. A time in which it does not answer is not charged to players who are
// away, since they may have been trying to come back; the log says so if a player's time ran.
func (t *table) callJournal(ask func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(t.tables.ctx, t.tables.cfg.JournalTimeout)
	defer cancel()
	begun := t.tables.now()
	err := ask(ctx)
	failed := err != nil && !errors.Is(err, match.ErrConflict) && !errors.Is(err, match.ErrArchived)
	now := t.tables.now()
	if t.journalFailed.IsZero() && (failed || now.Sub(begun) > slowJournal) {
		t.journalFailed = begun
	}
	if failed || t.journalFailed.IsZero() {
		return err
	}
	t.refresh()
	if a := t.agenda(); !a.forfeitAt().IsZero() || !a.moveBy().IsZero() {
		t.log.Info("the journal did not answer; that time is charged to no player", "not-charged", now.Sub(t.journalFailed).Round(time.Millisecond))
	}
	t.journalFailed, t.resumed = time.Time{}, now
	return err
}

// append appends events to the log once, all or none. Nil means that they were recorded and shown; errAgain, that
// something else was. After any other error it is not known; if they were recorded all the same, the journal will tell.
func (t *table) append(events ...match.Event) error {
	if t.refresh(); t.phase == tableBroken {
		return t.broken
	}
	next, err := *t.state, error(nil)
	for i := range events {
		e := &events[i]
		e.Match, e.Seq, e.At = t.id, next.Seq+1, t.tables.now()
		if next, err = next.Apply(*e); err != nil {
			return err
		}
	}
	if t.phase == tableArchived {
		return match.ErrClosed
	}
	before := t.state.Seq
	err = t.callJournal(func(ctx context.Context) error {
		_, err := t.tables.cfg.Journal.Append(ctx, events...)
		return err
	})
	t.refresh()
	switch {
	case errors.Is(err, match.ErrArchived):
		t.phase = max(t.phase, tableArchived)
		return match.ErrClosed
	case errors.Is(err, match.ErrConflict) && t.state.Seq > before:
		return errAgain
	case err != nil:
		return fmt.Errorf("recording in match %s: %w", t.id, err)
	}
	for _, e := range events {
		if e.Kind == match.Returned {
			t.attendance.of(e.Seat).chargeReturn(t.tables.now())
		}
	}
	return t.broken
}

// record appends what a player does, as soon as nothing comes first and if it is still allowed then, and after that
// that the player is here, if this was held back.
func (t *table) record(e match.Event) error {
	err := errAgain
	for errors.Is(err, errAgain) {
		err = t.append(e)
	}
	if err != nil || !e.Seat.Valid() || t.state.Closed || !t.attendance.isPresent(e.Seat) || t.state.SeatState(e.Seat).Present {
		return err
	}
	_ = t.append(match.Event{Kind: match.Returned, Seat: e.Seat, Node: t.tables.membership.self}) // else it is due later
	return nil
}

// recordDue appends what is due. What the journal refuses is tried again after a while.
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
		case errors.Is(err, match.ErrClosed) && t.phase == tableArchived: // another node has put the match away
			return
		default:
			t.retryAt = t.tables.now().Add(backOff)
			t.log.Warn("the table could not record what is due", "error", err)
		}
	}
}

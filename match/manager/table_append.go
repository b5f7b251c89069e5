package manager

import (
	"context"
	"errors"
	"fmt"
	"time"

	"notakto/match"
	"notakto/rules"
)

// errAgain says that others recorded something first: what is to be done has to be decided again.
var errAgain = errors.New("decide again")

// refresh shows what the journal has told of the match since.
func (t *table) refresh() {
	state, err := t.manager.index.match(t.id)
	if err != nil && t.broken == nil {
		t.broken = fmt.Errorf("match %s: %w", t.id, err)
	}
	if state != nil && state.Seq > t.state.Seq {
		t.state = state
		t.changed()
	}
}

// callJournal asks the journal for something. A time in which it does not answer is charged to nobody who is away,
// since they may have been trying to come back.
func (t *table) callJournal(ask func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(t.ctx, t.manager.cfg.JournalTimeout)
	defer cancel()
	begun := t.now()
	err := ask(ctx)
	failed := err != nil && !errors.Is(err, match.ErrConflict) && !errors.Is(err, match.ErrArchived)
	if now := t.now(); t.journalFailed.IsZero() && (failed || now.Sub(begun) > slowJournal) {
		t.journalFailed = begun
	}
	if !failed && !t.journalFailed.IsZero() {
		t.spare(t.now())
	}
	return err
}

// spare charges the time since the journal began to fail to no player, and says so in the log if a player is away whose
// time ran.
func (t *table) spare(now time.Time) {
	if t.refresh(); !t.expiry().IsZero() || !t.moveBy().IsZero() {
		t.log.Info("the journal did not answer; that time is charged to no player", "not-charged", now.Sub(t.journalFailed).Round(time.Millisecond))
	}
	t.journalFailed, t.resumed = time.Time{}, now
}

// appendEvents appends events, all or none. Nil means that they were recorded and shown; errAgain, that something else
// was. After any other error it is not known; if they were recorded all the same, the journal will tell.
func (t *table) appendEvents(events ...match.Event) error {
	if t.refresh(); t.broken != nil {
		return t.broken
	}
	next, err := *t.state, error(nil)
	for i := range events {
		e := &events[i]
		e.Match, e.Seq, e.At = t.id, next.Seq+1, t.now()
		if next, err = next.Apply(*e); err != nil {
			return err
		}
	}
	if t.readOnly {
		return match.ErrClosed
	}
	before := t.state.Seq
	err = t.callJournal(func(ctx context.Context) error {
		_, err := t.manager.cfg.Journal.Append(ctx, events...)
		return err
	})
	t.refresh()
	switch {
	case errors.Is(err, match.ErrArchived):
		t.readOnly = true
		return match.ErrClosed
	case errors.Is(err, match.ErrConflict) && t.state.Seq > before:
		return errAgain
	case err != nil:
		return fmt.Errorf("recording in match %s: %w", t.id, err)
	default:
		return t.broken
	}
}

// appendRetry records e as soon as nothing comes first, if it is still allowed then.
func (t *table) appendRetry(e match.Event) error {
	for {
		if err := t.appendEvents(e); !errors.Is(err, errAgain) {
			return err
		}
	}
}

// resign gives up for a side; a table at which nobody sits opposite yet is cleared instead.
func (t *table) resign(side rules.Side) error {
	if err := t.appendRetry(match.Event{Kind: match.Resigned, Seat: side}); !errors.Is(err, match.ErrNotStarted) {
		return err
	}
	return t.appendRetry(match.Event{Kind: match.Cancelled})
}

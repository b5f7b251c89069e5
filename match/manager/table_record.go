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

// catchUp shows what the journal has told of the match since.
func (t *table) catchUp() {
	state, err := t.manager.register.match(t.id)
	if err != nil && t.broken == nil {
		t.broken = fmt.Errorf("match %s: %w", t.id, err)
	}
	if state != nil && state.Seq > t.state.Seq {
		t.state = state
		t.changed()
	}
}

// consult asks the journal for something. A time in which it does not answer is charged to nobody who is away, since they may have been
// trying to come back.
func (t *table) consult(ask func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(t.ctx, t.manager.cfg.Patience)
	defer cancel()
	begun := t.now()
	err := ask(ctx)
	failed := err != nil && !errors.Is(err, match.ErrConflict) && !errors.Is(err, match.ErrRetired)
	if now := t.now(); t.ailing.IsZero() && (failed || now.Sub(begun) > stall) {
		t.ailing = begun
	}
	if !failed && !t.ailing.IsZero() {
		t.spare(t.now())
	}
	return err
}

// spare charges the time since the journal began to fail to no player, and says so in the log if a player is away whose time ran.
func (t *table) spare(now time.Time) {
	if t.catchUp(); !t.expiry().IsZero() || !t.moveBy().IsZero() {
		t.log.Info("the journal did not answer; that time is charged to no player", "not-charged", now.Sub(t.ailing).Round(time.Millisecond))
	}
	t.ailing, t.resumed = time.Time{}, now
}

// record appends events, all or none. Nil means that they were recorded and shown; errAgain, that something else was. After any other error
// it is not known; if they were recorded all the same, the journal will tell.
func (t *table) record(events ...match.Event) error {
	if t.catchUp(); t.broken != nil {
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
	if t.frozen {
		return match.ErrClosed
	}
	before := t.state.Seq
	err = t.consult(func(ctx context.Context) error {
		_, err := t.manager.cfg.Journal.Append(ctx, events...)
		return err
	})
	t.catchUp()
	switch {
	case errors.Is(err, match.ErrRetired):
		t.frozen = true
		return match.ErrClosed
	case errors.Is(err, match.ErrConflict) && t.state.Seq > before:
		return errAgain
	case err != nil:
		return fmt.Errorf("recording in match %s: %w", t.id, err)
	default:
		return t.broken
	}
}

// decide records e as soon as nothing comes first, if it is still allowed then.
func (t *table) decide(e match.Event) error {
	for {
		if err := t.record(e); !errors.Is(err, errAgain) {
			return err
		}
	}
}

// resign gives up for a side; a table at which nobody sits opposite yet is cleared instead.
func (t *table) resign(side rules.Side) error {
	if err := t.decide(match.Event{Kind: match.Resigned, Seat: side}); !errors.Is(err, match.ErrNotBegun) {
		return err
	}
	return t.decide(match.Event{Kind: match.Dismantled})
}

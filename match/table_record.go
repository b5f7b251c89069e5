package match

import (
	"context"
	"errors"
	"fmt"
	"time"

	"notakto/rules"
)

// errAgain says that others recorded something first: what is to be done has to be decided again.
var errAgain = errors.New("decide again")

// sure brings the state up to date with the journal, if there may be a difference.
func (t *table) sure() error {
	if !t.unsure {
		return nil
	}
	var events []Event
	err := t.consult(func(ctx context.Context) (err error) {
		events, err = t.cfg.Journal.Read(ctx, t.id, t.state.Seq)
		return err
	})
	if err != nil {
		return fmt.Errorf("reading match %s: %w", t.id, err)
	}
	t.unsure = false
	return t.fold(events...)
}

// consult asks the journal for something. A time in which it does not answer is charged to nobody who is away, since they may have been
// trying to come back.
func (t *table) consult(ask func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(t.ctx, t.cfg.Patience)
	defer cancel()
	begun := time.Now()
	err := ask(ctx)
	if err != nil && !errors.Is(err, ErrConflict) && !errors.Is(err, ErrRetired) {
		t.ailing = true
	} else if now := time.Now(); t.ailing || now.Sub(begun) > stall {
		t.ailing, t.resumed = false, now
	}
	return err
}

func (t *table) fold(events ...Event) error {
	for _, e := range events {
		next, err := t.state.Apply(e)
		if err != nil {
			t.broken = fmt.Errorf("match %s: %w", t.id, err)
			return t.broken
		}
		t.state = next
	}
	if len(events) > 0 {
		t.changed()
	}
	return nil
}

// record appends one event. Nil means that it was recorded and folded; errAgain, that something else was. After any other error of the
// journal's the table reads before it does anything else.
func (t *table) record(e Event) error {
	if err := t.sure(); err != nil {
		return err
	}
	e.Match, e.Seq, e.At = t.id, t.state.Seq+1, time.Now()
	if _, err := t.state.Apply(e); err != nil {
		return err
	}
	if t.frozen {
		return ErrClosed
	}
	t.unsure = true
	var stored Event
	err := t.consult(func(ctx context.Context) (err error) {
		stored, err = t.cfg.Journal.Append(ctx, e)
		return err
	})
	switch {
	case err == nil:
		t.unsure = false
		return t.fold(stored)
	case errors.Is(err, ErrConflict):
		return t.overtaken()
	case errors.Is(err, ErrRetired):
		t.frozen = true
		return ErrClosed
	default:
		return fmt.Errorf("recording in match %s: %w", t.id, err)
	}
}

// overtaken reads what came first.
func (t *table) overtaken() error {
	before := t.state.Seq
	switch err := t.sure(); {
	case err != nil:
		return err
	case t.state.Seq == before: // the journal lags behind itself: neither guess nor spin
		t.unsure = true
		return fmt.Errorf("match %s: %w, and cannot be read yet", t.id, ErrConflict)
	default:
		return errAgain
	}
}

// decide records e as soon as nothing comes first, if it is still allowed then.
func (t *table) decide(e Event) error {
	for {
		if err := t.record(e); !errors.Is(err, errAgain) {
			return err
		}
	}
}

// resign gives up for a side; a table at which nobody sits opposite yet is cleared instead.
func (t *table) resign(side rules.Side) error {
	if err := t.decide(Event{Kind: Resigned, Seat: side}); !errors.Is(err, ErrNotBegun) {
		return err
	}
	return t.decide(Event{Kind: Dismantled})
}

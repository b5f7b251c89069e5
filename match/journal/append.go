package journal

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"notakto/match"
)

// Append is [match.Journal]'s.
func (s *Store) Append(ctx context.Context, e match.Event) (match.Event, error) {
	if err := ctx.Err(); err != nil {
		return match.Event{}, err
	}
	if !nameable(e.Match) {
		return match.Event{}, fmt.Errorf("%w: %.40q cannot be the name of a match", errUnwritable, e.Match)
	}
	last, err := s.view.place(e.Match, e.Seq)
	if errors.Is(err, errUnknown) {
		return match.Event{}, s.misplaced(ctx, e)
	}
	if err != nil {
		return match.Event{}, err
	}
	entry, err := encodeEvent(e)
	if err != nil {
		return match.Event{}, err
	}
	return s.record(ctx, e.Match, e.Seq, last, entry)
}

// misplaced says why an event has no place in a match that is not live here.
func (s *Store) misplaced(ctx context.Context, e match.Event) error {
	switch _, _, err := s.seek(ctx, e.Match); {
	case err == nil:
		return match.ErrRetired
	case errors.Is(err, match.ErrNoSuchMatch):
		return conflict(e.Match, e.Seq)
	default:
		return err
	}
}

// record publishes an entry of a match's log and waits until the follower has brought it back.
func (s *Store) record(ctx context.Context, id match.ID, seq, last uint64, entry []byte) (match.Event, error) {
	msg := s.press.message(matchSubject+string(id), last, entry)
	messageID := msg.Header.Get(jetstream.MsgIDHeader)
	d := s.view.expect(messageID)
	defer s.view.forget(messageID)
	began := time.Now()
	err := s.committer.publish(ctx, msg)
	var wrong wrongLastError
	if errors.As(err, &wrong) {
		err = s.overtaken(ctx, id, seq, wrong.last)
	}
	if err == nil {
		err = d.await(ctx)
	}
	select {
	case <-d.done: // whatever the answer was: it is in the log
		s.clock.sample(began, d.event.At)
		return d.event, nil
	default:
		return match.Event{}, err
	}
}

// await returns when the message was told.
func (d *delivery) await(ctx context.Context) error {
	select {
	case <-d.done:
		return nil
	case <-ctx.Done():
		return unavailable(ctx.Err())
	}
}

// overtaken says what an event came too late for, once that can be read here.
func (s *Store) overtaken(ctx context.Context, id match.ID, seq, last uint64) error {
	if last == anywhere {
		var err error
		if last, err = s.last(ctx, matchSubject+string(id)); err != nil {
			return err
		}
	}
	if last > 0 {
		if err := s.view.reach(ctx, id, last); err != nil {
			return unavailable(err)
		}
	} else if err := s.emptied(ctx, id, seq); err != nil {
		return err
	}
	if _, err := s.view.place(id, seq); errors.Is(err, match.ErrRetired) {
		return err
	}
	return conflict(id, seq)
}

// emptied finds out why nothing is left of a log that was here: the match was put away, or somebody deleted it.
func (s *Store) emptied(ctx context.Context, id match.ID, seq uint64) error {
	r, at, err := s.seek(ctx, id)
	if err != nil {
		return err
	}
	s.view.finish(r, at)
	if seq == 1 {
		return conflict(id, seq)
	}
	return match.ErrRetired
}

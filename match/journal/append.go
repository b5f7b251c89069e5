package journal

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"notakto/match"
	"notakto/match/journal/internal/codec"
	"notakto/match/journal/natsd"
)

// Append implements [match.Journal].
func (s *Store) Append(ctx context.Context, events ...match.Event) (match.Event, error) {
	began := time.Now()
	e, err := appendEvents(ctx, s, events)
	s.stats.appended(err, time.Since(began))
	return e, err
}

func appendEvents(ctx context.Context, s *Store, events []match.Event) (match.Event, error) {
	if err := ctx.Err(); err != nil {
		return match.Event{}, err
	}
	e := events[0]
	if !nameable(e.Match) {
		return match.Event{}, fmt.Errorf("%w: %.40q cannot be the name of a match", codec.ErrUnwritable, e.Match)
	}
	last, err := s.index.expectedSeq(e.Match, e.Seq)
	if errors.Is(err, errUnknown) {
		return match.Event{}, whyNotLive(ctx, s, e)
	}
	if err == nil && e.Seq == 1 {
		err = s.archive.checkNew(ctx, e.Match)
	}
	if err != nil {
		return match.Event{}, err
	}
	entry, err := codec.EncodeEvents(events)
	if err != nil {
		return match.Event{}, err
	}
	return s.record(ctx, e.Match, e.Seq, last, entry)
}

// whyNotLive returns why an event cannot be appended to a match that is not live here.
func whyNotLive(ctx context.Context, s *Store, e match.Event) error {
	switch _, err := s.archive.find(ctx, e.Match); {
	case err == nil:
		return match.ErrArchived
	case errors.Is(err, match.ErrNoSuchMatch):
		return conflict(e.Match, e.Seq)
	default:
		return err
	}
}

// record publishes an entry of a match's log, waits until the follower has delivered it, and returns its last event.
func (s *Store) record(ctx context.Context, id match.ID, seq, last uint64, entry []byte) (match.Event, error) {
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	msg := s.committer.publisher.message(natsd.MatchSubject+string(id), last, entry)
	messageID := msg.Header.Get(jetstream.MsgIDHeader)
	d := s.index.expect(messageID)
	defer s.index.forget(messageID)
	err := errOnceMore
	for errors.Is(err, errOnceMore) {
		if err = s.node.Monitor.Writable(); err == nil {
			err = s.committer.publish(ctx, msg)
		}
		if errors.Is(err, errMovedOn) {
			err = s.resolveConflict(ctx, id, seq, last)
		}
	}
	if err == nil {
		err = d.await(ctx)
	}
	select {
	case <-d.done: // whatever the answer was, it is in the log
		return d.event, nil
	default:
		return match.Event{}, err
	}
}

// await waits until the message has been delivered.
func (d *delivery) await(ctx context.Context) error {
	select {
	case <-d.done:
		return nil
	case <-ctx.Done():
		return natsd.Unavailable(ctx.Err())
	}
}

// errOnceMore says that no other event came first after all.
var errOnceMore = errors.New("send it once more")

// inFlight is how long a refused event waits for another one that its leader may be about to record.
const inFlight = 250 * time.Millisecond

// resolveConflict returns why an event expected to follow a sequence was refused, once the event that came first can be
// read here.
func (s *Store) resolveConflict(ctx context.Context, id match.ID, seq, expected uint64) error {
	actual, err := lastSeq(ctx, s.node.Streams.Matches, natsd.MatchSubject+string(id))
	if err != nil {
		return err
	}
	if actual > expected {
		if err := s.index.waitSeq(ctx, id, actual); err != nil {
			return natsd.Unavailable(err)
		}
		return s.index.tooLate(id, seq)
	}
	// The leader of a cluster also refuses for an event that it is about to record, which may fail.
	brief, cancel := context.WithTimeout(ctx, inFlight)
	defer cancel()
	if s.index.progress.wait(brief, func() bool { return s.index.isFilled(id, seq) }) == nil {
		return s.index.tooLate(id, seq)
	}
	if actual == 0 && expected > 0 {
		r, err := s.archive.find(ctx, id)
		if err == nil { // it was archived, which the follower has not delivered yet
			s.index.finish(r)
			return s.index.tooLate(id, seq)
		}
		if !errors.Is(err, match.ErrNoSuchMatch) {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return natsd.Unavailable(err)
	}
	return errOnceMore
}

func (v *index) tooLate(id match.ID, seq uint64) error {
	if _, err := v.expectedSeq(id, seq); errors.Is(err, match.ErrDamaged) || errors.Is(err, match.ErrNewer) {
		return err
	}
	return conflict(id, seq)
}

// Archive implements [match.Journal]. It returns once the match is sealed; the archiver does the rest.
func (s *Store) Archive(ctx context.Context, id match.ID) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for {
		n, last, sealed, err := s.index.end(id)
		if errors.Is(err, errUnknown) {
			return s.archivedError(ctx, id)
		}
		if err != nil || sealed {
			return err
		}
		_, err = s.record(ctx, id, n+1, last, codec.EncodeSeal(id, n))
		if errors.Is(err, match.ErrArchived) {
			return nil
		}
		if !errors.Is(err, match.ErrConflict) {
			return err
		}
	}
}

// archivedError returns nil if a match that is not live here was archived.
func (s *Store) archivedError(ctx context.Context, id match.ID) error {
	if _, live, err := s.catchUp(ctx, id, 0); err != nil {
		return err
	} else if live {
		return s.Archive(ctx, id)
	}
	_, err := s.archive.find(ctx, id)
	return err
}

// nameable reports whether an ID can be a token of a subject. Others are refused.
func nameable(id match.ID) bool {
	return 0 < len(id) && len(id) <= 64 && !strings.ContainsFunc(string(id), func(r rune) bool {
		return (r < 'a' || 'z' < r) && (r < 'A' || 'Z' < r) && (r < '0' || '9' < r) && r != '-' && r != '_'
	})
}

package journal

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"notakto/match"
)

// Put implements [match.Registry].
func (s *Store) Put(ctx context.Context, n match.Entry) (match.Entry, error) {
	if len(n.Text) == 0 {
		return match.Entry{}, fmt.Errorf("%w: a note without a text", errUnwritable)
	}
	return s.change(ctx, n)
}

// Delete implements [match.Registry].
func (s *Store) Delete(ctx context.Context, n match.Entry) error {
	if n.Revision == 0 {
		return entryChanged(n.Key)
	}
	n.Text = nil
	_, err := s.change(ctx, n)
	return err
}

// Watch implements [match.Registry].
func (s *Store) Watch(fn func(match.Entry)) (stop func()) { return s.registry.watch(fn, s.Now()) }

func entryChanged(key string) error {
	return fmt.Errorf("%w: the note %q has changed", match.ErrConflict, key)
}

// change publishes an entry in the place of the one it names and waits until the follower has brought it back.
func (s *Store) change(ctx context.Context, n match.Entry) (match.Entry, error) {
	if err := ctx.Err(); err != nil {
		return match.Entry{}, err
	}
	if ok, err := regexp.MatchString(`^[a-z0-9-]+(\.[a-z0-9-]+)*$`, n.Key); !ok || err != nil {
		return match.Entry{}, fmt.Errorf("%w: %.40q cannot be the key of a note", errUnwritable, n.Key)
	}
	last, err := s.registry.expectedSeq(n, s.Now())
	if err != nil {
		return match.Entry{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	for range 3 {
		var received match.Entry
		received, err = s.putSettled(ctx, n, last)
		if errors.Is(err, errForgotten) {
			s.mendRegistry(ctx, s.registry.next())
			last = 0
			continue
		}
		var wrong wrongLastError
		if !errors.As(err, &wrong) {
			return received, err
		}
		// What stood there may have been an entry that was taken down, or one that vanished by age: no entry either
		// way. And the server may have dropped an entry before its time.
		if err := s.registry.waitSeq(ctx, wrong.last); err != nil {
			return match.Entry{}, unavailable(err)
		}
		if !s.registry.canReplace(n, wrong.last, s.Now()) {
			break
		}
		last = wrong.last
	}
	if errors.Is(err, errForgotten) {
		return match.Entry{}, unavailable(err)
	}
	return match.Entry{}, entryChanged(n.Key)
}

// putSettled pins an entry once the server is not about to record another under its key: until then it refuses
// without saying what is the last, which may come to nothing.
func (s *Store) putSettled(ctx context.Context, n match.Entry, last uint64) (match.Entry, error) {
	for {
		received, err := s.put(ctx, n, last)
		var wrong wrongLastError
		if !errors.As(err, &wrong) || wrong.last != noExpectedSeq {
			return received, err
		}
		if wait(ctx, 50*time.Millisecond); ctx.Err() != nil {
			return match.Entry{}, unavailable(ctx.Err())
		}
	}
}

// errForgotten says that the servers have forgotten BOARD and number its messages from the start: followers would not
// tell of an entry there.
var errForgotten = errors.New("the servers have forgotten the board")

// put publishes an entry that comes after last. It stood even where another came so soon that the follower has
// brought only that one.
func (s *Store) put(ctx context.Context, n match.Entry, last uint64) (match.Entry, error) {
	next := s.registry.next()
	seq, err := s.publisher.publish(ctx, s.publisher.message(registrySubject+n.Key, last, n.Text))
	if err != nil {
		return match.Entry{}, err
	}
	if seq < next {
		return match.Entry{}, errForgotten
	}
	if err := s.registry.waitSeq(ctx, seq); err != nil {
		return match.Entry{}, unavailable(err)
	}
	received := s.registry.entry(n.Key)
	if received.Revision == seq {
		return received, nil
	}
	n.Revision, n.At = seq, s.Now()
	return n, nil
}

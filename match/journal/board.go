package journal

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"notakto/match"
)

// Pin is [match.Board]'s.
func (s *Store) Pin(ctx context.Context, n match.Note) (match.Note, error) {
	if len(n.Text) == 0 {
		return match.Note{}, fmt.Errorf("%w: a note without a text", errUnwritable)
	}
	return s.change(ctx, n)
}

// Unpin is [match.Board]'s.
func (s *Store) Unpin(ctx context.Context, n match.Note) error {
	if n.Revision == 0 {
		return noteChanged(n.Key)
	}
	n.Text = nil
	_, err := s.change(ctx, n)
	return err
}

// Look is [match.Board]'s.
func (s *Store) Look(look func(match.Note)) (stop func()) { return s.notes.look(look, s.Now()) }

func noteChanged(key string) error {
	return fmt.Errorf("%w: the note %q has changed", match.ErrConflict, key)
}

// change publishes a note in the place of the one it names and waits until the follower has brought it back.
func (s *Store) change(ctx context.Context, n match.Note) (match.Note, error) {
	if err := ctx.Err(); err != nil {
		return match.Note{}, err
	}
	if ok, err := regexp.MatchString(`^[a-z0-9-]+(\.[a-z0-9-]+)*$`, n.Key); !ok || err != nil {
		return match.Note{}, fmt.Errorf("%w: %.40q cannot be the key of a note", errUnwritable, n.Key)
	}
	last, err := s.notes.place(n, s.Now())
	if err != nil {
		return match.Note{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for range 3 {
		var told match.Note
		told, err = s.pinSettled(ctx, n, last)
		if errors.Is(err, errForgotten) {
			s.mendBoard(ctx, s.notes.next())
			last = 0
			continue
		}
		var wrong wrongLastError
		if !errors.As(err, &wrong) {
			return told, err
		}
		// What stood there may have been a note that was taken down, or one that vanished by age: no note either way. And the server may have
		// dropped a note before its time.
		if err := s.notes.reach(ctx, wrong.last); err != nil {
			return match.Note{}, unavailable(err)
		}
		if !s.notes.mayFollow(n, wrong.last, s.Now()) {
			break
		}
		last = wrong.last
	}
	if errors.Is(err, errForgotten) {
		return match.Note{}, unavailable(err)
	}
	return match.Note{}, noteChanged(n.Key)
}

// pinSettled pins a note once the server is not about to record another under its key: until then it refuses without
// saying what is the last, which may come to nothing.
func (s *Store) pinSettled(ctx context.Context, n match.Note, last uint64) (match.Note, error) {
	for {
		told, err := s.pin(ctx, n, last)
		var wrong wrongLastError
		if !errors.As(err, &wrong) || wrong.last != anywhere {
			return told, err
		}
		if wait(ctx, 50*time.Millisecond); ctx.Err() != nil {
			return match.Note{}, unavailable(ctx.Err())
		}
	}
}

// errForgotten says that the servers have forgotten BOARD and number its messages from the start: followers would not tell of a note there.
var errForgotten = errors.New("the servers have forgotten the board")

// pin publishes a note that comes after last. It stood even where another came so soon that the follower has brought only that one.
func (s *Store) pin(ctx context.Context, n match.Note, last uint64) (match.Note, error) {
	next := s.notes.next()
	seq, err := s.press.publish(ctx, s.press.message(boardSubject+n.Key, last, n.Text))
	if err != nil {
		return match.Note{}, err
	}
	if seq < next {
		return match.Note{}, errForgotten
	}
	if err := s.notes.reach(ctx, seq); err != nil {
		return match.Note{}, unavailable(err)
	}
	told := s.notes.note(n.Key)
	if told.Revision == seq {
		return told, nil
	}
	n.Revision, n.At = seq, s.Now()
	return n, nil
}

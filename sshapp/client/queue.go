package client

import (
	"context"

	"notakto/match"
	"notakto/match/lobby"
)

// Queue is a ticket in a queue with its newest status. The questions may be asked of a nil Queue: it
// is no place at all.
type Queue struct {
	lobby.SeekStatus
	Player match.PlayerID
	State  QueueState

	session *Session
	handle  seekHandle
}

// QueueState is what has become of a place in a queue.
type QueueState uint8

// The states. From QueueFound on the place is gone.
const (
	QueueWaiting  QueueState = iota
	QueueLeaving             // the player has given it up; an opponent may be found all the same
	QueueFound               // Match is the match: sit down there
	QueueMoved               // the player waits in another session now
	QueueLeft                // given up, as the player wanted
	QueueStopping            // taken away: the server is stopping
)

// Seek takes a place in the queue for p, who accepts any of the given terms, the preferred ones first. Errors as of
// [lobby.Lobby.Seek], and [ErrEnded].
func (s *Session) Seek(ctx context.Context, p match.Player, accepts ...match.Terms) (*Queue, error) {
	seek, err := s.manager.Lobby().Seek(ctx, p, accepts...)
	if err != nil {
		return nil, err
	}
	q := &Queue{SeekStatus: seek.Latest(), Player: p.ID, session: s, handle: seekHandle{seek}}
	if !s.keep(q.handle) {
		return nil, ErrEnded
	}
	return q, nil
}

// seekHandle makes a seek a closer.
type seekHandle struct{ *lobby.Seek }

// Close gives the place up.
func (s seekHandle) Close() { s.Cancel() }

// Status returns the channel of the seek's changes; nil if q is nil or over. What it delivers is for [Queue.Take].
func (q *Queue) Status() <-chan lobby.SeekStatus {
	if q == nil || q.IsOver() {
		return nil
	}
	return q.handle.Status()
}

// Take takes in what was received from Status, and returns the state that it leads to.
func (q *Queue) Take(status lobby.SeekStatus, open bool) QueueState {
	if open {
		q.SeekStatus = status
	}
	switch {
	case !open && q.State == QueueLeaving:
		q.State = QueueLeft
	case !open:
		q.State = QueueStopping
	case status.Moved:
		q.State = QueueMoved
	case status.Match != "":
		q.State = QueueFound
	}
	if q.IsOver() {
		q.session.forget(q.handle)
	}
	return q.State
}

// Leave gives the place up. What it returns asks the lobby for that, which may take a moment and may be done by another
// goroutine; Status says what came of it.
func (q *Queue) Leave() (ask func()) {
	if !q.IsWaiting() {
		return func() {}
	}
	q.State = QueueLeaving
	return q.handle.Cancel
}

// IsWaiting reports whether the player holds the place.
func (q *Queue) IsWaiting() bool { return q != nil && q.State == QueueWaiting }

// IsLeaving reports whether the place is being given up.
func (q *Queue) IsLeaving() bool { return q != nil && q.State == QueueLeaving }

// IsOver reports whether nothing more will come.
func (q *Queue) IsOver() bool { return q == nil || q.State >= QueueFound }

package client

import (
	"context"
	"time"

	"notakto/match"
	"notakto/match/lobby"
)

const (
	// PlaceKeptFor is the time without activity of the player after which the place in the queue is given up.
	PlaceKeptFor = 3 * time.Minute
	// PlaceWarning is the time between the warning and the end of PlaceKeptFor.
	PlaceWarning = 30 * time.Second
	// PlaceAnswerWithin is the time to answer [Queue.Ask], after a match that the player played while in the queue.
	PlaceAnswerWithin = time.Minute
)

// Queue is a ticket in a queue with its newest status. A nil Queue is no place: all methods but Take may
// be called on it.
type Queue struct {
	lobby.SeekStatus
	Player match.PlayerID
	State  QueueState

	session     *Session
	seek        *lobby.Seek
	attention   attention
	attentionAt time.Time // when attention was set, by this process's clock
}

// attention says whether a player may have lost interest in a place in the queue.
type attention uint8

const (
	attentive attention = iota // the player did something lately
	doubted                    // the player was warned
	asked                      // the player was asked whether to keep the place
)

// QueueState is the state of a place in a queue.
type QueueState uint8

// The states. From QueueFound on, the player no longer holds the place.
const (
	QueueWaiting QueueState = iota
	QueueLeaving            // the player has given the place up, but may still get an opponent
	QueueFound              // Match is the match: sit down there
	QueueMoved              // the player waits in another session now
	QueueLeft               // the player has left
	QueueClosed             // the server has closed it: it drains or stops
)

// Due is a task of the front end for a place in the queue whose player does nothing.
type Due uint8

// The tasks that may be due.
const (
	NothingDue Due = iota
	WarningDue     // warn the player
	LeavingDue     // give the place up
)

// Seek takes a place in the queue for p, who accepts any of the given terms, the preferred ones first. Errors as of
// [lobby.Lobby.Seek], and [ErrEnded].
func (s *Session) Seek(ctx context.Context, p match.Player, accepts ...match.Terms) (*Queue, error) {
	return s.hold(s.manager.Lobby().Seek(ctx, p, accepts...))
}

// SeekForgiving is [Session.Seek] by [lobby.Lobby.SeekForgiving].
func (s *Session) SeekForgiving(ctx context.Context, p match.Player, accepts ...match.Terms) (*Queue, error) {
	return s.hold(s.manager.Lobby().SeekForgiving(ctx, p, accepts...))
}

// hold returns seek as a place of the session, or err.
func (s *Session) hold(seek *lobby.Seek, err error) (*Queue, error) {
	if err != nil {
		return nil, err
	}
	q := &Queue{SeekStatus: seek.Latest(), Player: seek.Player(), session: s, seek: seek, attentionAt: time.Now()}
	if err := s.keep(q); err != nil {
		return nil, err
	}
	seek.Notify(s.changed)
	return q, nil
}

func (q *Queue) release() { q.seek.Cancel() }

// Status returns the channel of the seek's changes, nil if q is nil or over. Pass what it delivers to [Queue.Take].
func (q *Queue) Status() <-chan lobby.SeekStatus {
	if q == nil || q.IsOver() {
		return nil
	}
	return q.seek.Status()
}

// Poll takes in the newest status. It reports false if there is no new one, or q is nil or over.
func (q *Queue) Poll() (changed bool) {
	select {
	case status, open := <-q.Status():
		q.Take(status, open)
		return true
	default:
		return false
	}
}

// Take applies a status received from [Queue.Status] and returns the new state.
func (q *Queue) Take(status lobby.SeekStatus, open bool) QueueState {
	if open {
		q.SeekStatus = status
	}
	switch {
	case !open && q.State == QueueLeaving:
		q.State = QueueLeft
	case !open:
		q.State = QueueClosed
	case status.Moved:
		q.State = QueueMoved
	case status.Match != "":
		q.State = QueueFound
	}
	if q.IsOver() {
		q.session.forget(q)
	}
	return q.State
}

// Leave gives the place up. The caller must call ask, in any goroutine. ask tells the lobby and may take a moment.
// Status then delivers the outcome.
func (q *Queue) Leave() (ask func()) {
	if !q.IsWaiting() {
		return func() {}
	}
	q.State = QueueLeaving
	return q.seek.Cancel
}

// Activity records that the player did something. An answer to [Queue.Ask] needs Keep or Leave.
func (q *Queue) Activity() {
	if q.IsWaiting() && q.attention != asked {
		q.Keep()
	}
}

// Ask records that the player was asked whether the place is still wanted. The answers are Keep and Leave.
func (q *Queue) Ask() {
	if q.IsWaiting() {
		q.attention, q.attentionAt = asked, time.Now()
	}
}

// Keep records that the player still wants the place.
func (q *Queue) Keep() {
	if q.IsWaiting() {
		q.attention, q.attentionAt = attentive, time.Now()
	}
}

// IsAsked reports whether the player was asked and has not answered yet.
func (q *Queue) IsAsked() bool { return q.IsWaiting() && q.attention == asked }

// IsDoubted reports whether the player was warned and has done nothing since.
func (q *Queue) IsDoubted() bool { return q.IsWaiting() && q.attention == doubted }

// CheckAt returns when [Queue.Check] will have a task unless the player does something; zero for never.
func (q *Queue) CheckAt() time.Time {
	switch {
	case !q.IsWaiting():
		return time.Time{}
	case q.attention == asked:
		return q.attentionAt.Add(PlaceAnswerWithin)
	case q.attention == doubted:
		return q.attentionAt.Add(PlaceKeptFor)
	default:
		return q.attentionAt.Add(PlaceKeptFor - PlaceWarning)
	}
}

// Check returns the task that is due. It returns WarningDue once.
func (q *Queue) Check() Due {
	switch at := q.CheckAt(); {
	case at.IsZero() || time.Now().Before(at):
		return NothingDue
	case q.attention == attentive:
		q.attention = doubted
		return WarningDue
	default:
		return LeavingDue
	}
}

// IsWaiting reports whether the player holds the place.
func (q *Queue) IsWaiting() bool { return q != nil && q.State == QueueWaiting }

// IsLeaving reports whether the place is being given up.
func (q *Queue) IsLeaving() bool { return q != nil && q.State == QueueLeaving }

// IsOver reports whether the state is final or q is nil.
func (q *Queue) IsOver() bool { return q == nil || q.State >= QueueFound }

package tui

import (
	"context"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/lobby"
	"notakto/sshapp/client"
)

// seek is the player's search for an opponent: the current place in the queue, and the place to request next.
// [Root.onSeekStatus] acts on its news.
type seek struct {
	env     *env
	queue   *client.Queue // the current or last place; nil before the first
	wanted  seekRequest   // the place that is requested now, or once queue has left; zero for none
	checkAt time.Time     // the time of the check that scheduleCheck set last
}

type seekRequest struct {
	accepts  []match.Terms // the preferred ones first
	forgives bool          // as of [client.Session.SeekForgiving]
}

type seekStatusMsg struct {
	queue  *client.Queue
	status lobby.SeekStatus
	open   bool
}

// request gives up the player's place and requests one with wanted: at once, or when the old place is gone. If another
// request is waiting, request ignores wanted.
func (s *seek) request(wanted seekRequest) tea.Cmd {
	drop := s.drop()
	if s.wanted.accepts != nil {
		return drop
	}
	if s.wanted = wanted; s.queue.IsLeaving() {
		return drop
	}
	return batch(drop, s.ask())
}

// ask sends the request for wanted, if there is one. When the place is granted, the waiting screen comes up.
func (s *seek) ask() tea.Cmd {
	if s.wanted.accepts == nil {
		return nil
	}
	e, p, wanted, seek := s.env, s.env.player, s.wanted, s.env.client.Seek
	if wanted.forgives {
		seek = e.client.SeekForgiving
	}
	return e.do(nil, func(ctx context.Context) (tea.Msg, error) {
		q, err := seek(ctx, p, wanted.accepts...)
		return navigation(func(r *Root) tea.Cmd {
			s.queue, s.wanted = q, seekRequest{}
			return batch(batch(nextStatus(q), s.scheduleCheck()), r.show(newWaiting(e)))
		}), err
	})
}

// scheduleCheck sets a timer for the next check of the place. It replaces the timer of an earlier call.
func (s *seek) scheduleCheck() tea.Cmd {
	at := s.queue.CheckAt()
	if s.checkAt = at; at.IsZero() {
		return nil
	}
	return s.env.after(time.Until(at), func(r *Root) tea.Cmd { return r.checkPlace(at) })
}

func (s *seek) questionText(e *env) string {
	keys := e.keys
	switch {
	case s.queue.IsAsked():
		yes, no := keys.yes.Help().Key, keys.leaveQueue.Help().Key
		return e.either("Still want an opponent? "+yes+" keeps your place in the queue, "+no+" gives it up.",
			"Still want an opponent? "+yes+" yes, "+no+" no")
	case s.queue.IsDoubted():
		return e.either("Still there? Press any key to keep your place in the queue.",
			"Still there? Any key keeps your place.")
	default:
		return ""
	}
}

func (s *seek) lapsedText(e *env, wasAsked bool) string {
	if wasAsked {
		return e.either("You left the queue: you did not say that you still want an opponent.",
			"You left the queue: no answer.")
	}
	minutes := strconv.Itoa(int(client.PlaceKeptFor.Minutes()))
	return e.either("You left the queue: no key was pressed for "+minutes+" minutes.",
		"You left the queue: no key for "+minutes+" min.")
}

// drop gives up the place. The queue's status reports when the place is gone.
func (s *seek) drop() tea.Cmd {
	if !s.queue.IsWaiting() {
		return nil
	}
	leave := s.queue.Leave()
	return func() tea.Msg {
		leave()
		return nil
	}
}

func nextStatus(q *client.Queue) tea.Cmd {
	updates := q.Status()
	if updates == nil {
		return nil
	}
	return func() tea.Msg {
		status, open := <-updates
		return seekStatusMsg{q, status, open}
	}
}

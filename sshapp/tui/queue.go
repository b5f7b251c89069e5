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

// seek is the player's search for an opponent: the place in the queue, and what is asked for next.
// [Root.onSeekStatus] goes where its news leads.
type seek struct {
	env     *env
	queue   *client.Queue // the place, or the last one; nil before the first
	wanted  seekRequest   // the place that is asked for, or will be once queue is gone; zero for none
	checkAt time.Time     // when the place is to be checked, as of the last scheduleCheck
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

// request gives up the player's place and asks for one with wanted: at once, or when the old one is gone. While another
// request waits, wanted is ignored.
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

// ask asks for the place that is wanted, if one is. The screen of the place comes up when it is granted.
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

// scheduleCheck has the place checked when that is due. It replaces an earlier call.
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

// drop gives up the place. Its status says when it is gone.
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

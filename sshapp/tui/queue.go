package tui

import (
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/lobby"
	"notakto/sshapp/client"
)

// seek is the player's search for an opponent. It owns the place in the queue and what is asked for next, and touches
// nothing else; [Root.onSeekStatus] goes where its news leads.
type seek struct {
	commands *commands
	queue    *client.Queue // the place, or the last one; nil before the first
	wanted   seekRequest   // the place that is asked for, or will be once queue is gone; zero for none
	checkAt  time.Time     // when the last command of scheduleCheck brings its message
}

// seekRequest is what the player seeks.
type seekRequest struct {
	accepts  []match.Terms // the preferred ones first
	forgives bool          // as of [client.Session.SeekForgiving]
}

// placeDue says that it may be time to ask for a sign of life, or to give up the place.
type placeDue struct{ at time.Time }

// seekStatusMsg says how a place in the queue stands now, or that it is gone.
type seekStatusMsg struct {
	queue  *client.Queue
	status lobby.SeekStatus
	open   bool
}

// request gives up the player's place and asks for one with wanted: at once, or when the old one is gone. While another
// request waits, wanted is ignored.
func (s *seek) request(p match.Player, wanted seekRequest) tea.Cmd {
	drop := s.drop()
	if s.wanted.accepts != nil {
		return drop
	}
	s.wanted = wanted
	if s.queue.IsLeaving() {
		return drop
	}
	return batch(drop, s.commands.seek(p, wanted))
}

// begin takes the place that was asked for.
func (s *seek) begin(q *client.Queue) tea.Cmd {
	s.queue, s.wanted = q, seekRequest{}
	return batch(nextStatus(q), s.scheduleCheck())
}

// scheduleCheck brings a message when the place is to be checked, in place of an earlier one.
func (s *seek) scheduleCheck() tea.Cmd {
	at := s.queue.CheckAt()
	if s.checkAt = at; at.IsZero() {
		return nil
	}
	return s.commands.in(time.Until(at), func() tea.Msg { return placeDue{at} })
}

// ask has the player asked whether the place is still wanted, which has outlived a match.
func (s *seek) ask() tea.Cmd {
	if !s.queue.IsWaiting() {
		return nil
	}
	s.queue.Ask()
	return s.scheduleCheck()
}

// check returns what is due about the place, and the command that brings the next message. A place that ends is left.
func (s *seek) check(msg placeDue) (client.Due, tea.Cmd) {
	if !msg.at.Equal(s.checkAt) {
		return client.NothingDue, nil
	}
	action := s.queue.Check()
	if action == client.LeavingDue {
		return action, s.drop()
	}
	return action, s.scheduleCheck()
}

// questionText asks a player who seems to have forgotten the place; "" if there is nothing to ask.
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

// lapsedText says why the place was given up.
func (s *seek) lapsedText(e *env, wasAsked bool) string {
	if wasAsked {
		return e.either("You left the queue: you did not say that you still want an opponent.",
			"You left the queue: no answer.")
	}
	minutes := strconv.Itoa(int(client.PlaceKeptFor.Minutes()))
	return e.either("You left the queue: no key was pressed for "+minutes+" minutes.",
		"You left the queue: no key for "+minutes+" min.")
}

// drop gives up the place, which may take a moment. Its status says when it is gone.
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

// onLeft asks for the next place, once one is gone, if the player wants one.
func (s *seek) onLeft(p match.Player) tea.Cmd {
	if s.wanted.accepts == nil {
		return nil
	}
	return s.commands.seek(p, s.wanted)
}

// nextStatus waits for the next news of a place in the queue. There is none once the place is gone.
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

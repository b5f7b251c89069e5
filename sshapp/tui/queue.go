package tui

import (
	"notakto/match/lobby"

	tea "charm.land/bubbletea/v2"
)

// News of a place in the queue.
type (
	seekStatusMsg struct {
		seek   *lobby.Seek
		status lobby.SeekStatus
	}
	seekEndedMsg struct{ seek *lobby.Seek }
)

// next waits for the queue's next news; it ends when the place is given up or has led to a match.
func (q *queueing) next() tea.Msg {
	status, open := <-q.seek.Status()
	if !open {
		return seekEndedMsg{q.seek}
	}
	return seekStatusMsg{q.seek, status}
}

// queue begins to wait for an opponent.
func (r *Root) queue(seek *lobby.Seek) tea.Cmd {
	q := &queueing{seek: seek, SeekStatus: lobby.SeekStatus{Terms: r.session.terms, Since: r.session.commands.now(), Waiting: 1}}
	r.session.queue, r.session.seeking = q, false
	return batch(q.next, r.show(newWaiting(r.session)))
}

// enterWaiting shows the place in the queue, or asks for one: as soon as the one that was given up is gone.
func (r *Root) enterWaiting() tea.Cmd {
	if r.session.queue != nil {
		return r.show(newWaiting(r.session))
	}
	if r.session.seeking {
		return nil
	}
	r.session.seeking = true
	if r.leaving != nil {
		return nil
	}
	return r.session.commands.seek(r.session.player, r.session.terms)
}

// dropQueue gives the place in the queue up, which may take a moment. Its end is told.
func (r *Root) dropQueue() tea.Cmd {
	q := r.session.queue
	if q == nil {
		return nil
	}
	r.session.queue, r.leaving = nil, q.seek
	open := r.session.commands.handles
	return func() tea.Msg {
		open.drop(queued{q.seek})
		return nil
	}
}

// onSeekStatus takes in how a place in the queue stands. An opponent may be found even after it was given up, if that
// came too late.
func (r *Root) onSeekStatus(msg seekStatusMsg) tea.Cmd {
	again := (&queueing{seek: msg.seek}).next
	if msg.status.Match == "" {
		if q := r.session.queue; q != nil && q.seek == msg.seek {
			q.SeekStatus = msg.status
		}
		return again
	}
	_, here := r.screen.(*waitingScreen)
	switch q := r.session.queue; {
	case q != nil && q.seek == msg.seek:
		again = batch(again, r.dropQueue())
	case r.leaving == msg.seek:
		r.session.seeking = false // the opponent who was wished for again has come
	}
	r.ring()
	if here {
		return batch(again, r.goTo(msg.status.Match))
	}
	return batch(again, r.alertFound(msg.status.Match))
}

// queueEnd notes that a place in the queue is gone. If it was not given up, led to no match and did not move, the
// server is stopping.
func (r *Root) queueEnd(msg seekEndedMsg) tea.Cmd {
	if r.leaving == msg.seek {
		return r.queueLeft()
	}
	q := r.session.queue
	if q == nil || q.seek != msg.seek {
		return nil
	}
	why := "The queue is closed: the server is stopping."
	if q.Moved {
		why = "You wait for an opponent at another window now."
	}
	cmd := r.dropQueue()
	r.leaving, r.unqueued = nil, !q.Moved
	if _, here := r.screen.(*waitingScreen); here {
		return batch(cmd, r.enterLobby(why))
	}
	return cmd
}

// queueLeft asks for the next place if it is wished for.
func (r *Root) queueLeft() tea.Cmd {
	if r.leaving = nil; !r.session.seeking {
		return nil
	}
	return r.session.commands.seek(r.session.player, r.session.terms)
}

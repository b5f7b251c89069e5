package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
)

// News of a place in the queue.
type (
	queueTold struct {
		seek   *match.Seek
		status match.SeekStatus
	}
	queueEnded struct{ seek *match.Seek }
)

// next waits for the queue's next news; it ends when the place is given up or has led to a match.
func (q *queueing) next() tea.Msg {
	status, open := <-q.seek.Status()
	if !open {
		return queueEnded{q.seek}
	}
	return queueTold{q.seek, status}
}

// queue begins to wait for an opponent.
func (r *Root) queue(seek *match.Seek) tea.Cmd {
	q := &queueing{seek: seek, SeekStatus: match.SeekStatus{Variant: r.session.variant, Since: time.Now(), Waiting: 1}}
	r.session.queue, r.session.seeking = q, false
	return together(q.next, r.show(newWaiting(r.session)))
}

// enterWaiting shows the place in the queue, or asks for one.
func (r *Root) enterWaiting() tea.Cmd {
	if r.session.queue != nil {
		return r.show(newWaiting(r.session))
	}
	if r.session.seeking {
		return nil
	}
	r.session.seeking = true
	return r.session.wishes.seek(r.session.player, r.session.variant)
}

func (r *Root) dropQueue() {
	if q := r.session.queue; q != nil {
		r.session.queue = nil
		r.session.wishes.handles.drop(queued{q.seek})
	}
}

// queueNews takes in how a place in the queue stands. An opponent may be found even after it was given up, if that came too late.
func (r *Root) queueNews(msg queueTold) tea.Cmd {
	again := (&queueing{seek: msg.seek}).next
	if msg.status.Match == "" {
		if q := r.session.queue; q != nil && q.seek == msg.seek {
			q.SeekStatus = msg.status
		}
		return again
	}
	_, here := r.screen.(*waitingScreen)
	if q := r.session.queue; q != nil && q.seek == msg.seek {
		r.dropQueue()
	}
	r.ring()
	if here {
		return together(again, r.goTo(msg.status.Match))
	}
	r.found = msg.status.Match
	return again
}

// queueEnd notes that a place in the queue is gone. If it led to no match, the queue was closed.
func (r *Root) queueEnd(msg queueEnded) tea.Cmd {
	q := r.session.queue
	if q == nil || q.seek != msg.seek {
		return nil
	}
	r.dropQueue()
	if _, here := r.screen.(*waitingScreen); here {
		return r.enterLobby("The queue was closed: no pairing now.")
	}
	return nil
}

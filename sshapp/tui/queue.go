package tui

import (
	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/lobby"
	"notakto/sshapp/client"
)

// seekStatusMsg is how a place in the queue stands now, or that it is gone.
type seekStatusMsg struct {
	queue  *client.Queue
	status lobby.SeekStatus
	open   bool
}

// nextStatus waits for the next news of a place in the queue; there is none once it is gone.
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

// beginWaiting begins to wait for an opponent.
func beginWaiting(r *Root, q *client.Queue) tea.Cmd {
	r.session.queue, r.session.seeking = q, false
	return batch(nextStatus(q), r.show(newWaiting(r.session)))
}

// enterWaiting shows the place in the queue, or asks for one: as soon as the one that was given up is gone.
func enterWaiting(r *Root) tea.Cmd {
	if r.session.queue.IsWaiting() {
		return r.show(newWaiting(r.session))
	}
	if r.session.seeking {
		return nil
	}
	r.session.seeking = true
	if r.session.queue.IsLeaving() {
		return nil
	}
	return r.session.commands.seek(r.session.player, r.session.choices.terms)
}

// dropQueue gives the place in the queue up, which may take a moment. Its end is told.
func dropQueue(r *Root) tea.Cmd {
	if !r.session.queue.IsWaiting() {
		return nil
	}
	ask := r.session.queue.Leave()
	return func() tea.Msg {
		ask()
		return nil
	}
}

// onSeekStatus takes in how a place in the queue stands. An opponent may be found even after it was given up, if that
// came too late.
func onSeekStatus(r *Root, msg seekStatusMsg) tea.Cmd {
	wasLeaving := msg.queue.IsLeaving()
	switch state := msg.queue.Take(msg.status, msg.open); {
	case !msg.queue.IsOver():
		return nextStatus(msg.queue)
	case state == client.QueueFound:
		return opponentFound(r, msg.status.Match, wasLeaving)
	case wasLeaving:
		return queueLeft(r)
	case state == client.QueueMoved:
		return queueLost(r, "You wait for an opponent at another window now.")
	default:
		return queueLost(r, "The queue is closed: the server is stopping.")
	}
}

// opponentFound goes to the match, or calls the player over to it. Who has given the place up and wished for another
// one has it by that.
func opponentFound(r *Root, id match.ID, wasLeaving bool) tea.Cmd {
	if wasLeaving {
		r.session.seeking = false
	}
	r.ring()
	if _, here := r.screen.(*waitingScreen); here {
		return r.goTo(id)
	}
	return alertFound(r, id)
}

// queueLost tells the player that the place in the queue is gone, and why.
func queueLost(r *Root, why string) tea.Cmd {
	if _, here := r.screen.(*waitingScreen); here {
		return enterLobby(r, why)
	}
	return nil
}

// queueLeft asks for the next place if it is wished for.
func queueLeft(r *Root) tea.Cmd {
	if !r.session.seeking {
		return nil
	}
	return r.session.commands.seek(r.session.player, r.session.choices.terms)
}

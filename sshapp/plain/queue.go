package plain

import (
	"context"
	"strconv"
	"time"

	"notakto/match"
	"notakto/match/lobby"
	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

// queueing is a place in a queue, and what was said of it. Nil is none.
type queueing struct {
	*client.Queue
	begun   time.Time // by this process's clock
	shown   string    // who wait, as printed last
	offered bool
}

// status is where news of the queue comes.
func (q *queueing) status() <-chan lobby.SeekStatus {
	if q == nil {
		return nil
	}
	return q.Status()
}

// leave gives the place up, if there is one.
func (q *queueing) leave() {
	if q.isWaiting() {
		q.Leave()()
	}
}

// isWaiting reports whether the player holds a place.
func (q *queueing) isWaiting() bool { return q != nil && q.IsWaiting() }

// offerAt is when the computer is to be offered; zero for never.
func (q *queueing) offerAt() time.Time {
	if !q.isWaiting() || q.offered {
		return time.Time{}
	}
	return q.begun.Add(client.OfferComputerAfter)
}

// seekOpponent takes a place in the queue, once the one that was given up is gone. If the opponent has come first,
// there is nothing to wait for.
func seekOpponent(s *session, terms match.Terms) error {
	if s.queue.isWaiting() {
		s.printLine("You are waiting already, for "+wording.Variant(s.queue.Variant)+".", "Type leave to give that place up first.")
		return nil
	}
	ctx, cancel := s.callContext()
	defer cancel()
	if err := leaveQueue(ctx, s); err != nil || s.busy() != "" {
		return err
	}
	place, err := s.client.Seek(ctx, s.player, terms)
	if err != nil {
		return err
	}
	s.queue = &queueing{Queue: place, begun: time.Now()}
	alone := ""
	if lobby := s.cfg.Manager.Lobby(); lobby.Waiting(terms) == 1 {
		s.queue.Elsewhere, s.queue.WaitingElsewhere = lobby.Elsewhere(terms)
		alone = waitingText(s.queue.SeekStatus)
		s.queue.shown = alone
	}
	s.printLine("Waiting for an opponent, for "+wording.Variant(terms.Variant)+".", alone)
	return nil
}

// leaveQueue waits until a place that was given up is gone, and takes in how that went.
func leaveQueue(ctx context.Context, s *session) error {
	for s.queue != nil {
		select {
		case status, open := <-s.queue.status():
			onSeekStatus(s, status, open)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// onSeekStatus prints how the ticket in the queue stands. An opponent may be found even after it was given up, if that
// came too late.
func onSeekStatus(s *session, status lobby.SeekStatus, open bool) {
	q := s.queue
	state := q.Take(status, open)
	if q.IsOver() {
		s.queue = nil
	}
	switch state {
	case client.QueueStopping:
		s.printLine("The server is stopping.", queueClosed)
	case client.QueueMoved:
		s.printLine("You wait for an opponent at another window now.")
	case client.QueueFound:
		opponentFound(s, status.Match)
	case client.QueueWaiting, client.QueueLeaving:
		tellCutOff(s, status.CutOff)
		isAboutToPlay := status.Waiting == 2 // each of two is the other's opponent
		if text := waitingText(status); text != q.shown && !isAboutToPlay && q.isWaiting() {
			q.shown = text
			s.printLine(text)
		}
	case client.QueueLeft:
	}
}

// queueClosed is printed for a player who waits when the server stops: a place in the queue does not outlast the
// session.
const queueClosed = "You were removed from the queue: type play again when you have come back."

// opponentFound goes to the match, or says that it waits if the player is in another.
func opponentFound(s *session, id match.ID) {
	if s.tables.current.IsPlaying() || s.tables.current.IsInviting() {
		s.tables.found = id
		watchBackground(s)
		s.printLine("An opponent has come: "+aboutMatch(s, id)+".", "Type go to sit down there; this table is kept.")
		return
	}
	s.printLine("An opponent has come.")
	s.report(s.goTo(id))
}

// offerComputer helps those who wait for long.
func offerComputer(s *session) {
	at := s.queue.offerAt()
	if at.IsZero() || time.Now().Before(at) {
		return
	}
	s.queue.offered = true
	if s.busy() == "" {
		s.printLine("Nobody yet. Type computer to play the computer meanwhile: you keep your place, and hear as soon as someone comes.")
	}
}

// playText is what is typed to play a game.
func playText(v rules.Variant) string {
	if v.IsTicTacToe() {
		return "play tictactoe"
	}
	return "play " + strconv.Itoa(v.Boards())
}

// waitingText is how many wait, and for what.
func waitingText(status lobby.SeekStatus) string {
	switch n := status.WaitingElsewhere; {
	case status.Waiting > 1:
		return wording.Count(status.Waiting, "", "are waiting, you among them.")
	case n > 0:
		return wording.Count(n, "other waits", "others wait") + " for " + wording.Variant(status.Elsewhere.Variant) + ": type leave, then " +
			playText(status.Elsewhere.Variant) + ", to play there."
	default:
		return "You are the only one waiting."
	}
}

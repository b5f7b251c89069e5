package plain

import (
	"context"
	"slices"
	"strconv"
	"time"

	"notakto/match"
	"notakto/match/lobby"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

// queue is the player's place in the queue. It owns the place and what was said of it, and prints who else waits. It
// touches no other part: the session goes to the match when an opponent has come.
type queue struct {
	*client.Queue // nil without a place

	player  *player
	out     *printer
	begun   time.Time // by this process's clock
	shown   string    // who wait, as printed last
	offered bool      // the computer, instead of an opponent
}

// seek takes a place in the queue. The one that was given up has to be gone: see awaitGone.
func (q *queue) seek(ctx context.Context, accepts []match.Terms) error {
	place, err := q.player.client.Seek(ctx, q.player.Player, accepts...)
	if err != nil {
		return err
	}
	q.Queue, q.begun, q.shown, q.offered = place, time.Now(), "", false
	if !isAboutToPlay(place.SeekStatus) {
		q.shown = waitingText(place.SeekStatus)
	}
	q.out.printLine("Waiting for an opponent, for "+wording.Accepts(accepts)+".", q.shown)
	return nil
}

// awaitGone waits until a place that was given up is gone. It returns the match of an opponent who has come before.
func (q *queue) awaitGone(ctx context.Context) (found match.ID, err error) {
	for q.Queue != nil {
		select {
		case status, open := <-q.Status():
			found = q.onStatus(status, open)
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	return found, nil
}

// onStatus takes in what was received from Status and prints how the place stands. It returns the match once an
// opponent has come, which may happen even after the place was given up, if that came too late.
func (q *queue) onStatus(status lobby.SeekStatus, open bool) (found match.ID) {
	place := q.Queue
	state := place.Take(status, open)
	if place.IsOver() {
		q.Queue = nil
	}
	switch state {
	case client.QueueStopping:
		q.out.printLine("No new matches begin at this server now.", queueClosed)
	case client.QueueMoved:
		q.out.printLine("You are waiting in another window now.")
	case client.QueueFound:
		return status.Match
	case client.QueueWaiting, client.QueueLeaving:
		q.out.tellCutOff(status.CutOff)
		if text := waitingText(status); text != q.shown && !isAboutToPlay(status) && place.IsWaiting() {
			q.shown = text
			q.out.printLine(text)
		}
	case client.QueueLeft:
	}
	return ""
}

// leave gives the place up, if there is one. The place is gone once Status has said so.
func (q *queue) leave() { q.Leave()() }

// offerAt is when the computer is to be offered; zero for never.
func (q *queue) offerAt() time.Time {
	if !q.IsWaiting() || q.offered {
		return time.Time{}
	}
	return q.begun.Add(client.OfferComputerAfter)
}

// offerComputer offers the computer once to a player who has waited for long, but not to one who is busy elsewhere.
func (q *queue) offerComputer(isBusy bool) {
	at := q.offerAt()
	if at.IsZero() || time.Now().Before(at) {
		return
	}
	if q.offered = true; isBusy {
		return
	}
	why := ""
	if q.Waiting > 1 && len(q.Others) == 0 {
		why = wording.NotPaired(lobby.ApartFor)
	}
	q.out.printLine("No opponent yet.", why,
		"Type computer to play the computer while you wait: you keep your place and are told when someone joins.")
}

// isAboutToPlay reports whether each of two who wait is the other's opponent.
func isAboutToPlay(status lobby.SeekStatus) bool {
	return status.Waiting == 2 && len(status.Others) == 0
}

// queueClosed is printed for a player who waits when the server stops: a place in the queue does not outlast the
// session.
const queueClosed = "You were removed from the queue: type play again when you have come back."

// playText is what is typed to play with one who waits.
func playText(w lobby.Waiter) string {
	terms := w.Accepts[0]
	if i := slices.IndexFunc(w.Accepts, func(t match.Terms) bool { return t.Clock.IsNone() }); i >= 0 {
		terms = w.Accepts[i]
	}
	text := "play tictactoe"
	if terms.Pool.IsRated() {
		return "play rated"
	}
	if !terms.Variant.IsTicTacToe() {
		text = "play " + strconv.Itoa(terms.Variant.Boards())
	}
	if !terms.Clock.IsNone() {
		text += " " + terms.Clock.String()
	}
	return text
}

// waitingText is who else waits, and for what.
func waitingText(status lobby.SeekStatus) string {
	switch {
	case len(status.Others) > 0:
		other := status.Others[0]
		return wording.WaitsFor(other.Name, other.Accepts) + ": type leave, then " + playText(other) + ", to play that."
	case status.Waiting > 1:
		return wording.Count(status.Waiting, "", "are waiting, including you.")
	default:
		return "You are the only one waiting."
	}
}

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

// seek takes a place in the queue, for a player who may forgive those who did not move in time. The one that was given
// up has to be gone: see awaitGone.
func (q *queue) seek(ctx context.Context, accepts []match.Terms, forgives bool) error {
	seek := q.player.client.Seek
	if forgives {
		seek = q.player.client.SeekForgiving
	}
	place, err := seek(ctx, q.player.Player, accepts...)
	if err != nil {
		return err
	}
	q.Queue, q.begun, q.shown, q.offered = place, time.Now(), "", false
	if !isAboutToPlay(place.SeekStatus) {
		q.shown = q.waitingText(place.SeekStatus)
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
	case client.QueueClosed:
		q.out.printLine("No new matches begin at this server now.", "You were removed from the queue.")
	case client.QueueMoved:
		q.out.printLine("You are waiting in another window now.")
	case client.QueueFound:
		return status.Match
	case client.QueueWaiting, client.QueueLeaving:
		q.out.tellCutOff(status.CutOff)
		if text := q.waitingText(status); text != q.shown && !isAboutToPlay(status) && place.IsWaiting() {
			q.shown = text
			q.out.printLine(text)
		}
	case client.QueueLeft:
	}
	return ""
}

// leave gives the place up, if there is one. The place is gone once Status has said so.
func (q *queue) leave() { q.Leave()() }

// reminder tells a player at a table of the place; "" without one.
func (q *queue) reminder() string {
	if !q.IsWaiting() {
		return ""
	}
	return "You are in the queue: type leave queue to give up your place."
}

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
	if q.offered = true; isBusy || q.IsAsked() {
		return
	}
	q.out.printLine("No opponent yet.",
		"Type computer to play the computer while you wait: you keep your place and are told when someone joins.")
}

// check asks a player for a sign of life who typed nothing for long, or gives the place up.
func (q *queue) check() {
	wasAsked := q.IsAsked()
	switch q.Check() {
	case client.NothingDue:
	case client.WarningDue:
		q.out.printLine("Still there? Press Enter within " + wording.ClockLeft(client.PlaceWarning) +
			" to keep your place in the queue.")
	case client.LeavingDue:
		q.leave()
		why := "You typed nothing for " + wording.ClockLeft(client.PlaceKeptFor)
		if wasAsked {
			why = "You did not say that you still want an opponent"
		}
		q.out.printLine(why + ", so you have left the queue.")
	}
}

// ask asks a player who has a place whether it is still wanted, which has outlived a match.
func (q *queue) ask() {
	if q.IsWaiting() {
		q.Ask()
		q.out.printLine("You are still in the queue. Do you still want an opponent? Type yes or no within " +
			wording.ClockLeft(client.PlaceAnswerWithin) + ".")
	}
}

// answer takes a line for the answer of one who was asked, if it is one.
func (q *queue) answer(text string) (answered bool) {
	if !q.IsAsked() {
		return false
	}
	switch text {
	case "yes", "y":
		q.Keep()
		q.out.printLine("You keep your place in the queue.")
	case "no", "n":
		q.leave()
		q.out.printLine(stoppedWaiting)
	default:
		return false
	}
	return true
}

// stoppedWaiting is printed for a player who has left the queue.
const stoppedWaiting = "You have stopped waiting."

// isAboutToPlay reports whether each of two who wait is the other's opponent.
func isAboutToPlay(status lobby.SeekStatus) bool {
	return status.Waiting == 2 && len(status.Others)+len(status.Apart) == 0
}

// queueClosed is printed for a player who waits when the session is ended: a place in the queue does not outlast it.
const queueClosed = "You were removed from the queue: type play again when you have come back."

// playText is what is typed to play with one who waits.
func playText(w lobby.Waiter) string {
	if w.IsLate {
		w.IsLate = false
		return playText(w) + " anyway"
	}
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

// waitingText returns who else waits, and for what, or why that player is no opponent now.
func (q *queue) waitingText(status lobby.SeekStatus) string {
	switch {
	case len(status.Apart) > 0:
		other := status.Apart[0]
		left := other.ApartUntil.Sub(q.player.manager.Now()) + time.Minute - 1 // whole minutes: they are not counted down
		text := wording.KeptApart(other.Name, other.IsLate, wording.ClockLeft(max(time.Minute, left.Truncate(time.Minute))))
		if other.IsLate {
			text += " Type play anyway to play with " + other.Name + " all the same."
		}
		return text
	case len(status.Others) > 0:
		other := status.Others[0]
		return wording.WaitsFor(other.Name, other.Accepts) + ": type leave, then " + playText(other) + ", to play that."
	case status.Waiting > 1:
		return wording.Count(status.Waiting, "", "are waiting, including you.")
	default:
		return "You are the only one waiting."
	}
}

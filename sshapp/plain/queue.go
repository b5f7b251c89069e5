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

// queue is the player's place in the queue, with what was printed about it. The session goes to the match when an
// opponent has come.
type queue struct {
	*client.Queue // nil without a place

	player  *player
	out     *printer
	begun   time.Time // by this process's clock
	shown   string    // the sentence about who waits that was printed last
	offered bool      // offerComputer was due already
}

// seek takes a place in the queue. The last place has to be gone: see awaitGone. A player may forgive opponents who did
// not move in time.
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
	if !q.isAboutToPlay() {
		q.shown = q.waitingText()
	}
	q.out.printLine("Waiting for an opponent, for "+wording.Accepts(accepts)+".", q.shown)
	return nil
}

// awaitGone waits until a place that was given up is gone. If an opponent was found before, it returns the match.
func (q *queue) awaitGone(ctx context.Context) (found match.ID, err error) {
	for found = q.catchUp(); q.Queue != nil; found = q.catchUp() {
		select {
		case <-q.player.client.Changed():
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	return found, nil
}

// catchUp takes in the newest status of the place and prints it. It returns the match once an opponent is found, which
// may happen even after the place was given up.
func (q *queue) catchUp() (found match.ID) {
	for q.Poll() {
		place := q.Queue
		if place.IsOver() {
			q.Queue = nil
		}
		switch place.State {
		case client.QueueClosed:
			q.out.printLine("No new matches begin at this server now.", "You were removed from the queue.")
		case client.QueueMoved:
			q.out.printLine("You are waiting in another window now.")
		case client.QueueFound:
			found = place.Match
		case client.QueueWaiting, client.QueueLeaving:
			q.out.tellCutOff(place.CutOff)
			if text := q.waitingText(); text != q.shown && !q.isAboutToPlay() && place.IsWaiting() {
				q.shown = text
				q.out.printLine(text)
			}
		case client.QueueLeft:
		}
	}
	return found
}

// leave gives the place up, if there is one. The place is gone once catchUp has set Queue to nil.
func (q *queue) leave() { q.Leave()() }

// stop leaves the queue for a player who asked for that.
func (q *queue) stop() {
	q.leave()
	q.out.printLine("You have stopped waiting.")
}

// reminder returns a sentence for a player who is at a table and has a place; "" without a place.
func (q *queue) reminder() string {
	if !q.IsWaiting() {
		return ""
	}
	return "You are in the queue: type leave queue to give up your place."
}

// offerAt returns when the computer is to be offered; zero for never.
func (q *queue) offerAt() time.Time {
	if !q.IsWaiting() || q.offered {
		return time.Time{}
	}
	return q.begun.Add(client.OfferComputerAfter)
}

// offerComputer offers the computer once to a player who has waited for long and is not busy elsewhere.
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

// check asks a player who has typed nothing for long to confirm the place, and later gives the place up.
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

// ask asks a player whose place has outlived a match whether to keep the place.
func (q *queue) ask() {
	if q.IsWaiting() {
		q.Ask()
		q.out.printLine("You are still in the queue. Do you still want an opponent? Type yes or no within " +
			wording.ClockLeft(client.PlaceAnswerWithin) + ".")
	}
}

// answer reports whether a line answers the question of ask, and acts on the answer.
func (q *queue) answer(text string) (answered bool) {
	switch {
	case !q.IsAsked():
		return false
	case isYes(text):
		q.Keep()
		q.out.printLine("You keep your place in the queue.")
	case isNo(text):
		q.stop()
	default:
		return false
	}
	return true
}

func isYes(text string) bool { return text == "yes" || text == "y" }

func isNo(text string) bool { return text == "no" || text == "n" }

// isAboutToPlay reports whether the only two players who wait are opponents for each other.
func (q *queue) isAboutToPlay() bool { return q.Waiting == 2 && len(q.Others)+len(q.Apart) == 0 }

// playText returns the command with which to play a waiting player.
func playText(w lobby.Waiter) string {
	terms := w.Accepts[0]
	if i := slices.IndexFunc(w.Accepts, func(t match.Terms) bool { return t.Clock.IsNone() }); i >= 0 {
		terms = w.Accepts[i]
	}
	text := "play " + strconv.Itoa(terms.Variant.Boards())
	switch {
	case terms.Pool.IsRated():
		text = "play rated"
	case terms.Variant.IsTicTacToe():
		text = "play tictactoe"
	}
	if !terms.Clock.IsNone() && !terms.Pool.IsRated() {
		text += " " + terms.Clock.String()
	}
	if w.IsLate {
		text += " anyway"
	}
	return text
}

// waitingText names another player who waits, and says for what, or why the two are not paired now.
func (q *queue) waitingText() string {
	switch {
	case len(q.Apart) > 0:
		other := q.Apart[0]
		left := other.ApartUntil.Sub(q.player.manager.Now()) + time.Minute - 1 // whole minutes: they are not counted down
		text := wording.KeptApart(other.Name, other.IsLate, wording.ClockLeft(max(time.Minute, left.Truncate(time.Minute))))
		if other.IsLate {
			text += " Type play anyway to play with " + other.Name + " all the same."
		}
		return text
	case len(q.Others) > 0:
		other := q.Others[0]
		return wording.WaitsFor(other.Name, other.Accepts) + ": type leave, then " + playText(other) + ", to play that."
	case q.Waiting > 1:
		return wording.Count(q.Waiting, "", "are waiting, including you.")
	default:
		return "You are the only one waiting."
	}
}

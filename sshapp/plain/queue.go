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

// queue is the player's place in the queue. The session enters the match that catchUp returns.
type queue struct {
	*client.Place // nil without a place

	player          *player
	out             *printer
	since           time.Time // by time.Now
	lastText        string    // the waitingText printed last
	offeredComputer bool      // also set if the offer was due and left out
}

// seek takes a place in the queue. The last place must be gone (see awaitGone).
func (q *queue) seek(ctx context.Context, accepts []match.Terms, options lobby.Options) error {
	place, err := q.player.client.SeekWith(ctx, q.player.Player, options, accepts...)
	if err != nil {
		return err
	}
	q.Place, q.since, q.lastText, q.offeredComputer = place, time.Now(), "", false
	if !q.isAboutToPlay() {
		q.lastText = q.waitingText()
	}
	only := ""
	if options.Meets != "" {
		only = ", " + string(options.Meets) + " only"
	}
	q.out.printLine("Waiting for an opponent, for "+wording.Accepts(accepts)+only+".", q.lastText)
	return nil
}

// awaitGone waits until a place that was given up is gone. If an opponent was found before, it returns that match.
func (q *queue) awaitGone(ctx context.Context) (found match.ID, err error) {
	for found = q.catchUp(); q.Place != nil; found = q.catchUp() {
		select {
		case <-q.player.client.Changed():
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	return found, nil
}

// catchUp prints the newest status of the place. Once an opponent is found it returns the match, even if the player
// has given the place up.
func (q *queue) catchUp() (found match.ID) {
	for q.Poll() {
		place := q.Place
		if place.IsOver() {
			q.Place = nil
		}
		switch place.State {
		case client.PlaceClosed:
			q.out.printLine("No new matches begin here now.", "You were removed from the queue.")
		case client.PlaceMoved:
			q.out.printLine("You are waiting in another window now.")
		case client.PlaceFound:
			found = place.Match
		case client.PlaceWaiting, client.PlaceLeaving:
			q.out.tellCannotSave(place.CutOff)
			if text := q.waitingText(); text != q.lastText && !q.isAboutToPlay() && place.IsWaiting() {
				q.lastText = text
				q.out.printLine(text)
			}
		case client.PlaceLeft:
		}
	}
	return found
}

// leavePlace starts to give the place up. catchUp sets Place to nil once the place is gone.
func (q *queue) leavePlace() { q.Leave()() }

func (q *queue) stop() {
	q.leavePlace()
	q.out.printLine("You have stopped waiting.")
}

func (q *queue) reminder() string {
	if !q.IsWaiting() {
		return ""
	}
	return "You are in the queue: type leave queue to give up your place."
}

func (q *queue) offerAt() time.Time {
	if !q.IsWaiting() || q.offeredComputer {
		return time.Time{}
	}
	return q.since.Add(client.OfferComputerAfter)
}

// offerComputer offers the computer once, after client.OfferComputerAfter, unless the player is busy then.
func (q *queue) offerComputer(isBusy bool) {
	at := q.offerAt()
	if at.IsZero() || time.Now().Before(at) {
		return
	}
	if q.offeredComputer = true; isBusy || q.IsAsked() {
		return
	}
	q.out.printLine("No opponent yet.",
		"Type computer to play the computer while you wait: you keep your place and are told when someone joins.")
}

// warnOrLeave warns the player after a long time without input, and later gives the place up.
func (q *queue) warnOrLeave() {
	wasAsked := q.IsAsked()
	switch q.Check() {
	case client.NothingDue:
	case client.WarningDue:
		q.out.printLine("Still there? Press Enter within " + wording.ClockLeft(client.PlaceWarning) +
			" to keep your place in the queue.")
	case client.LeavingDue:
		q.leavePlace()
		why := "You typed nothing for " + wording.ClockLeft(client.PlaceTimeout)
		if wasAsked {
			why = "You did not say that you still want an opponent"
		}
		q.out.printLine(why + ", so you have left the queue.")
	}
}

// askToKeep asks after a match whether the player still wants the place.
func (q *queue) askToKeep() {
	if q.IsWaiting() {
		q.Ask()
		q.out.printLine("You are still in the queue. Do you still want an opponent? Type yes or no within " +
			wording.ClockLeft(client.PlaceAnswerTimeout) + ".")
	}
}

// answer reports whether text answers the question of askToKeep, and acts on it.
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

// isAboutToPlay reports whether the queue holds just this player and an opponent with common terms.
func (q *queue) isAboutToPlay() bool { return q.Waiting == 2 && len(q.Others)+len(q.Apart) == 0 }

// playText returns the command that plays a waiting player.
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

// waitingText names the terms of another waiting player, or the reason why the two are not paired now.
func (q *queue) waitingText() string {
	switch {
	case len(q.Apart) > 0:
		other := q.Apart[0]
		// Whole minutes are enough, because the text is not counted down.
		left := other.ApartUntil.Sub(q.player.manager.Now()) + time.Minute - 1
		text := wording.KeptApart(other.Name, other.IsLate, wording.ClockLeft(max(time.Minute, left.Truncate(time.Minute))))
		if other.IsLate {
			text += " Type play anyway to accept " + other.Name + "."
		}
		return text
	case len(q.Others) > 0:
		other := q.Others[0]
		return wording.WaitsFor(other.Name, other.Accepts) + ": type leave, then " + playText(other) + " to join."
	case q.Waiting > 1:
		return wording.Count(q.Waiting, "", "are waiting, including you.")
	default:
		return "No one else is waiting."
	}
}

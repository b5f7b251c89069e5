package manager

import (
	"time"

	"notakto/match"
	"notakto/rules"
)

// agenda is how a table stands at one moment, as far as it decides what the table records of its own accord, and when.
// It changes nothing.
type agenda struct {
	*match.State
	tables     *tables
	attendance *attendance
	now        time.Time
	resumed    time.Time // before that no absence is charged; see [table]
	closed     bool      // the log takes no more events
}

// scheduledEvent is an event that a table records of its own accord at a time; one without a kind is none, one without
// a time is due.
type scheduledEvent struct {
	at    time.Time
	event match.Event
}

// or is what comes first; d if both do.
func (d scheduledEvent) or(other scheduledEvent) scheduledEvent {
	if d.event.Kind == 0 || other.event.Kind != 0 && other.at.Before(d.at) {
		return other
	}
	return d
}

// next is the first event that the table will record of its own accord.
func (a agenda) next() scheduledEvent {
	if a.closed || a.Closed {
		return scheduledEvent{}
	}
	comingAndGoing := a.presenceEvent(rules.First).or(a.presenceEvent(rules.Second))
	if a.Outcome.Over() {
		return comingAndGoing.or(a.rematchEvent())
	}
	return comingAndGoing.or(a.computerEvent()).or(a.absenceEvent()).or(a.limitEvent())
}

// computerEvent is the computer's move.
func (a agenda) computerEvent() scheduledEvent {
	side := a.Awaited()
	if !a.Started() || !a.SeatState(side).Player.IsComputer() {
		return scheduledEvent{}
	}
	return scheduledEvent{at: a.TurnSince.Add(a.tables.cfg.ComputerPause), event: match.Event{Kind: match.Moved, Seat: side}}
}

// rematchEvent answers for a computer, and opens the new match once both want it and are here: who has left would
// lose it.
func (a agenda) rematchEvent() scheduledEvent {
	if a.Next != "" {
		return scheduledEvent{}
	}
	if a.RematchOffered(rules.First) && a.RematchOffered(rules.Second) {
		if !a.IsHere(rules.First) || !a.IsHere(rules.Second) {
			return scheduledEvent{}
		}
		return scheduledEvent{event: match.Event{Kind: match.Rematched}}
	}
	for _, side := range rules.Sides() {
		if a.RematchOffered(side.Other()) && a.SeatState(side).Player.IsComputer() {
			return scheduledEvent{event: match.Event{Kind: match.Offered, Seat: side}}
		}
	}
	return scheduledEvent{}
}

// isFinished reports whether the table is not needed any longer.
func (a agenda) isFinished() bool {
	parked := a.parkedAt()
	return a.Over() && !a.now.Before(a.closingAt()) || !parked.IsZero() && !a.now.Before(parked)
}

// parkedAt is when the table closes at which the computer waits for a player who is away: nothing happens there
// before the player comes back, or the match has been kept for long enough. Zero if there is no such wait.
func (a agenda) parkedAt() time.Time {
	kept := a.tables.keptUntil(a.State)
	if kept.IsZero() || !a.now.Before(kept) || a.attendance.count() > 0 {
		return time.Time{}
	}
	return latest(a.attendance.emptySince, a.resumed, a.SeatState(a.Turn()).Since).Add(min(closeDelay, a.tables.cfg.Linger))
}

// closingAt is when the table of a match that is over closes if no reader comes or goes.
func (a agenda) closingAt() time.Time {
	if a.attendance.count() == 0 {
		return latest(a.attendance.emptySince, a.EndedAt).Add(min(closeDelay, a.tables.cfg.Linger))
	}
	return latest(a.resumed, a.EndedAt).Add(a.tables.cfg.Linger)
}

// wakeAt is when the table has to look again if nothing happens; zero for never. What is due is not tried again before
// retryAt.
func (a agenda) wakeAt(retryAt time.Time) time.Time {
	var at time.Time
	if d := a.next(); d.event.Kind != 0 {
		at = latest(d.at, retryAt)
	}
	if a.Over() {
		at = earlier(at, a.closingAt())
	}
	return earlier(at, a.parkedAt())
}

// earlier is the earlier of two times, zero being never.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

func latest(times ...time.Time) time.Time {
	var last time.Time
	for _, at := range times {
		if at.After(last) {
			last = at
		}
	}
	return last
}

package manager

import (
	"time"

	"notakto/match"
	"notakto/rules"
)

// agenda determines what a table records by itself, and when, from the table's state at one moment. It is read-only.
type agenda struct {
	*match.State
	tables     *tables
	attendance *attendance
	now        time.Time
	outages    outages
	resumed    time.Time // time before this does not count for absence; see [table]
	closed     bool      // the log accepts no more events
}

// scheduledEvent is an event that a table records by itself. at is zero for now. event.Kind is 0 for no event.
type scheduledEvent struct {
	at    time.Time
	event match.Event
}

// or returns the earlier event, or s if both have the same time.
func (s scheduledEvent) or(other scheduledEvent) scheduledEvent {
	if s.event.Kind == 0 || other.event.Kind != 0 && other.at.Before(s.at) {
		return other
	}
	return s
}

// next returns the first event that the table has to record if no player acts.
func (a agenda) next() scheduledEvent {
	if a.closed || a.Closed {
		return scheduledEvent{}
	}
	comingAndGoing := a.presenceEvent(rules.First).or(a.presenceEvent(rules.Second))
	if a.Outcome.Over() {
		return comingAndGoing.or(a.secondGameEvent()).or(a.rematchEvent())
	}
	return comingAndGoing.or(a.computerEvent()).or(a.absenceEvent()).or(a.limitEvent())
}

// computerEvent returns the computer's move.
func (a agenda) computerEvent() scheduledEvent {
	side := a.Awaited()
	if !a.Started() || !a.SeatState(side).Player.IsComputer() {
		return scheduledEvent{}
	}
	return scheduledEvent{
		at: a.TurnSince.Add(a.tables.cfg.ComputerPause), event: match.Event{Kind: match.Moved, Seat: side},
	}
}

// isFinished reports whether the table is no longer needed.
func (a agenda) isFinished() bool {
	if isBetweenGames(a.State) && !a.closed {
		return false
	}
	parked := a.parkedAt()
	return a.Over() && !a.now.Before(a.closingAt()) || !parked.IsZero() && !a.now.Before(parked)
}

// parkedAt returns when the table closes because its match needs no table for now: see [tables.unattendedUntil]. It
// returns zero if the match needs its table.
func (a agenda) parkedAt() time.Time {
	kept := a.tables.unattendedUntil(a.State)
	if kept.IsZero() || !a.now.Before(kept) || a.attendance.count() > 0 {
		return time.Time{}
	}
	return latest(a.attendance.emptySince, a.resumed, a.SeatState(a.Turn()).Since).
		Add(min(closeDelay, a.tables.cfg.Linger))
}

// closingAt returns when the table of a finished match closes, unless a reader comes or goes before.
func (a agenda) closingAt() time.Time {
	if a.attendance.count() == 0 {
		return latest(a.attendance.emptySince, a.EndedAt).Add(min(closeDelay, a.tables.cfg.Linger))
	}
	return latest(a.resumed, a.EndedAt).Add(a.tables.cfg.Linger)
}

// wakeAt returns when the table must run again if nothing happens, or zero for never. Due events are not retried
// before retryAt.
func (a agenda) wakeAt(retryAt time.Time) time.Time {
	var at time.Time
	if d := a.next(); d.event.Kind != 0 {
		at = latest(d.at, retryAt)
	}
	if a.Over() && !isBetweenGames(a.State) {
		at = earlier(at, a.closingAt())
	}
	return earlier(at, a.parkedAt())
}

// earlier returns the earlier of two times; zero means never.
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

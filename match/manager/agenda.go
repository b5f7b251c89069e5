package manager

import (
	"time"

	"notakto/match"
	"notakto/rules"
)

// agenda derives the events that a table records by itself from the table's state at one moment. An agenda changes
// no state.
type agenda struct {
	*match.State
	tables     *tables
	attendance *attendance
	now        time.Time
	outages    outages
	resumed    time.Time // see [table]
	isArchived bool      // the table appends no more events
}

// scheduledEvent is an event that a table records by itself. A zero at means now. Kind 0 means no event.
type scheduledEvent struct {
	at    time.Time
	event match.Event
}

// or returns the earlier event, or s if both have one time.
func (s scheduledEvent) or(other scheduledEvent) scheduledEvent {
	if s.event.Kind == 0 || other.event.Kind != 0 && other.at.Before(s.at) {
		return other
	}
	return s
}

func (a agenda) next() scheduledEvent {
	if a.isArchived || a.Closed {
		return scheduledEvent{}
	}
	comingAndGoing := a.presenceEvent(rules.First).or(a.presenceEvent(rules.Second))
	if a.Outcome.IsOver() {
		return comingAndGoing.or(a.secondGameEvent()).or(a.rematchEvent())
	}
	return comingAndGoing.or(a.computerEvent()).or(a.absenceEvent()).or(a.limitEvent())
}

func (a agenda) computerEvent() scheduledEvent {
	side := a.Awaited()
	if !a.HasStarted() || !a.Seat(side).Player.IsComputer() {
		return scheduledEvent{}
	}
	return scheduledEvent{
		at: a.TurnSince.Add(a.tables.cfg.ComputerPause), event: match.Event{Kind: match.Moved, Seat: side},
	}
}

func (a agenda) hasToClose() bool {
	if isBetweenGames(a.State) && !a.isArchived {
		return false
	}
	unattended := a.closesUnattendedAt()
	return a.IsOver() && !a.now.Before(a.closingAt()) || !unattended.IsZero() && !a.now.Before(unattended)
}

// closesUnattendedAt returns when the table closes although the match goes on (see [tables.unattendedUntil]), or zero.
func (a agenda) closesUnattendedAt() time.Time {
	kept := a.tables.unattendedUntil(a.State)
	if kept.IsZero() || !a.now.Before(kept) || a.attendance.count() > 0 {
		return time.Time{}
	}
	return latest(a.attendance.emptySince, a.resumed, a.Seat(a.Turn()).Since).
		Add(min(closeDelay, a.tables.cfg.Linger))
}

// closingAt returns when the table of a finished match closes. A reader that comes or goes changes the time.
func (a agenda) closingAt() time.Time {
	if a.attendance.count() == 0 {
		return latest(a.attendance.emptySince, a.EndedAt).Add(min(closeDelay, a.tables.cfg.Linger))
	}
	return latest(a.resumed, a.EndedAt).Add(a.tables.cfg.Linger)
}

// wakeAt returns when the table must run again without a call, or zero for never. retryAt delays due events only.
func (a agenda) wakeAt(retryAt time.Time) time.Time {
	var at time.Time
	if d := a.next(); d.event.Kind != 0 {
		at = latest(d.at, retryAt)
	}
	if a.IsOver() && !isBetweenGames(a.State) {
		at = earlier(at, a.closingAt())
	}
	return earlier(at, a.closesUnattendedAt())
}

// earlier returns the earlier of two times. Zero means never.
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

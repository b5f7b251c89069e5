package manager

import (
	"time"

	"notakto/match"
)

// The rule for when a player loses by being away, or by taking too long, is here and nowhere else:
//
//   - Who is to move and away loses once the grace has passed. Before a match has begun it is the one who waits for an
//     opponent whose absence counts, and the table is cleared.
//   - Against the computer a match is kept for [ComputerRetained] instead.
//   - In a match of the queue a move has to come in time, whether the player is here or not.
//   - Time in which this node could not record anything, or in which nobody could, is charged to nobody.

// absenceEvent is what happens if the player whose turn it is, or who waits for an opponent, stays away.
func (a agenda) absenceEvent() scheduledEvent {
	side := a.Awaited()
	event := match.Event{Kind: match.Forfeited, Seat: side}
	if !a.Started() {
		event = match.Event{Kind: match.Cancelled}
	}
	switch seatState := a.SeatState(side); {
	case !a.Started() && a.TableCode == "": // older versions opened a match in steps, and were killed between two of them
		return scheduledEvent{at: latest(a.OpenedAt, a.resumed).Add(joinTimeout), event: event}
	case seatState.Player.IsComputer():
		return scheduledEvent{}
	case !a.Started() && !seatState.Taken:
		return scheduledEvent{at: latest(a.OpenedAt, a.resumed).Add(a.tables.cfg.Grace), event: event}
	case seatState.Present, a.attendance.isPresent(side):
		return scheduledEvent{}
	case a.IsAgainstComputer():
		return scheduledEvent{at: a.tables.keptUntil(a.State), event: event}
	default:
		steady := a.tables.membership.stableSince(a.now)
		since := latest(seatState.Since, a.attendance.of(side).left, a.TurnSince, a.resumed, steady)
		return scheduledEvent{at: since.Add(a.tables.cfg.Grace), event: event}
	}
}

// limitEvent is what happens if the player to move takes longer than a move may.
func (a agenda) limitEvent() scheduledEvent {
	at := a.moveBy()
	if at.IsZero() {
		return scheduledEvent{}
	}
	return scheduledEvent{at: at, event: match.Event{Kind: match.Overdue, Seat: a.Turn()}}
}

// moveBy is when the player to move has to have moved; zero without a limit.
func (a agenda) moveBy() time.Time {
	if !a.HasMoveLimit() || a.closed {
		return time.Time{}
	}
	limit := a.tables.cfg.LaterMove
	if a.IsFirstMove() {
		limit = a.tables.cfg.FirstMove
	}
	return latest(a.TurnSince, a.resumed, a.tables.membership.stableSince(a.now)).Add(limit)
}

// forfeitAt is when the player to move loses by being away; zero if they are not, if the time for a move ends before,
// if nothing can be recorded any more, or against the computer, where no player waits.
func (a agenda) forfeitAt() time.Time {
	if a.closed || a.Closed || a.Over() || a.IsAgainstComputer() {
		return time.Time{}
	}
	d, limit := a.absenceEvent(), a.moveBy()
	if d.event.Kind != match.Forfeited || !limit.IsZero() && limit.Before(d.at) {
		return time.Time{}
	}
	return d.at
}

// endsAt is when the match ends if the player to move, who is away, does not come; zero while that player is here.
func (a agenda) endsAt() time.Time {
	at := a.forfeitAt()
	if at.IsZero() && !a.SeatState(a.Turn()).Present {
		return a.moveBy()
	}
	return at
}

// keptUntil is when a match against the computer is lost whose player is to move and away; zero for every other.
func (x *tables) keptUntil(s *match.State) time.Time {
	seatState := s.SeatState(s.Turn())
	switch {
	case !s.IsAgainstComputer() || !seatState.Taken || seatState.Present || seatState.Player.IsComputer():
		return time.Time{}
	case x.index.isSurplus(s.ID):
		return s.TurnSince
	default:
		return latest(seatState.Since, s.TurnSince).Add(ComputerRetained)
	}
}

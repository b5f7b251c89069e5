package manager

import (
	"time"

	"notakto/match"
)

// The rules for forfeit by absence or by slow moves are in this file only:
//
//   - A player who is away on their turn loses after [Config.Grace]. Before the match has begun, the absence of the
//     player who waits for an opponent counts, and the table is closed.
//   - A match against the computer is kept for [ComputerRetained] instead.
//   - In a match of the queue a move has a time limit, whether the player is connected or not.
//   - Time in which this node could not record anything, or in which no node could, does not count.

// absenceEvent returns what happens if the player to move, or the only player, stays away.
func (a agenda) absenceEvent() scheduledEvent {
	side := a.Awaited()
	event := match.Event{Kind: match.Forfeited, Seat: side}
	if !a.Started() {
		event = match.Event{Kind: match.Cancelled}
	}
	switch seatState := a.SeatState(side); {
	case !a.Started() && a.TableCode == "": // opened in steps by an older version, which crashed between two of them
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

// limitEvent returns what happens if the player to move exceeds the time limit.
func (a agenda) limitEvent() scheduledEvent {
	at := a.moveBy()
	if at.IsZero() {
		return scheduledEvent{}
	}
	return scheduledEvent{at: at, event: match.Event{Kind: match.Overdue, Seat: a.Turn()}}
}

// moveBy returns when the player to move must have moved; zero without a limit.
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

// forfeitAt returns when the player to move forfeits by absence. It is zero if the player is connected, if the time
// limit of the move ends earlier, if nothing can be recorded any more, and against the computer.
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

// endsAt returns when the match ends if the player to move stays away; zero while that player is connected.
func (a agenda) endsAt() time.Time {
	at := a.forfeitAt()
	if at.IsZero() && !a.SeatState(a.Turn()).Present {
		return a.moveBy()
	}
	return at
}

// keptUntil returns when the player who is away loses a match against the computer; zero for any other match.
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

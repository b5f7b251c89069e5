package manager

import (
	"slices"
	"time"

	"notakto/match"
	"notakto/rules"
)

// The rules for forfeit by absence or by slow moves are in this file only:
//
//   - A player who is away on their turn loses after [Config.Grace]. Before the match has begun, the absence of the
//     player who waits for an opponent counts, and the table is closed.
//   - With a clock of days no player loses by absence. A table that waits for an opponent is kept for as many days as a
//     move may take.
//   - No player loses a match against the computer by absence. The match is void if the player does not come back for
//     [ComputerRetained], or for [GuestRetained] as a guest.
//   - With a clock, or in a match of the queue, a move has a time limit, whether the player is connected or not. A
//     player who misses the limit of the first move makes the match void. A player who misses a later limit loses. The
//     limit of the first move is [Config.FirstMove] in the queue, and elsewhere the clock's minutes, which are not
//     charged. A later move has the time left on the clock, or [Config.LaterMove] without a clock. A clock of
//     days runs from the first move on.
//   - Time in which this node could not record anything, or in which no node could, does not count. A running clock
//     leaves out just that time: see [outages]. The other limits start anew after it.

// TimeLimits are the limits after which a player loses, or a match without a first move is void.
type TimeLimits struct {
	Grace                time.Duration // away, on the player's turn
	FirstMove, LaterMove time.Duration // for a move, in a match of the queue; without a first move the match is void
}

func (c Config) limitsOf() TimeLimits { return TimeLimits{c.Grace, c.FirstMove, c.LaterMove} }

// ofMove returns the limit of a side's next move. The moves of s must have a limit.
func (t TimeLimits) ofMove(s *match.State, side rules.Side) time.Duration {
	switch {
	case s.Origin == match.QueueOrigin && !s.HasMoved(side):
		return t.FirstMove
	case s.Clock.IsNone():
		return t.LaterMove
	default: // the first move has the time of the clock
		return s.SeatState(side).ClockLeft
	}
}

// ToReturn returns the limit of a player's absence on their turn: Grace, or less if the move is due earlier.
func (t TimeLimits) ToReturn(s *match.State, side rules.Side) time.Duration {
	if !s.HasMoveLimit() {
		return t.Grace
	}
	return min(t.Grace, t.ofMove(s, side))
}

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
		return scheduledEvent{at: a.tables.keptUntil(a.State), event: match.Event{Kind: match.Expired, Seat: side}}
	case a.Started() && a.Clock.IsCorrespondence():
		return scheduledEvent{}
	case a.Clock.IsCorrespondence():
		return scheduledEvent{at: a.tables.waitsUntil(a.State), event: event}
	default:
		steady := a.tables.peers.stableSince(a.now)
		since := latest(seatState.Since, a.attendance.player(side).left, a.TurnSince, a.resumed, steady)
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
	limit := a.tables.cfg.limitsOf().ofMove(a.State, a.Turn())
	if a.ClockRuns() {
		return a.now.Add(limit - a.charged())
	}
	return latest(a.TurnSince, a.resumed, a.tables.peers.stableSince(a.now)).Add(limit)
}

// charged returns the time of this turn that is charged to a running clock so far.
func (a agenda) charged() time.Duration {
	return charged(a.TurnSince, a.now, slices.Concat(a.outages, a.tables.peers.outagesUntil(a.now))...)
}

// spent returns the Spent of an event of the player to move. For a move it is at most what the clock leaves: a player
// who is too late gets an Overdue event before the move.
func (a agenda) spent(kind match.Kind) time.Duration {
	if a.Clock.IsNone() || a.Turn() == rules.Nobody || kind != match.Moved && kind != match.Overdue {
		return 0
	}
	spent := a.charged()
	if kind == match.Moved && a.ClockRuns() {
		spent = min(spent, a.SeatState(a.Turn()).ClockLeft)
	}
	return spent.Truncate(time.Millisecond)
}

// forfeitAt returns when the player to move forfeits by absence. It is zero if the player is connected, if the time
// limit of the move ends earlier, if the log accepts no more events, and against the computer.
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
	if at.IsZero() && !a.SeatState(a.Turn()).Present && !a.Clock.IsCorrespondence() {
		return a.moveBy()
	}
	return at
}

// keptUntil returns when a match against the computer becomes void because its player is away. Zero for other matches.
func (t *tables) keptUntil(s *match.State) time.Time {
	seatState := s.SeatState(s.Turn())
	switch {
	case !s.IsAgainstComputer() || !seatState.Taken || seatState.Present || seatState.Player.IsComputer():
		return time.Time{}
	case t.index.isSurplus(s.ID):
		return s.TurnSince
	case seatState.Player.Guest:
		return latest(seatState.Since, s.TurnSince).Add(GuestRetained)
	default:
		return latest(seatState.Since, s.TurnSince).Add(ComputerRetained)
	}
}

// waitsUntil returns when a table closes that has a clock of days and one player, who has left.
func (t *tables) waitsUntil(s *match.State) time.Time {
	return latest(s.OpenedAt, s.SeatState(s.Awaited()).Since).Add(s.Clock.Initial())
}

// unattendedUntil returns the time until which a match needs no table, because its players may be away. It returns zero
// if the match needs a table.
func (t *tables) unattendedUntil(s *match.State) time.Time {
	if s.Clock.IsNone() {
		return t.keptUntil(s)
	}
	for _, seatState := range s.SeatStates() {
		if seatState.Present && !seatState.Player.IsComputer() {
			return time.Time{}
		}
	}
	switch now := t.now(); {
	case !s.Clock.IsCorrespondence() || s.Over() || s.SeatState(s.Turn()).Player.IsComputer():
		return time.Time{}
	case !s.Started():
		return t.waitsUntil(s)
	default:
		spent := charged(s.TurnSince, now, t.peers.outagesUntil(now)...)
		return earlier(t.keptUntil(s), now.Add(s.SeatState(s.Turn()).ClockLeft-spent))
	}
}

// period is the time from one moment to another.
type period struct{ from, to time.Time }

// outages are the times in which nothing could be recorded, ordered by their ends, at most maxOutages. A running clock
// does not charge them.
type outages []period

const maxOutages = 256

// add adds an outage that is over.
func (o *outages) add(from, to time.Time) {
	if from.Before(to) {
		*o = append((*o)[max(0, len(*o)-maxOutages+1):], period{from, to})
	}
}

// charged returns the length of the time between two moments without the outages in it.
func charged(from, to time.Time, outages ...period) (sum time.Duration) {
	slices.SortFunc(outages, func(a, b period) int { return a.from.Compare(b.from) })
	for _, o := range outages {
		if o.from.After(from) {
			sum += max(0, earlier(o.from, to).Sub(from))
		}
		from = latest(from, o.to)
	}
	return sum + max(0, to.Sub(from))
}

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
//     waiting player counts, and the table is closed.
//   - With a clock of days no player loses by absence. A table that waits for an opponent is kept for as many days
//     as a move may take. A challenge is kept for [match.ChallengeLife].
//   - No player loses a match against the computer by absence. The match is void if the player does not come back
//     for [ComputerRetention], or for [GuestRetention] as a guest.
//   - With a clock, or in a match of the queue or of a challenge, a move has a time limit, whether the player is
//     connected or not. A player over the limit of a later move loses.
//   - A player over the limit of the first move makes the match void, with three exceptions. In a pair with a clock of
//     days, the player loses after a move in the pair's other game. In the second game of any other pair, the player
//     loses. In the first game of a pair of the queue, the player loses the pair after an earlier missed first move
//     within missedLife.
//   - The limit of the first move is [Config.FirstMove] in the queue and in a challenge without a clock of days, and
//     elsewhere the whole time of the clock. Until then an absent player of a challenge loses nothing, because its
//     maker need not be there. The clock is not charged for the first move. A later move has the time left on the
//     clock, or [Config.LaterMove] without a clock. A clock of days runs from the first move on.
//   - Time in which this node, or every node, could not record does not count. A running clock leaves out just that
//     time (see [outages]). All other limits start anew after it.

// TimeLimits holds the limits after which a player loses, or a match becomes void. The rules above say when.
type TimeLimits struct {
	Grace                time.Duration // absence on the player's turn
	FirstMove, LaterMove time.Duration // for a move in a match of the queue
}

func (c Config) timeLimits() TimeLimits { return TimeLimits{c.Grace, c.FirstMove, c.LaterMove} }

// moveLimit returns the limit of a side's next move. The match must have limits ([match.State.HasMoveLimit]).
func (t TimeLimits) moveLimit(s *match.State, side rules.Side) time.Duration {
	switch {
	case s.Origin.LimitsMoves() && !s.HasMoved(side) && !isDaysChallenge(s):
		return t.FirstMove
	case s.Clock.IsNone():
		return t.LaterMove
	default: // also for the first move
		return s.Seat(side).ClockLeft
	}
}

func isDaysChallenge(s *match.State) bool {
	return s.Origin == match.ChallengeOrigin && s.Clock.IsCorrespondence()
}

// ReturnLimit returns the limit of a player's absence on their turn: Grace, or less if the move is due earlier.
func (t TimeLimits) ReturnLimit(s *match.State, side rules.Side) time.Duration {
	if !s.HasMoveLimit() {
		return t.Grace
	}
	return min(t.Grace, t.moveLimit(s, side))
}

// absenceEvent returns the event due if the player to move, or the only player, stays away.
func (a agenda) absenceEvent() scheduledEvent {
	side := a.Awaited()
	event := match.Event{Kind: match.Forfeited, Seat: side}
	if !a.HasStarted() {
		event = match.Event{Kind: match.Cancelled}
	}
	switch seatState := a.Seat(side); {
	case a.IsOpenChallenge():
		return scheduledEvent{at: a.ExpiresAt(), event: event}
	case a.Origin == match.ChallengeOrigin && a.IsFirstMove() && a.Game() != 2: // the limit of the move makes it void
		return scheduledEvent{}
	case !a.HasStarted() && a.TableCode == "": // an older version opened matches in steps, and crashed between two of them
		return scheduledEvent{at: latest(a.OpenedAt, a.resumed).Add(joinTimeout), event: event}
	case seatState.Player.IsComputer():
		return scheduledEvent{}
	case !a.HasStarted() && !seatState.Taken:
		return scheduledEvent{at: latest(a.OpenedAt, a.resumed).Add(a.tables.cfg.Grace), event: event}
	case seatState.Present, a.attendance.isPresent(side):
		return scheduledEvent{}
	case a.IsAgainstComputer():
		return scheduledEvent{at: a.tables.keptUntil(a.State), event: match.Event{Kind: match.Expired, Seat: side}}
	case a.HasStarted() && a.Clock.IsCorrespondence():
		return scheduledEvent{}
	case a.Clock.IsCorrespondence():
		return scheduledEvent{at: a.tables.waitsUntil(a.State), event: event}
	default:
		steady := a.tables.peers.stableSince(a.now)
		since := latest(seatState.Since, a.attendance.player(side).left, a.TurnSince, a.resumed, steady)
		return scheduledEvent{at: since.Add(a.tables.cfg.Grace), event: event}
	}
}

func (a agenda) limitEvent() scheduledEvent {
	at := a.moveBy()
	if at.IsZero() {
		return scheduledEvent{}
	}
	return scheduledEvent{at: at, event: match.Event{Kind: match.Overdue, Seat: a.Turn()}}
}

// moveBy returns the end of the current move's time limit, or zero without a limit.
func (a agenda) moveBy() time.Time {
	if !a.HasMoveLimit() || a.isArchived {
		return time.Time{}
	}
	limit := a.tables.cfg.timeLimits().moveLimit(a.State, a.Turn())
	if a.ClockRuns() {
		return a.now.Add(limit - a.charged())
	}
	return latest(a.TurnSince, a.resumed, a.tables.peers.stableSince(a.now)).Add(limit)
}

// charged returns the time of this turn that a running clock has charged.
func (a agenda) charged() time.Duration {
	return charged(a.TurnSince, a.now, slices.Concat(a.outages, a.tables.peers.outagesUntil(a.now))...)
}

// spent returns the Spent of an event of the player to move. Only Overdue can spend more than the clock's rest, because
// a player out of time gets an Overdue event before any other one.
func (a agenda) spent(kind match.Kind) time.Duration {
	hasSpent := kind == match.Moved || kind == match.Overdue || kind == match.TakebackOffered
	if a.Clock.IsNone() || a.Turn() == rules.NoSide || !hasSpent {
		return 0
	}
	spent := a.charged()
	if kind != match.Overdue && a.ClockRuns() {
		spent = min(spent, a.Seat(a.Turn()).ClockLeft)
	}
	return spent.Truncate(time.Millisecond)
}

// forfeitAt returns when the player to move forfeits by absence. The time is zero if the player is connected, if the
// move's limit ends earlier, if the log accepts no more events, and against the computer.
func (a agenda) forfeitAt() time.Time {
	if a.isArchived || a.Closed || a.IsOver() || a.IsAgainstComputer() {
		return time.Time{}
	}
	d, limit := a.absenceEvent(), a.moveBy()
	if d.event.Kind != match.Forfeited || !limit.IsZero() && limit.Before(d.at) {
		return time.Time{}
	}
	return d.at
}

// endsAt returns when the match ends if the player to move stays away, by absence or by the limit of the move. The
// result is zero if the log shows that player as connected, and with a clock of days.
func (a agenda) endsAt() time.Time {
	at := a.forfeitAt()
	if at.IsZero() && !a.Seat(a.Turn()).Present && !a.Clock.IsCorrespondence() {
		return a.moveBy()
	}
	return at
}

// keptUntil returns when a match against the computer becomes void because its player is away, or zero.
func (t *tables) keptUntil(s *match.State) time.Time {
	seatState := s.Seat(s.Turn())
	switch {
	case !s.IsAgainstComputer() || !seatState.Taken || seatState.Present || seatState.Player.IsComputer():
		return time.Time{}
	case t.index.isSurplus(s.ID):
		return s.TurnSince
	case seatState.Player.Guest:
		return latest(seatState.Since, s.TurnSince).Add(GuestRetention)
	default:
		return latest(seatState.Since, s.TurnSince).Add(ComputerRetention)
	}
}

// waitsUntil returns when a table with a clock of days closes after its only player has left.
func (t *tables) waitsUntil(s *match.State) time.Time {
	return latest(s.OpenedAt, s.Seat(s.Awaited()).Since).Add(s.Clock.Days())
}

// unattendedUntil returns when a match next needs a table although its players are away. Zero means now.
func (t *tables) unattendedUntil(s *match.State) time.Time {
	switch {
	case s.IsOpenChallenge():
		return s.ExpiresAt()
	case s.Clock.IsNone():
		return t.keptUntil(s)
	}
	for _, seatState := range s.Seats() {
		if seatState.Present && !seatState.Player.IsComputer() {
			return time.Time{}
		}
	}
	switch now := t.now(); {
	case !s.Clock.IsCorrespondence() || s.IsOver() || s.Seat(s.Turn()).Player.IsComputer():
		return time.Time{}
	case !s.HasStarted():
		return t.waitsUntil(s)
	default:
		spent := charged(s.TurnSince, now, t.peers.outagesUntil(now)...)
		return earlier(t.keptUntil(s), now.Add(s.Seat(s.Turn()).ClockLeft-spent))
	}
}

// outages holds periods without recording, at most maxOutages, ordered by their ends. A running clock does not charge
// these periods.
type outages []match.Period

const maxOutages = 256

func (o *outages) add(from, to time.Time) {
	if from.Before(to) {
		*o = append((*o)[max(0, len(*o)-maxOutages+1):], match.Period{From: from, To: to})
	}
}

// charged returns the length of the time between two moments without the outages between them.
func charged(from, to time.Time, outages ...match.Period) (sum time.Duration) {
	slices.SortFunc(outages, func(a, b match.Period) int { return a.From.Compare(b.From) })
	for _, o := range outages {
		if o.From.After(from) {
			sum += max(0, earlier(o.From, to).Sub(from))
		}
		from = latest(from, o.To)
	}
	return sum + max(0, to.Sub(from))
}

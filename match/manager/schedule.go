package manager

import (
	"errors"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
)

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

// nextEvent is the first thing that the table will have to record if nobody does anything.
func (t *table) nextEvent() scheduledEvent {
	switch {
	case t.readOnly || t.state.Closed:
		return scheduledEvent{}
	case t.state.Outcome.Over():
		return t.nextPresenceEvent(rules.First).or(t.nextPresenceEvent(rules.Second)).or(t.nextRematchEvent())
	default:
		return t.nextPresenceEvent(rules.First).or(t.nextPresenceEvent(rules.Second)).or(t.nextTurnEvent()).or(t.nextLimitEvent())
	}
}

// nextLimitEvent is what happens if the player to move takes longer than a move may.
func (t *table) nextLimitEvent() scheduledEvent {
	at := t.moveBy()
	if at.IsZero() {
		return scheduledEvent{}
	}
	return scheduledEvent{at: at, event: match.Event{Kind: match.Overdue, Seat: t.state.Turn()}}
}

// moveBy is when the player to move has to have moved; zero without a limit. Time in which nothing could be recorded
// does not count.
func (t *table) moveBy() time.Time {
	if !t.state.HasMoveLimit() || t.readOnly {
		return time.Time{}
	}
	limit := t.manager.cfg.LaterMove
	if t.state.IsFirstMove() {
		limit = t.manager.cfg.FirstMove
	}
	return latest(t.state.TurnSince, t.resumed, t.manager.membership.stableSince(t.now())).Add(limit)
}

// nextTurnEvent is what happens if the player to move does not: the computer does, and somebody away loses once the
// grace has passed. Before the match has begun it is the one who waits whose absence counts.
func (t *table) nextTurnEvent() scheduledEvent {
	side := t.state.Awaited()
	event := match.Event{Kind: match.Forfeited, Seat: side}
	if !t.state.Started() {
		event = match.Event{Kind: match.Cancelled}
	}
	b := t.presence[side-1]
	switch seatState := t.state.SeatState(side); {
	case !t.state.Started() && t.state.TableCode == "": // older versions opened a match in steps, and were killed between two of them
		return scheduledEvent{at: latest(t.state.OpenedAt, t.resumed).Add(joinTimeout), event: event}
	case seatState.Player.IsComputer():
		return scheduledEvent{at: t.state.TurnSince.Add(t.manager.cfg.ComputerPause), event: match.Event{Kind: match.Moved, Seat: side}}
	case !t.state.Started() && !seatState.Taken:
		return scheduledEvent{at: latest(t.state.OpenedAt, t.resumed).Add(t.manager.cfg.Grace), event: event}
	case seatState.Present, b.state == present:
		return scheduledEvent{}
	default:
		if t.state.IsAgainstComputer() {
			return scheduledEvent{at: t.manager.keptUntil(t.state), event: event}
		}
		steady := t.manager.membership.stableSince(t.now())
		return scheduledEvent{at: latest(seatState.Since, b.left, t.state.TurnSince, t.resumed, steady).Add(t.manager.cfg.Grace), event: event}
	}
}

// expiry is when the player to move loses by being away; zero if they are not, if the time for a move ends before, if
// nothing can be recorded any more, or against the computer, where no player waits.
func (t *table) expiry() time.Time {
	if t.readOnly || t.state.Closed || t.state.Over() || t.state.IsAgainstComputer() {
		return time.Time{}
	}
	d, limit := t.nextTurnEvent(), t.moveBy()
	if d.event.Kind != match.Forfeited || !limit.IsZero() && limit.Before(d.at) {
		return time.Time{}
	}
	return d.at
}

// runDue records what is due. What the journal refuses is tried again after a while.
func (t *table) runDue() {
	for t.broken == nil && t.ctx.Err() == nil && !t.now().Before(t.retry) {
		d := t.nextEvent()
		if d.event.Kind == 0 || d.at.After(t.now()) {
			return
		}
		err := t.perform(d.event)
		if errors.Is(err, match.ErrClosed) && t.readOnly { // another node has put the match away
			return
		}
		if err != nil && !errors.Is(err, errAgain) && t.ctx.Err() == nil {
			t.retry = t.now().Add(backOff)
			t.log.Warn("the table could not record what is due", "error", err)
		}
	}
}

func (t *table) perform(e match.Event) error {
	switch e.Kind {
	case match.Moved:
		e.Move = t.computerMove(t.state.SeatState(e.Seat).Player.Level)
	case match.Rematched:
		next, err := t.manager.rematch(t.ctx, *t.state)
		if err != nil {
			return err
		}
		e.Next = next
	}
	err := t.appendEvents(e)
	if err == nil && e.Kind == match.Returned {
		t.presence[e.Seat-1].chargeReturn(t.now())
	}
	return err
}

// computerMove is the computer's move. It depends on nothing but the seed, the match and what was played, so every node
// thinks the same.
func (t *table) computerMove(level strategy.Level) rules.Move {
	last, plies := rules.Move{}, len(t.state.Moves)
	if plies > 0 {
		last = t.state.Moves[plies-1]
	}
	return level.ChooseAfter(last, t.state.Position, t.manager.rng.at(t.id, plies))
}

// finished reports whether nobody needs the table any longer.
func (t *table) finished(now time.Time) bool {
	parked := t.parkedAt()
	return t.state.Over() && !now.Before(t.closing()) || !parked.IsZero() && !now.Before(parked)
}

// parkedAt is when the table closes at which the computer waits for a player who is away: nothing happens there
// before the player comes back, or the match has been kept for long enough. Zero if there is no such wait.
func (t *table) parkedAt() time.Time {
	kept := t.manager.keptUntil(t.state)
	if kept.IsZero() || !t.now().Before(kept) || t.subscriptionCount() > 0 {
		return time.Time{}
	}
	return latest(t.emptySince, t.resumed, t.state.SeatState(t.state.Turn()).Since).Add(min(closeDelay, t.manager.cfg.Linger))
}

// closing is when the table of a match that is over closes if nobody comes or goes.
func (t *table) closing() time.Time {
	if t.subscriptionCount() == 0 {
		return latest(t.emptySince, t.state.EndedAt).Add(min(closeDelay, t.manager.cfg.Linger))
	}
	return latest(t.resumed, t.state.EndedAt).Add(t.manager.cfg.Linger)
}

func (t *table) setAlarm() {
	var at time.Time
	if d := t.nextEvent(); d.event.Kind != 0 {
		at = latest(d.at, t.retry)
	}
	if t.state.Over() && (at.IsZero() || t.closing().Before(at)) {
		at = t.closing()
	}
	if parked := t.parkedAt(); !parked.IsZero() && (at.IsZero() || parked.Before(at)) {
		at = parked
	}
	if t.dirty && (at.IsZero() || t.nextTransientAt().Before(at)) {
		at = t.nextTransientAt()
	}
	if at.IsZero() {
		t.alarm.Stop()
	} else {
		t.alarm.Reset(at.Sub(t.now()))
	}
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

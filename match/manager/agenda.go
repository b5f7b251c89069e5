package manager

import (
	"sync/atomic"
	"time"

	"notakto/match"
	"notakto/match/limit"
	"notakto/rules"
)

// agenda is the state of a table at one moment that determines what it records by itself, and when. It is read-only.
type agenda struct {
	*match.State
	tables     *tables
	attendance *attendance
	now        time.Time
	outages    *outages
	resumed    time.Time // time before this does not count for absence; see [table]
	closed     bool      // the log accepts no more events
}

// scheduledEvent is an event that a table records by itself at a time. Without a kind there is no event; without a time
// it is due now.
type scheduledEvent struct {
	at    time.Time
	event match.Event
}

// or returns the earlier of the two; d if both are due at the same time.
func (d scheduledEvent) or(other scheduledEvent) scheduledEvent {
	if d.event.Kind == 0 || other.event.Kind != 0 && other.at.Before(d.at) {
		return other
	}
	return d
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

// rematchEvent accepts a rematch for a computer, and opens the new match once both players want it and are connected:
// an absent player would lose it.
func (a agenda) rematchEvent() scheduledEvent {
	if a.Next != "" {
		return scheduledEvent{}
	}
	if a.RematchOffered(rules.First) && a.RematchOffered(rules.Second) {
		if !a.IsHere(rules.First) || !a.IsHere(rules.Second) || a.isBusy() {
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

// isFinished reports whether the table is no longer needed.
func (a agenda) isFinished() bool {
	if isBetweenGames(a.State) && !a.closed {
		return false
	}
	parked := a.parkedAt()
	return a.Over() && !a.now.Before(a.closingAt()) || !parked.IsZero() && !a.now.Before(parked)
}

// parkedAt returns when a table closes whose match needs none for now: see [tables.unattendedUntil]. Its next event is
// a player's return, or is due then. Zero if the match needs its table.
func (a agenda) parkedAt() time.Time {
	kept := a.tables.unattendedUntil(a.State)
	if kept.IsZero() || !a.now.Before(kept) || a.attendance.count() > 0 {
		return time.Time{}
	}
	return latest(a.attendance.emptySince, a.resumed, a.SeatState(a.Turn()).Since).
		Add(min(closeDelay, a.tables.cfg.Linger))
}

// closingAt returns when the table of a finished match closes if no reader comes or goes.
func (a agenda) closingAt() time.Time {
	if a.attendance.count() == 0 {
		return latest(a.attendance.emptySince, a.EndedAt).Add(min(closeDelay, a.tables.cfg.Linger))
	}
	return latest(a.resumed, a.EndedAt).Add(a.tables.cfg.Linger)
}

// wakeAt returns when the table must run again if nothing happens; zero for never. What is due is not retried before
// retryAt.
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

// attendance is who is connected to a table on this node: players and spectators. The table's goroutine owns it.
type attendance struct {
	players    [2]presence
	spectators []*subscription
	emptySince time.Time      // when the last subscription ended
	here       [2]atomic.Bool // whether each player is present; any goroutine may read it
}

// presence is the connections of one side: a subscription for each session of the player.
type presence struct {
	subscriptions []*subscription
	state         presenceState
	left          time.Time // when the last subscription ended
	returned      time.Time // rate-limit state of the recorded returns
}

// presenceState is whether a player is connected to this node. When it differs from the log, the table records an
// event.
type presenceState uint8

const (
	expected presenceState = iota // expected if the log says that the player is at this node, else left to another node
	present
	absent // was connected
)

// of returns the presence of a side.
func (a *attendance) of(side rules.Side) *presence { return &a.players[side-1] }

func (a *attendance) isPresent(side rules.Side) bool { return a.of(side).state == present }

// add adds a subscription to a side, or to the spectators.
func (a *attendance) add(r *subscription, side rules.Side) {
	if side == rules.Nobody {
		a.spectators = append(a.spectators, r)
		return
	}
	p := a.of(side)
	p.subscriptions, p.state = append(p.subscriptions, r), present
	a.here[side-1].Store(true)
}

// dropClosed removes closed subscriptions and reports whether the number of spectators has changed.
func (a *attendance) dropClosed(now time.Time) (changed bool) {
	before, watching := a.count(), len(a.spectators)
	for i := range a.players {
		p := &a.players[i]
		if len(p.subscriptions) == 0 {
			continue
		}
		if p.subscriptions = dropClosed(p.subscriptions); len(p.subscriptions) == 0 {
			p.state, p.left = absent, now
			a.here[i].Store(false)
		}
	}
	a.spectators = dropClosed(a.spectators)
	if a.count() == 0 && before > 0 {
		a.emptySince = now
	}
	return len(a.spectators) != watching
}

func (a *attendance) count() int {
	return len(a.players[0].subscriptions) + len(a.players[1].subscriptions) + len(a.spectators)
}

// noteRecorded marks a recorded absence: from then on this table records only the return.
func (a *attendance) noteRecorded(s *match.State) {
	for i, seatState := range s.SeatStates() {
		if p := &a.players[i]; p.state != present && seatState.Taken && !seatState.Present {
			p.state = expected
		}
	}
}

// missAll marks as absent the players who are at this node by the log but have not connected to the resumed table.
// Players seated a moment ago may be about to connect.
func (a *attendance) missAll(s *match.State, self match.Node, now time.Time) {
	for i, seatState := range s.SeatStates() {
		if seatState.Taken && seatState.Node == self && seatState.Since.Add(joinTimeout).Before(now) {
			a.players[i].state = absent
		}
	}
}

// close closes every mailbox.
func (a *attendance) close() {
	for _, readers := range [][]*subscription{a.players[0].subscriptions, a.players[1].subscriptions, a.spectators} {
		for _, r := range readers {
			close(r.box)
		}
	}
}

// returns limits how often a player's return to a match is recorded: each is stored for good and redrawn for everyone.
// Beyond it the log shows the player as away, but the clocks do not run against a connected player.
func returns() limit.Rate { return limit.Rate{Burst: 32, Interval: 10 * time.Minute} }

// chargeReturn counts a recorded return. One that had to be recorded early costs nothing more.
func (p *presence) chargeReturn(now time.Time) {
	if r := returns(); !r.NextAt(p.returned).After(now) {
		p.returned = r.Charge(p.returned, now)
	}
}

// presenceEvent returns the next change of a player's presence to record. If the player is at another node, that node
// records it, as long as it is up.
func (a agenda) presenceEvent(side rules.Side) scheduledEvent {
	seatState, nodes := a.SeatState(side), a.tables.membership
	if !seatState.Taken || seatState.Player.IsComputer() {
		return scheduledEvent{}
	}
	switch here := a.attendance.of(side).state; {
	case here == present && !seatState.Present:
		return scheduledEvent{at: a.returnAt(side), event: match.Event{Kind: match.Returned, Seat: side, Node: nodes.self}}
	case here == present || !seatState.Present:
		return scheduledEvent{}
	case nodes.isAway(seatState), here == absent && seatState.Node == nodes.self:
		return scheduledEvent{event: match.Event{Kind: match.Left, Seat: side}}
	case nodes.isDown(seatState.Node): // down since before the player was seated there: checked again until isAway
		return scheduledEvent{at: a.now.Add(heartbeatInterval), event: match.Event{Kind: match.Left, Seat: side}}
	case seatState.Node == nodes.self:
		at := seatState.Since.Add(min(joinTimeout, a.tables.cfg.Grace))
		return scheduledEvent{at: at, event: match.Event{Kind: match.NoShow, Seat: side}}
	}
	return scheduledEvent{}
}

// returnAt returns when a player's return may be recorded. Other nodes know only the log, so it is recorded before the
// grace period ends there.
func (a agenda) returnAt(side rules.Side) time.Time {
	at := returns().NextAt(a.attendance.of(side).returned)
	if a.Awaited() != side || !at.After(a.now) || len(a.tables.membership.up()) < 2 {
		return at
	}
	if half := latest(a.SeatState(side).Since, a.TurnSince).Add(a.tables.cfg.Grace / 2); half.Before(at) {
		return half
	}
	return at
}

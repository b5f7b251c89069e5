package manager

import (
	"time"

	"notakto/match"
	"notakto/match/limit"
	"notakto/rules"
)

// attendance is the readers of a table on this node: players and spectators. The table's goroutine owns it.
type attendance struct {
	players    [2]presence
	spectators []*subscription
	emptySince time.Time // when the last reader left
}

// presence is who is here for one side of a table: a reader for each window of the player.
type presence struct {
	subscriptions []*subscription
	state         presenceState
	left          time.Time // when the last reader did
	returned      time.Time // what is owed for the returns that were recorded
}

// presenceState is what a table knows of its own about a player being here. The log has what everybody knows; where the
// two differ, the table owes the log an event.
type presenceState uint8

const (
	expected presenceState = iota // expected if the log says that the player is at this node, else another node's to record
	present
	absent // was here
)

// of is who is here for a side.
func (a *attendance) of(side rules.Side) *presence { return &a.players[side-1] }

func (a *attendance) isPresent(side rules.Side) bool { return a.of(side).state == present }

// add puts a reader on the seat of a side, or among the spectators.
func (a *attendance) add(r *subscription, side rules.Side) {
	if side == rules.Nobody {
		a.spectators = append(a.spectators, r)
		return
	}
	p := a.of(side)
	p.subscriptions, p.state = append(p.subscriptions, r), present
}

// dropClosed removes the readers that were closed, and reports whether the spectators have changed.
func (a *attendance) dropClosed(now time.Time) (changed bool) {
	before, watching := a.count(), len(a.spectators)
	for i := range a.players {
		p := &a.players[i]
		if len(p.subscriptions) == 0 {
			continue
		}
		if p.subscriptions = dropClosed(p.subscriptions); len(p.subscriptions) == 0 {
			p.state, p.left = absent, now
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

// noteRecorded takes note that the log knows of an absence: from then on only a return is this table's to tell.
func (a *attendance) noteRecorded(s *match.State) {
	for i, seatState := range s.SeatStates() {
		if p := &a.players[i]; p.state != present && seatState.Taken && !seatState.Present {
			p.state = expected
		}
	}
}

// missAll takes those for gone of whom the log says that they are at this node, and who have not come to a table that
// was taken up again. Who sat down a moment ago may be on their way.
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

// returns is how often a player's coming back to a match is recorded: each time is kept for good, and drawn for
// everybody. Who comes and goes more often is away for a while by the log, but the time runs against nobody who is
// here.
func returns() limit.Rate { return limit.Rate{Burst: 32, Interval: 10 * time.Minute} }

// chargeReturn counts a return that was recorded. One that had to be told before its time costs nothing more.
func (p *presence) chargeReturn(now time.Time) {
	if r := returns(); !r.NextAt(p.returned).After(now) {
		p.returned = r.Charge(p.returned, now)
	}
}

// presenceEvent is what the log does not know yet about a player who comes or goes. Where the player is on another
// node, that node tells, as long as it is up.
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
	case nodes.isDown(seatState.Node): // since before the player's seat was taken there: looked at again until that is long ago
		return scheduledEvent{at: a.now.Add(heartbeatInterval), event: match.Event{Kind: match.Left, Seat: side}}
	case seatState.Node == nodes.self:
		at := seatState.Since.Add(min(joinTimeout, a.tables.cfg.Grace))
		return scheduledEvent{at: at, event: match.Event{Kind: match.NoShow, Seat: side}}
	}
	return scheduledEvent{}
}

// returnAt is when it may be recorded that a player is back. Other nodes know only the log: it is recorded before the
// time runs out there.
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

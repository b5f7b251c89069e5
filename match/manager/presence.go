package manager

import (
	"sync/atomic"
	"time"

	"notakto/match"
	"notakto/rules"
)

// attendance holds the connections of players and spectators to a table on this node. The table's goroutine owns it.
type attendance struct {
	players    [2]presence
	spectators []*subscription
	emptySince time.Time      // when the last subscription ended
	here       [2]atomic.Bool // whether each player is present, read by any goroutine
}

// presence holds the connections of one side, one subscription for each session of the player.
type presence struct {
	subscriptions []*subscription
	state         presenceState
	left          time.Time // when the last subscription ended
	// returnsUsedUntil is the time until which recorded returns count. A recorded return moves returnsUsedUntil on by
	// returnInterval, from the present time if that is later. mayReturnAt allows a return while returnsUsedUntil is at
	// most returnBurst-1 intervals ahead.
	returnsUsedUntil time.Time
	previousNode     match.Node // node in the log when the player connected here, perhaps a failed one
	switchedAt       time.Time  // when the player connected here, if previousNode is set
}

// presenceState is a player's connection to this node. A difference from the log becomes an event.
type presenceState uint8

const (
	unconnected presenceState = iota // no session here yet, awaited for joinTimeout if the log shows the player here
	present
	absent // the last session has gone
)

func (a *attendance) player(side rules.Side) *presence { return &a.players[side-1] }

func (a *attendance) isPresent(side rules.Side) bool { return a.player(side).state == present }

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

// A table records returnBurst returns of a player, and one more after each returnInterval, because each return is
// stored for good and redraws every screen. Beyond that the log shows a connected player as away. No limit of
// absence applies to a connected player.
const (
	returnBurst    = 32
	returnInterval = 10 * time.Minute
)

func (p *presence) mayReturnAt() time.Time {
	return p.returnsUsedUntil.Add(-(returnBurst - 1) * returnInterval)
}

// presenceEvent returns the event that records the next change of a player's presence. A node that is up records the
// arrivals and departures of its own players. Any node records the departure of players at a node that is down.
func (a agenda) presenceEvent(side rules.Side) scheduledEvent {
	seatState, nodes := a.Seat(side), a.tables.peers
	if !seatState.Taken || seatState.Player.IsComputer() {
		return scheduledEvent{}
	}
	switch state := a.attendance.player(side).state; {
	case state == present && !seatState.Present:
		return scheduledEvent{at: a.returnAt(side), event: match.Event{Kind: match.Returned, Seat: side, Node: nodes.self}}
	case state == present || !seatState.Present:
		return scheduledEvent{}
	case nodes.isLost(seatState), state == absent && seatState.Node == nodes.self:
		return scheduledEvent{event: match.Event{Kind: match.Left, Seat: side}}
	case nodes.isDown(seatState.Node): // the player came too recently for isLost (look again later)
		return scheduledEvent{at: a.now.Add(heartbeatInterval), event: match.Event{Kind: match.Left, Seat: side}}
	case seatState.Node == nodes.self:
		at := seatState.Since.Add(min(joinTimeout, a.tables.cfg.Grace))
		return scheduledEvent{at: at, event: match.Event{Kind: match.NoShow, Seat: side}}
	}
	return scheduledEvent{}
}

// returnAt returns when a player's return may be recorded. The return of a player on turn may be recorded after half
// of the grace period, because other nodes know only the log and measure the grace period by it.
func (a agenda) returnAt(side rules.Side) time.Time {
	at := a.attendance.player(side).mayReturnAt()
	if a.Awaited() != side || !at.After(a.now) || len(a.tables.peers.up()) < 2 {
		return at
	}
	if half := latest(a.Seat(side).Since, a.TurnSince).Add(a.tables.cfg.Grace / 2); half.Before(at) {
		return half
	}
	return at
}

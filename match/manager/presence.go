package manager

import (
	"context"
	"time"

	"notakto/match"
	"notakto/match/limit"
	"notakto/rules"
)

// presence is who is here for one side of a table: a reader for each window of the player.
type presence struct {
	subscriptions []*subscription
	state         presenceState
	left          time.Time // when the last reader did
	returned      time.Time // what is owed for the returns that were recorded
}

// returns is how often a player's coming back to a match is recorded: each time is kept for good, and drawn for
// everybody. Who comes and goes more often is away for a while by the log, but the time runs against nobody who is
// here.
func returns() limit.Rate { return limit.Rate{Burst: 32, Interval: 10 * time.Minute} }

// chargeReturn counts a return that was recorded. One that had to be told before its time costs nothing more.
func (b *presence) chargeReturn(now time.Time) {
	if r := returns(); !r.NextAt(b.returned).After(now) {
		b.returned = r.Charge(b.returned, now)
	}
}

// presenceState is what a table knows of its own about a player being here. The log has what everybody knows; where the
// two differ, the table owes the log an event.
type presenceState uint8

const (
	expected presenceState = iota // expected if the log says that the player is at this node, and else somebody else's to tell
	present
	absent // was here
)

// receive lets a reader take its place in the table's goroutine. If it cannot be waited for, the reader is given back.
func (t *table) receive(ctx context.Context, r *subscription, take func() error) error {
	err := t.do(ctx, func() error {
		if r.closed.Load() {
			return context.Canceled
		}
		return take()
	})
	if err != nil {
		r.close()
	}
	return err
}

// addSubscription puts a reader on the presence of p.
func (t *table) addSubscription(r *subscription, p match.PlayerID) (rules.Side, error) {
	side := t.state.Side(p)
	if side == rules.Nobody || t.state.SeatState(side).Player.IsComputer() {
		return side, match.ErrNotSeated
	}
	b := &t.presence[side-1]
	b.subscriptions, b.state = append(b.subscriptions, r), present
	t.publishTo(side, r)
	return side, nil
}

func (t *table) watch(r *subscription) {
	t.spectators, t.dirty = append(t.spectators, r), true
	t.publishTo(rules.Nobody, r)
}

// release lets the readers go that were given back.
func (t *table) release() {
	before := t.subscriptionCount()
	for i := range t.presence {
		b := &t.presence[i]
		if len(b.subscriptions) == 0 {
			continue
		}
		if b.subscriptions = dropClosed(b.subscriptions); len(b.subscriptions) == 0 {
			b.state, b.left = absent, t.now()
		}
	}
	watching := len(t.spectators)
	t.spectators = dropClosed(t.spectators)
	if t.subscriptionCount() == 0 && before > 0 {
		t.emptySince = t.now()
	}
	t.dirty = t.dirty || len(t.spectators) != watching
}

func (t *table) subscriptionCount() int {
	return len(t.presence[0].subscriptions) + len(t.presence[1].subscriptions) + len(t.spectators)
}

// attend notes that the log knows of an absence: from then on only a return is this table's to tell.
func (t *table) attend() {
	for i := range t.presence {
		if b := &t.presence[i]; b.state != present && t.state.SeatStates()[i].Taken && !t.state.SeatStates()[i].Present {
			b.state = expected
		}
	}
}

// returnAt is when it may be recorded that a player is back. Other nodes know only the log: it is recorded before the
// time runs out there.
func (t *table) returnAt(side rules.Side) time.Time {
	at := returns().NextAt(t.presence[side-1].returned)
	if t.state.Awaited() != side || !at.After(t.now()) || len(t.manager.membership.up()) < 2 {
		return at
	}
	if half := latest(t.state.SeatState(side).Since, t.state.TurnSince).Add(t.manager.cfg.Grace / 2); half.Before(at) {
		return half
	}
	return at
}

// record records what a player does, and then that the player is here, if that was held back.
func (t *table) record(e match.Event) error {
	if err := t.appendRetry(e); err != nil {
		return err
	}
	if seatState := t.state.SeatState(e.Seat); t.presence[e.Seat-1].state == present && !seatState.Present && !t.state.Closed {
		_ = t.perform(match.Event{Kind: match.Returned, Seat: e.Seat, Node: t.manager.membership.self}) // else it is due later
	}
	return nil
}

// nextPresenceEvent is what the log does not know yet about a player who comes or goes. Where the player is on another
// node, that node tells, as long as it is up.
func (t *table) nextPresenceEvent(side rules.Side) scheduledEvent {
	seatState, self := t.state.SeatState(side), t.manager.membership.self
	if !seatState.Taken || seatState.Player.IsComputer() {
		return scheduledEvent{}
	}
	switch attendance := t.presence[side-1].state; {
	case attendance == present && !seatState.Present:
		return scheduledEvent{at: t.returnAt(side), event: match.Event{Kind: match.Returned, Seat: side, Node: self}}
	case attendance == present || !seatState.Present:
		return scheduledEvent{}
	case t.manager.membership.isAway(seatState), attendance == absent && seatState.Node == self:
		return scheduledEvent{event: match.Event{Kind: match.Left, Seat: side}}
	case t.manager.membership.isDown(seatState.Node): // since before the player's seat was taken there: looked at again until that is long ago
		return scheduledEvent{at: t.now().Add(heartbeatInterval), event: match.Event{Kind: match.Left, Seat: side}}
	case seatState.Node == self:
		return scheduledEvent{at: seatState.Since.Add(min(joinTimeout, t.manager.cfg.Grace)), event: match.Event{Kind: match.NoShow, Seat: side}}
	}
	return scheduledEvent{}
}

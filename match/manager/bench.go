package manager

import (
	"context"
	"time"

	"notakto/match"
	"notakto/match/limit"
	"notakto/rules"
)

// bench is who is here for one side of a table: a reader for each window of the player.
type bench struct {
	readers    []*reader
	attendance attendance
	left       time.Time // when the last reader did
	returned   time.Time // what is owed for the returns that were recorded
}

// returns is how often a player's coming back to a match is recorded: each time is kept for good, and drawn for everybody. Who comes and goes
// more often is away for a while by the log, but the time runs against nobody who is here.
func returns() limit.Rate { return limit.Rate{Burst: 32, Interval: 10 * time.Minute} }

// chargeReturn counts a return that was recorded. One that had to be told before its time costs nothing more.
func (b *bench) chargeReturn(now time.Time) {
	if r := returns(); !r.NextAt(b.returned).After(now) {
		b.returned = r.Charge(b.returned, now)
	}
}

// attendance is what a table knows of its own about a player being here. The log has what everybody knows; where the two differ, the table
// owes the log an event.
type attendance uint8

const (
	unseen attendance = iota // expected if the log says that the player is at this node, and else somebody else's to tell
	here
	gone // was here
)

// receive lets a reader take its place in the table's goroutine. If it cannot be waited for, the reader is given back.
func (t *table) receive(ctx context.Context, r *reader, take func() error) error {
	err := t.ask(ctx, func() error {
		if r.gone.Load() {
			return context.Canceled
		}
		return take()
	})
	if err != nil {
		r.close()
	}
	return err
}

// sit puts a reader on the bench of p.
func (t *table) sit(r *reader, p match.PlayerID) (rules.Side, error) {
	side := t.state.Side(p)
	if side == rules.Nobody || t.state.Chair(side).Player.IsComputer() {
		return side, match.ErrNotSeated
	}
	b := &t.benches[side-1]
	b.readers, b.attendance = append(b.readers, r), here
	t.showTo(side, r)
	return side, nil
}

func (t *table) watch(r *reader) {
	t.watchers, t.unshown = append(t.watchers, r), true
	t.showTo(rules.Nobody, r)
}

// release lets the readers go that were given back.
func (t *table) release() {
	before := t.readers()
	for i := range t.benches {
		b := &t.benches[i]
		if len(b.readers) == 0 {
			continue
		}
		if b.readers = sweep(b.readers); len(b.readers) == 0 {
			b.attendance, b.left = gone, t.now()
		}
	}
	watching := len(t.watchers)
	t.watchers = sweep(t.watchers)
	if t.readers() == 0 && before > 0 {
		t.quiet = t.now()
	}
	t.unshown = t.unshown || len(t.watchers) != watching
}

func (t *table) readers() int {
	return len(t.benches[0].readers) + len(t.benches[1].readers) + len(t.watchers)
}

// attend notes that the log knows of an absence: from then on only a return is this table's to tell.
func (t *table) attend() {
	for i := range t.benches {
		if b := &t.benches[i]; b.attendance != here && t.state.Chairs()[i].Taken && !t.state.Chairs()[i].Present {
			b.attendance = unseen
		}
	}
}

// returnAt is when it may be recorded that a player is back. Other nodes know only the log: it is recorded before the time runs out there.
func (t *table) returnAt(side rules.Side) time.Time {
	at := returns().NextAt(t.benches[side-1].returned)
	if t.state.Awaited() != side || !at.After(t.now()) || len(t.manager.nodes.up()) < 2 {
		return at
	}
	if half := latest(t.state.Chair(side).Since, t.state.TurnSince).Add(t.manager.cfg.Grace / 2); half.Before(at) {
		return half
	}
	return at
}

// act records what a player does, and then that the player is here, if that was held back.
func (t *table) act(e match.Event) error {
	if err := t.decide(e); err != nil {
		return err
	}
	if chair := t.state.Chair(e.Seat); t.benches[e.Seat-1].attendance == here && !chair.Present && !t.state.Closed {
		_ = t.perform(match.Event{Kind: match.Returned, Seat: e.Seat, Node: t.manager.nodes.self}) // else it is due later
	}
	return nil
}

// presenceDuty is what the log does not know yet about a player who comes or goes. Where the player is on another node, that node tells,
// as long as it is up.
func (t *table) presenceDuty(side rules.Side) duty {
	chair, self := t.state.Chair(side), t.manager.nodes.self
	if !chair.Taken || chair.Player.IsComputer() {
		return duty{}
	}
	switch attendance := t.benches[side-1].attendance; {
	case attendance == here && !chair.Present:
		return duty{at: t.returnAt(side), event: match.Event{Kind: match.Returned, Seat: side, Node: self}}
	case attendance == here || !chair.Present:
		return duty{}
	case t.manager.nodes.isAway(chair), attendance == gone && chair.Node == self:
		return duty{event: match.Event{Kind: match.Left, Seat: side}}
	case t.manager.nodes.isDown(chair.Node): // since before the player's seat was taken there: looked at again until that is long ago
		return duty{at: t.now().Add(pulse), event: match.Event{Kind: match.Left, Seat: side}}
	case chair.Node == self:
		return duty{at: chair.Since.Add(min(arrival, t.manager.cfg.Grace)), event: match.Event{Kind: match.Missing, Seat: side}}
	}
	return duty{}
}

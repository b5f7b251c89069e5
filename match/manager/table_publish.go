package manager

import (
	"time"

	"notakto/match"
	"notakto/rules"
)

// changed tells everyone who is concerned about the new state.
func (t *table) changed() {
	if !t.ready {
		return
	}
	t.attend()
	if t.state.Over() && !t.endLogged {
		t.endLogged = true
		t.logEnd()
	}
	t.publish()
}

// transientEvery is how often it is shown at most that others look on, or that the time runs: whoever comes or goes is
// drawn for everybody at the table.
const transientEvery = 250 * time.Millisecond

// publishTransient shows what is in no log: that others have come to look on or have gone, that the time runs or does
// not, and that it runs for longer, for a time in which nobody could come back is charged to nobody, and that this node
// is cut off.
func (t *table) publishTransient() {
	t.looking.Store(int32(len(t.spectators)))
	at, shown := t.calledBy(), *t.forfeitAt.Load()
	if cutOff := t.manager.membership.now().cutOff; cutOff != t.cutOff {
		t.cutOff = cutOff
		t.publish()
	}
	t.dirty = t.dirty || at.IsZero() != shown.IsZero() || t.moveBy().Sub(t.limit).Abs() > time.Second
	if (t.dirty || !at.Equal(shown)) && !t.nextTransientAt().After(t.now()) {
		t.lastShown = t.now()
		t.publish()
	}
}

// calledBy is when the match ends if the player to move, who is away, does not come; zero while that player is here.
func (t *table) calledBy() time.Time {
	at, limit := t.expiry(), t.moveBy()
	if at.IsZero() && !t.state.SeatState(t.state.Turn()).Present {
		return limit
	}
	return at
}

// nextTransientAt is when that may be shown next.
func (t *table) nextTransientAt() time.Time { return t.lastShown.Add(transientEvery) }

func (t *table) publish() {
	t.dirty = false
	lostAt := t.calledBy()
	t.forfeitAt.Store(&lostAt)
	t.limit = t.moveBy()
	for i := range t.presence {
		t.publishTo(rules.Sides()[i], t.presence[i].subscriptions...)
	}
	t.publishTo(rules.Nobody, t.spectators...)
}

func (t *table) publishTo(side rules.Side, readers ...*subscription) {
	if len(readers) == 0 {
		return
	}
	snapshot := &match.Snapshot{
		State: t.state.SeenBy(side), Spectators: len(t.spectators),
		ForfeitAt: t.expiry(), MoveBy: t.moveBy(), CutOff: t.manager.membership.now().cutOff,
	}
	for _, r := range readers {
		r.box.Put(snapshot)
	}
}

package manager

import (
	"time"

	"notakto/match"
	"notakto/rules"
)

// transientEvery is the minimum interval between publishing changes of spectators or clocks: each redraws the screen of
// everyone at the table.
const transientEvery = 250 * time.Millisecond

// transient is the last published state that is not in the log.
type transient struct {
	dirty  bool      // changed since
	cutOff bool      // this node
	moveBy time.Time // [match.Snapshot.MoveBy]
	at     time.Time // when it was last published
}

// nextAt returns when a change may next be published.
func (s transient) nextAt() time.Time { return s.at.Add(transientEvery) }

// changed publishes the new state and wakes what depends on it.
func (t *table) changed() {
	if t.phase == tableOpening {
		return
	}
	t.attendance.noteRecorded(t.state)
	if t.state.Over() && t.phase == tableLive {
		t.phase = tableOver
		logEnd(t.log, t.state)
	}
	t.publish()
}

// publishTransient publishes changes that are not events: the number of spectators, the forfeit deadline, which moves
// when time does not count, and whether this node is cut off.
func (t *table) publishTransient() {
	looking := int32(len(t.attendance.spectators))
	t.tables.index.stats.Spectators.Add(int64(looking - t.looking.Swap(looking)))
	if cutOff := t.tables.membership.now().cutOff; cutOff != t.shown.cutOff {
		t.shown.cutOff = cutOff
		t.publish()
	}
	a, forfeitAt := t.agenda(), *t.forfeitAt.Load()
	endsAt := a.endsAt()
	t.shown.dirty = t.shown.dirty || endsAt.IsZero() != forfeitAt.IsZero() ||
		a.moveBy().Sub(t.shown.moveBy).Abs() > time.Second
	if (t.shown.dirty || !endsAt.Equal(forfeitAt)) && !t.shown.nextAt().After(a.now) {
		t.shown.at = a.now
		t.publish()
	}
}

// publish sends a snapshot to everyone at the table.
func (t *table) publish() {
	a := t.agenda()
	endsAt := a.endsAt()
	t.forfeitAt.Store(&endsAt)
	t.shown.dirty, t.shown.moveBy = false, a.moveBy()
	for i, p := range t.attendance.players {
		t.publishTo(rules.Sides()[i], p.subscriptions...)
	}
	t.publishTo(rules.Nobody, t.attendance.spectators...)
}

func (t *table) publishTo(side rules.Side, readers ...*subscription) {
	if len(readers) == 0 {
		return
	}
	a := t.agenda()
	snapshot := &match.Snapshot{
		State: t.state.SeenBy(side), Spectators: len(t.attendance.spectators),
		ForfeitAt: a.forfeitAt(), MoveBy: a.moveBy(), CutOff: t.tables.membership.now().cutOff,
	}
	for _, r := range readers {
		r.box.Put(snapshot)
	}
}

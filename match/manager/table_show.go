package manager

import (
	"time"

	"notakto/match"
	"notakto/rules"
)

// changed tells everyone who is concerned about the new state.
func (t *table) changed() {
	if !t.laid {
		return
	}
	t.attend()
	if t.state.Over() && !t.told {
		t.told = true
		t.logEnd()
	}
	t.show()
}

// unrecordedEvery is how often it is shown at most that others look on, or that the time runs: whoever comes or goes is drawn for everybody at
// the table.
const unrecordedEvery = 250 * time.Millisecond

// showUnrecorded shows what is in no log: that others have come to look on or have gone, that the time runs or does not, and that it runs for
// longer, for a time in which nobody could come back is charged to nobody, and that this node is cut off.
func (t *table) showUnrecorded() {
	t.looking.Store(int32(len(t.watchers)))
	at, shown := t.calledBy(), *t.lostAt.Load()
	if cutOff := t.manager.nodes.now().cutOff; cutOff != t.cutOff {
		t.cutOff = cutOff
		t.show()
	}
	t.unshown = t.unshown || at.IsZero() != shown.IsZero() || t.moveBy().Sub(t.limit).Abs() > time.Second
	if (t.unshown || !at.Equal(shown)) && !t.unrecordedAt().After(t.now()) {
		t.lately = t.now()
		t.show()
	}
}

// calledBy is when the match ends if the player to move, who is away, does not come; zero while that player is here.
func (t *table) calledBy() time.Time {
	at, limit := t.expiry(), t.moveBy()
	if at.IsZero() && !t.state.Chair(t.state.Turn()).Present {
		return limit
	}
	return at
}

// unrecordedAt is when that may be shown next.
func (t *table) unrecordedAt() time.Time { return t.lately.Add(unrecordedEvery) }

func (t *table) show() {
	t.unshown = false
	lostAt := t.calledBy()
	t.lostAt.Store(&lostAt)
	t.limit = t.moveBy()
	for i := range t.benches {
		t.showTo(rules.Sides()[i], t.benches[i].readers...)
	}
	t.showTo(rules.Nobody, t.watchers...)
}

func (t *table) showTo(side rules.Side, readers ...*reader) {
	if len(readers) == 0 {
		return
	}
	snapshot := &match.Snapshot{
		State: t.state.SeenBy(side), Spectators: len(t.watchers),
		LostAt: t.expiry(), MoveBy: t.moveBy(), CutOff: t.manager.nodes.now().cutOff,
	}
	for _, r := range readers {
		r.box.Put(snapshot)
	}
}

package match

import (
	"time"

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

// crowdEvery is how often it is shown at most that others look on: everybody who comes or goes is drawn for everybody at the table.
const crowdEvery = 250 * time.Millisecond

// showCrowd shows that others have come to look on, or have gone, if it is time.
func (t *table) showCrowd() {
	if t.looking.Store(int32(len(t.watchers))); !t.moved || t.crowdAt().After(t.now()) {
		return
	}
	t.crowd = t.now()
	t.show()
}

// crowdAt is when that may be shown next.
func (t *table) crowdAt() time.Time { return t.crowd.Add(crowdEvery) }

func (t *table) show() {
	t.moved = false
	lostAt := t.expiry()
	t.lostAt.Store(&lostAt)
	for i := range t.benches {
		t.showTo(sides[i], t.benches[i].readers...)
	}
	t.showTo(rules.Nobody, t.watchers...)
}

func (t *table) showTo(side rules.Side, readers ...*reader) {
	if len(readers) == 0 {
		return
	}
	snapshot := &Snapshot{State: t.state.seenBy(side), Spectators: len(t.watchers), LostAt: t.expiry()}
	for _, r := range readers {
		r.box.put(snapshot)
	}
}

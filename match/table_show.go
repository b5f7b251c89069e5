package match

import "notakto/rules"

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

func (t *table) show() {
	t.looking.Store(int32(len(t.watchers)))
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

package journal

import (
	"fmt"
	"slices"
	"time"

	"notakto/match"
	"notakto/match/journal/internal/codec"
)

// extend appends an event and calls the subscribers. The times of a match never decrease, even if those of the messages
// do.
func (v *index) extend(log *matchLog, e match.Event) match.Event {
	if n := len(log.events); n > 0 {
		e.At = latest(e.At, log.events[n-1].At)
	}
	log.events = append(log.events, e)
	for fn := range v.subscribers {
		(*fn)(e)
	}
	return e
}

// finish removes a match that is in the archive. It first appends the events that are not in its log yet: they may have
// been purged before the follower could deliver them.
func (v *index) finish(r codec.Record) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if log := v.logs[r.ID]; log != nil {
		for log.damage == nil && len(log.events) < len(r.Events) {
			e := r.Events[len(log.events)]
			e.At = v.clock.past(e.At)
			v.extend(log, e)
		}
		delete(v.logs, r.ID)
		v.all = v.all.minus(log.all)
		v.count()
	}
	v.archived.add(r.ID)
	v.progress.broadcast()
}

// ends returns the sequence of the last entry of each live match that is not damaged.
func (v *index) ends() map[match.ID]uint64 {
	v.mu.Lock()
	defer v.mu.Unlock()
	ends := make(map[match.ID]uint64, len(v.logs))
	for id, log := range v.logs {
		if log.damage == nil {
			ends[id] = log.last
		}
	}
	return ends
}

// markDamaged marks matches whose last events the stream has lost, and calls the subscribers. Everything after a
// sequence will be delivered again. It returns how many entries the live matches had.
func (v *index) markDamaged(whole uint64, lost []match.ID) (entries uint64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, id := range lost {
		log := v.logs[id]
		if log == nil {
			continue // it was archived
		}
		log.damage = fmt.Errorf("%w: match %s: its last events are lost", match.ErrDamaged, id)
		for fn := range v.subscribers {
			(*fn)(match.Event{Match: id})
		}
	}
	v.at = min(v.at, whole)
	v.progress.broadcast()
	return v.all.entries
}

// read returns the events after a sequence, and whether the match is live.
func (v *index) read(id match.ID, after uint64) ([]match.Event, bool, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	log := v.logs[id]
	if log == nil {
		return nil, false, nil
	}
	if log.damage != nil || after >= uint64(len(log.events)) {
		return nil, true, log.damage
	}
	return slices.Clone(log.events[after:]), true, nil
}

// subscribe is [match.Journal]'s Subscribe.
func (v *index) subscribe(fn func(match.Event)) (stop func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, log := range v.logs {
		if log.sealed || log.damage != nil {
			continue
		}
		for _, e := range log.events {
			fn(e)
		}
	}
	v.subscribers[&fn] = struct{}{}
	return func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		delete(v.subscribers, &fn)
	}
}

func latest(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

package journal

import (
	"fmt"
	"slices"
	"time"

	"notakto/match"
)

// extend adds an event and tells the hearers. Times of a match never go back, even if those of the messages do.
func (v *view) extend(log *matchLog, e match.Event) match.Event {
	if n := len(log.events); n > 0 {
		e.At = latest(e.At, log.events[n-1].At)
	}
	log.events = append(log.events, e)
	for hear := range v.hearers {
		(*hear)(e)
	}
	return e
}

// finish takes a record of the archive: the match is no longer live. What its log had not told yet is told now, because the subject may
// have been purged before it came.
func (v *view) finish(r record) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if log := v.logs[r.id]; log != nil {
		for log.damage == nil && len(log.events) < len(r.events) {
			e := r.events[len(log.events)]
			e.At = v.clock.past(e.At)
			v.extend(log, e)
		}
		delete(v.logs, r.id)
		v.all = v.all.minus(log.all)
		v.count()
	}
	v.gone.add(r.id)
	v.move()
}

// lose marks the matches whose last entries came after a sequence as damaged, because the stream has lost these, and tells
// the hearers. It returns how many matches these are, and how many entries the live matches had.
func (v *view) lose(end uint64) (matches int, entries uint64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for id, log := range v.logs {
		if log.last <= end || log.damage != nil {
			continue
		}
		log.damage = fmt.Errorf("%w: match %s: its last events are lost", match.ErrDamaged, id)
		for hear := range v.hearers {
			(*hear)(match.Event{Match: id})
		}
		matches++
	}
	v.at = min(v.at, end)
	v.move()
	return matches, v.all.entries
}

// read returns the events after a sequence, and whether the match is live.
func (v *view) read(id match.ID, after uint64) ([]match.Event, bool, error) {
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

// hear is [match.Journal]'s Hear.
func (v *view) hear(hear func(match.Event)) (stop func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, log := range v.logs {
		if log.sealed || log.damage != nil {
			continue
		}
		for _, e := range log.events {
			hear(e)
		}
	}
	v.hearers[&hear] = struct{}{}
	return func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		delete(v.hearers, &hear)
	}
}

func latest(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

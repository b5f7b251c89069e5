package manager

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"notakto/match"
)

// A list of more than fewListed matches is made no more often than every listEvery: it takes milliseconds, and anybody
// may ask for it.
const (
	fewListed = 200
	listEvery = 250 * time.Millisecond
)

// list is the matches in progress as they were listed last.
type list struct {
	index *index

	mu      sync.Mutex
	matches []match.Summary
	at      time.Time
}

// current is the matches in progress, busiest first, those that were left to the computer last. Spectators are those of
// this node. It is shared, so not to be changed.
func (l *list) current() []match.Summary {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.matches) > fewListed && time.Since(l.at) < listEvery {
		return l.matches
	}
	l.matches = l.index.inProgress()
	slices.SortFunc(l.matches, func(a, b match.Summary) int {
		if a.Parked != b.Parked && a.Parked {
			return 1
		}
		if a.Parked != b.Parked {
			return -1
		}
		return cmp.Or(cmp.Compare(b.Spectators, a.Spectators), cmp.Compare(b.Plies, a.Plies), cmp.Compare(a.ID, b.ID))
	})
	l.at = time.Now()
	return l.matches
}

// inProgress is the matches in progress that are not private, in no order. The register is held for no longer than it
// takes to walk through it.
func (r *index) inProgress() []match.Summary {
	type pair struct {
		state *match.State
		table *table
	}
	r.mu.Lock()
	on := make([]pair, 0, len(r.matches))
	for id, e := range r.matches {
		if e.isLive() && e.state.Started() && e.state.Origin != match.PrivateOrigin {
			on = append(on, pair{e.state, r.tables[id]})
		}
	}
	r.mu.Unlock()
	all := make([]match.Summary, 0, len(on))
	for _, p := range on {
		all = append(all, r.summary(p.state, p.table))
	}
	return all
}

// summaries are those of the given matches that are in progress.
func (r *index) summaries(ids []match.ID) []match.Summary {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := make([]match.Summary, 0, len(ids))
	for _, id := range ids {
		if e := r.matches[id]; e.isLive() && e.state.Started() {
			all = append(all, r.summary(e.state, r.tables[id]))
		}
	}
	return all
}

// summary is a match's, with what a table of this node knows, if there is one: else what the log says of the time.
func (r *index) summary(state *match.State, t *table) match.Summary {
	s := state.Summary()
	s.Parked = isParked(state)
	if t != nil {
		s.Spectators, s.ForfeitAt = int(t.looking.Load()), *t.forfeitAt.Load()
	} else if mover := state.SeatState(state.Turn()); mover.Taken && !mover.Present && !state.IsAgainstComputer() {
		s.ForfeitAt = latest(mover.Since, state.TurnSince).Add(r.cfg.Grace)
	}
	return s
}

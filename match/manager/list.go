package manager

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"notakto/match"
	"notakto/rules"
)

// A list made from more than fewListed matches, finished ones included, is rebuilt at most every listEvery. A rebuild
// takes up to milliseconds, and any client may request one. Every session in the lobby keeps the list that it got last
// in memory.
const (
	fewListed = 20
	listEvery = 250 * time.Millisecond
)

// movingFor is the time after a move for which a match counts as moving.
const movingFor = 5 * time.Minute

// list caches the list of matches in progress.
type list struct {
	tables *tables

	mu      sync.Mutex
	matches []match.Summary
	looked  int // the number of matches that the list was made from
	at      time.Time
}

// current implements [Manager.List]. The numbers of spectators are those of this node.
func (l *list) current() []match.Summary {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.looked > fewListed && time.Since(l.at) < listEvery {
		return l.matches
	}
	rank := func(s match.Summary) (place int) {
		if !s.IsOfPeople() {
			place += 2
		}
		if !s.IsMoving {
			place++
		}
		return place
	}
	on, over := l.tables.index.liveAndFinished()
	l.matches, l.looked = make([]match.Summary, 0, len(on)), len(on)+len(over)
	for _, state := range on {
		if state.Started() && state.Origin != match.PrivateOrigin && !isParked(state) {
			l.matches = append(l.matches, l.tables.summary(state))
		}
	}
	slices.SortFunc(l.matches, func(a, b match.Summary) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.Spectators, a.Spectators),
			cmp.Compare(b.Plies, a.Plies), cmp.Compare(a.ID, b.ID))
	})
	l.at = time.Now()
	return l.matches
}

// summaries returns those of the given matches that are in progress, or between the two games of a pair.
func (t *tables) summaries(ids []match.ID) []match.Summary {
	all := make([]match.Summary, 0, len(ids))
	for _, id := range ids {
		state, err := t.index.match(id)
		if err == nil && state != nil && state.Started() && (!state.Over() || isBetweenGames(state)) {
			all = append(all, t.summary(state))
		}
	}
	return all
}

// summary returns a match's summary: times and spectators from the table if this node has one, else times from the log.
func (t *tables) summary(state *match.State) match.Summary {
	s := state.Summary()
	s.IsMoving = state.IsHere(rules.First) && state.IsHere(rules.Second) && t.now().Sub(state.TurnSince) < movingFor
	if state.Clock.IsCorrespondence() && state.ClockRuns() {
		s.MoveBy = state.TurnSince.Add(state.SeatState(state.Turn()).ClockLeft)
	}
	if here := t.index.table(state.ID); here != nil {
		s.Spectators, s.ForfeitAt = int(here.spectators.Load()), *here.forfeitAt.Load()
	} else if mover := state.SeatState(state.Turn()); mover.Taken && !mover.Present && !state.IsAgainstComputer() &&
		!state.Clock.IsCorrespondence() {
		s.ForfeitAt = latest(mover.Since, state.TurnSince).Add(t.cfg.Grace)
	}
	return s
}

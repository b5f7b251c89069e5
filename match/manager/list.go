package manager

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"notakto/match"
	"notakto/rules"
)

// A list made from more than fewListed matches, finished ones included, is rebuilt at most every listEvery. A
// rebuild takes up to milliseconds, and any client may request one. To save memory, all sessions in the lobby share one
// slice until the next rebuild.
const (
	fewListed = 20
	listEvery = 250 * time.Millisecond
)

// The times after a move until a match no longer counts as moving.
const (
	movingFor     = 5 * time.Minute
	daysMovingFor = time.Minute // with a clock of days
)

// list holds the result of [Manager.List].
type list struct {
	tables *tables

	mu      sync.Mutex
	matches []match.Summary
	scanned int // number of matches that the list was made from
	at      time.Time
}

func (l *list) current() []match.Summary {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.scanned > fewListed && time.Since(l.at) < listEvery {
		return l.matches
	}
	rank := func(s match.Summary) (place int) {
		if !s.IsOfPeople() {
			place += 4
		}
		if !s.IsActive {
			place += 2
		}
		if s.Clock.IsCorrespondence() {
			place++
		}
		return place
	}
	live, finished := l.tables.index.liveAndFinished()
	l.matches, l.scanned = make([]match.Summary, 0, len(live)), len(live)+len(finished)
	for _, state := range live {
		if state.HasStarted() && state.Origin != match.PrivateOrigin && !isParked(state) {
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

func (t *tables) summaries(ids []match.ID) []match.Summary {
	all := make([]match.Summary, 0, len(ids))
	for _, id := range ids {
		state, err := t.index.match(id)
		if err == nil && state != nil && state.HasStarted() && (!state.IsOver() || isBetweenGames(state)) {
			all = append(all, t.summary(state))
		}
	}
	return all
}

// summary takes spectators and ForfeitAt from the table if this node has one. Otherwise ForfeitAt comes from the log,
// without the limit of the move.
func (t *tables) summary(state *match.State) match.Summary {
	s := state.Summary()
	moving := movingFor
	if state.Clock.IsCorrespondence() {
		moving = daysMovingFor
	}
	s.IsActive = state.IsHere(rules.First) && state.IsHere(rules.Second) && t.now().Sub(state.TurnSince) < moving
	if state.Clock.IsCorrespondence() && state.ClockRuns() {
		s.MoveBy = state.TurnSince.Add(state.Seat(state.Turn()).ClockLeft)
		s.Bank = state.Bank(state.Turn())
	}
	if here := t.index.table(state.ID); here != nil {
		s.Spectators, s.ForfeitAt = int(here.spectators.Load()), *here.endsAt.Load()
	} else if mover := state.Seat(state.Turn()); mover.Taken && !mover.Present && !state.IsAgainstComputer() &&
		!state.Clock.IsCorrespondence() {
		s.ForfeitAt = latest(mover.Since, state.TurnSince).Add(t.cfg.Grace)
	}
	return s
}

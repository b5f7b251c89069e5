package manager

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"notakto/match"
	"notakto/match/limit"
	"notakto/rules"
)

// A list for which more than fewListed matches are looked at, those that are over included, is rebuilt at most every
// listEvery: it takes up to milliseconds, any client may request it, and every session in the lobby keeps the last one.
const (
	fewListed = 20
	listEvery = 250 * time.Millisecond
)

// list caches the list of matches in progress.
type list struct {
	tables *tables

	mu      sync.Mutex
	matches []match.Summary
	looked  int // at how many matches
	at      time.Time
}

// current returns the matches in progress, busiest first, parked ones last. Spectators are those of this node. The
// slice is shared and must not be modified.
func (l *list) current() []match.Summary {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.looked > fewListed && time.Since(l.at) < listEvery {
		return l.matches
	}
	l.matches, l.looked = l.all()
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

// all returns the matches in progress that are not private, in no order, and how many it has looked at.
func (l *list) all() (all []match.Summary, looked int) {
	on, over := l.tables.index.liveAndFinished()
	all = make([]match.Summary, 0, len(on))
	for _, state := range on {
		if state.Started() && state.Origin != match.PrivateOrigin {
			all = append(all, l.summary(state))
		}
	}
	return all, len(on) + len(over)
}

// of returns those of the given matches that are in progress, or between the two games of a pair.
func (l *list) of(ids []match.ID) []match.Summary {
	all := make([]match.Summary, 0, len(ids))
	for _, id := range ids {
		state, err := l.tables.index.match(id)
		if err == nil && state != nil && state.Started() && (!state.Over() || isBetweenGames(state)) {
			all = append(all, l.summary(state))
		}
	}
	return all
}

// summary returns a match's summary: times and spectators from the table if this node has one, else times from the log.
func (l *list) summary(state *match.State) match.Summary {
	s := state.Summary()
	s.Parked = isParked(state)
	if state.Clock.IsCorrespondence() && state.ClockRuns() {
		s.MoveBy = state.TurnSince.Add(state.SeatState(state.Turn()).ClockLeft)
	}
	if t := l.tables.get(state.ID); t != nil {
		s.Spectators, s.ForfeitAt = int(t.looking.Load()), *t.forfeitAt.Load()
	} else if mover := state.SeatState(state.Turn()); mover.Taken && !mover.Present && !state.IsAgainstComputer() &&
		!state.Clock.IsCorrespondence() {
		s.ForfeitAt = latest(mover.Since, state.TurnSince).Add(l.tables.cfg.Grace)
	}
	return s
}

// maxMissed is how many matches that ended while a player was away are kept for the player's next login.
const maxMissed = 3

// missed holds the matches that ended while a player was away, by player, until they are shown. It lasts as long as the
// process. The index's lock guards it.
type missed struct {
	limit.Recent[match.PlayerID, []*match.State]
}

// add adds a match that has just ended. Guests are skipped: they are other players at their next login.
func (m *missed) add(s *match.State) {
	for _, seatState := range s.SeatStates() {
		p := seatState.Player
		if !seatState.Taken || seatState.Present || p.IsComputer() || p.Guest {
			continue
		}
		all := append(slices.Clip(m.Get(p.ID)), s.SeenBy(rules.Nobody))
		m.Set(p.ID, all[max(0, len(all)-maxMissed):])
	}
}

// take returns the matches of a player, the latest last, and forgets them.
func (m *missed) take(p match.PlayerID) []*match.State {
	defer m.Remove(p)
	return m.Get(p)
}

// takeMissed returns the matches of a player, the latest last, and forgets them.
func (r *index) takeMissed(p match.PlayerID) []*match.State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.missed.take(p)
}

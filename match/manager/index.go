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

// index holds the states of all matches, folded from the journal, and the tables of this node, the seats and the
// codes. Safe for concurrent use. No method blocks.
type index struct {
	cfg   Config
	stats *Stats

	mu      sync.Mutex
	matches map[match.ID]entry // not archived, or with a table here
	stage   stage
	seats   seats
	codes   codeIndex
	offers  rematchOffers
	open    challengeIndex
	// followers has the functions of FollowChallenges.
	followers map[match.PlayerID][]*func()
	spoiled   []*match.State // for the lobby (isSpoiled)
	ended     *match.State   // see [Manager.LastEnded]
	// missed has the players that made no first move in a pair (isMissed), at most limit.MaxRemembered, each with the
	// last time.
	missed map[match.PlayerID]time.Time
}

// entry is a match, or a table with a match that is not recorded yet or is archived.
type entry struct {
	state     *match.State // nil if archived or not recorded
	broken    error        // why the log cannot be folded beyond state
	isSurplus bool         // isParked is true, and Seats.Park has chosen this match to give up
	// makerNetwork is the largest network of a rated challenge's maker (see setMakerNetworks).
	makerNetwork string
	table        *table // of this node, or nil
}

func (e entry) isLive() bool { return e.state != nil && e.broken == nil && !e.state.IsOver() }

func (i *index) advance(to stage) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.stage = max(i.stage, to)
}

func (i *index) isAtLeast(stage stage) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.stage >= stage
}

func (i *index) knows(id match.ID) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.matches[id].state != nil || i.matches[id].table != nil
}

// release undoes a claim unless p has entered the match.
func (i *index) release(p match.PlayerID, id match.ID) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.releaseLocked(p, id)
}

func (i *index) releaseLocked(p match.PlayerID, id match.ID) {
	if e := i.matches[id]; !e.isLive() || e.state.Side(p) == rules.NoSide {
		i.seats.exit(p, id)
	}
}

// removeTable removes a table that has ended. If the match was not opened, removeTable drops its codes. If a rematch
// was not opened, removeTable releases the claims for it.
func (i *index) removeTable(t *table) {
	i.mu.Lock()
	defer i.mu.Unlock()
	e := i.matches[t.id]
	if e.table = nil; e.state == nil {
		i.codes.forget(t.id)
	}
	i.set(t.id, e)
	for _, side := range rules.Sides() {
		i.releaseLocked(t.state.Seat(side).Player.ID, nextID(t.id))
	}
}

// forgetUnopened drops the codes drawn for a match that was not opened.
func (i *index) forgetUnopened(id match.ID) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.matches[id].state == nil {
		i.codes.forget(id)
	}
}

func (i *index) removeArchived(id match.ID) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.stats.countChange(i.matches[id], entry{})
	i.offers.endAll(i.matches[id].state)
	i.set(id, entry{table: i.matches[id].table})
}

// set replaces the entry of a match. The caller holds the lock.
func (i *index) set(id match.ID, e entry) {
	if e == (entry{}) {
		delete(i.matches, id)
	} else {
		i.matches[id] = e
	}
}

func (i *index) table(id match.ID) *table {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.matches[id].table
}

func (i *index) wakeAll() {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, e := range i.matches {
		e.wake()
	}
}

func (e entry) wake() {
	if e.table != nil {
		e.table.wakeUp()
	}
}

func (i *index) matchesOf(p match.PlayerID) []match.ID {
	i.mu.Lock()
	defer i.mu.Unlock()
	ids := make([]match.ID, 0, len(i.seats.byPlayer[p]))
	for _, id := range i.seats.byPlayer[p] {
		if e := i.matches[id]; (e.isLive() || e.isBetweenGames()) && e.state.Side(p) != rules.NoSide &&
			!e.state.IsOpenChallenge() {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b match.ID) int {
		return cmp.Or(i.matches[a].state.OpenedAt.Compare(i.matches[b].state.OpenedAt), cmp.Compare(a, b))
	})
	return ids
}

// isPlaying is IsPlaying without the seeks, or IsPlayingOthers if others is set.
func (i *index) isPlaying(p match.PlayerID, now time.Time, others bool) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.ContainsFunc(i.seats.byPlayer[p], func(id match.ID) bool {
		e := i.matches[id]
		if e.state == nil || !e.isLive() {
			return e.state == nil || e.isBetweenGames()
		}
		if e.state.IsOpenChallenge() || others && e.state.IsAgainstComputer() {
			return false
		}
		since := now.Add(-stalledAfter)
		if e.state.IsAgainstComputer() {
			since = now.Add(-computerStalledAfter)
		}
		return e.state.OpenedAt.After(since) || e.state.TurnSince.After(since)
	})
}

// match returns the state of a match, or nil if unknown here or archived. If apply could not fold the log, the error is
// [match.ErrDamaged] or one of [match.State.Apply].
func (i *index) match(id match.ID) (*match.State, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	e := i.matches[id]
	return e.state, e.broken
}

func (i *index) draw(d *rng, to codeTarget) (match.Code, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.codes.draw(d, to)
}

func (i *index) find(c match.Code) (codeTarget, bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.codes.find(c)
}

// apply folds an event from the journal and wakes the tables that depend on it.
func (i *index) apply(event match.Event) {
	i.mu.Lock()
	defer i.mu.Unlock()
	e := i.matches[event.Match]
	defer e.wake()
	if e.broken != nil {
		return
	}
	before := e
	state, err := match.State{}, match.ErrDamaged
	if event.Kind != 0 {
		if e.state != nil {
			state = *e.state
		}
		state, err = i.cfg.apply(state, event)
	}
	next := &state
	if err != nil {
		i.cfg.Log.Error("the log of the match makes no sense",
			"event", "match-damaged", "match", string(event.Match), "error", err)
		i.removeSeatsAndCodes(event.Match, e.state)
		i.open.update(e.state, nil)
		e.broken = err
	} else {
		if e.isLive() && isSpoiled(next, event) && len(i.spoiled) < limit.MaxRemembered {
			i.spoiled = append(i.spoiled, next)
		}
		if e.isLive() && event.Kind == match.Overdue && isMissed(e.state) {
			i.recordMissed(next.Seat(event.Seat).Player.ID, event.At)
		}
		if next.Outcome.IsOver() && e.isLive() && next.Origin != match.PrivateOrigin && !next.Outcome.IsVoid() &&
			len(next.Moves) > 0 {
			i.ended = next
		}
		i.open.update(e.state, next)
		if e.state != nil && e.state.IsOpenChallenge() {
			i.notifyFollowers(next)
		}
		e.state, e.isSurplus = next, false
		i.indexLive(next)
		for _, stale := range i.offers.apply(next, event) {
			i.matches[stale].wake()
		}
		if event.Kind == match.Withdrawn {
			i.releaseLocked(next.Seat(event.Seat).Player.ID, nextID(next.ID))
		}
	}
	i.matches[event.Match] = e
	i.stats.countChange(before, e)
	if err == nil && (event.Kind == match.Left || event.Kind == match.NoShow || event.Kind == match.Returned) {
		for _, id := range i.seats.updateParked(next) {
			surplus := i.matches[id]
			surplus.isSurplus = true
			i.matches[id] = surplus
		}
	}
}

// isSpoiled reports whether an event has ended a match of the queue early. A player was late for a first move, or for
// any move without a clock, or resigned or stayed away within the first moves. A clock that runs out later is no sign
// of bad intent.
func isSpoiled(s *match.State, event match.Event) bool {
	const firstMoves = 4 // of both players
	if s.Origin != match.QueueOrigin {
		return false
	}
	isLate := event.Kind == match.Overdue && (s.Clock.IsNone() || s.IsFirstMove())
	isGivenUp := event.Kind == match.Resigned || event.Kind == match.Forfeited
	return isLate || isGivenUp && len(s.Moves) < firstMoves
}

// indexLive indexes the seats and codes of a match, or removes them if the match is over.
func (i *index) indexLive(s *match.State) {
	switch {
	case isBetweenGames(s):
		return // both players keep their seats
	case s.IsOver():
		i.removeSeatsAndCodes(s.ID, s)
		return
	}
	i.codes.confirm(s.TableCode, codeTarget{id: s.ID})
	for _, side := range rules.Sides() {
		seatState := s.Seat(side)
		i.codes.confirm(seatState.Code, codeTarget{id: s.ID, side: side})
		if seatState.Taken && !seatState.Player.IsComputer() {
			i.seats.enter(seatState.Player.ID, s.ID)
		}
	}
}

func (i *index) isSurplus(id match.ID) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.matches[id].isSurplus
}

func (i *index) removeSeatsAndCodes(id match.ID, s *match.State) {
	i.codes.forget(id)
	for _, side := range rules.Sides() {
		if s != nil && s.Seat(side).Taken {
			i.seats.exit(s.Seat(side).Player.ID, id)
		}
	}
}

func (i *index) isStaleOffer(p match.PlayerID, id match.ID) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Contains(i.offers[p], rematchOffer{id, true})
}

func (i *index) liveAndFinished() (live, finished []*match.State) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, e := range i.matches {
		switch {
		case e.isLive():
			live = append(live, e.state)
		case e.state != nil && e.broken == nil:
			finished = append(finished, e.state)
		}
	}
	return live, finished
}

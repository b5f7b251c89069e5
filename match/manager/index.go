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

// index holds the states of all matches, folded from the journal, and the tables of this node, the seats and the codes.
// It is safe for concurrent use and never blocks.
type index struct {
	cfg   Config
	stats *Stats

	mu      sync.Mutex
	matches map[match.ID]entry // those that are not archived, and those with a table here
	allowed tablesState
	seats   seats
	codes   codeIndex
	offers  rematchOffers
	spoiled []*match.State // matches that a player has spoiled, for the lobby: see isSpoiled
	ended   *match.State   // as of [Manager.LastEnded]
	newest  time.Time      // the time of the newest event that the journal has delivered
}

// entry is a match, or a table whose match is archived or not recorded yet.
type entry struct {
	state     *match.State // folded from the events; nil if it is archived or not recorded
	broken    error        // the log cannot be folded beyond state
	isSurplus bool         // parked, and beyond the limit of a network
	table     *table       // of this node; nil if it has none
}

// isLive reports whether the match is in progress, or waits for a player.
func (e entry) isLive() bool { return e.state != nil && e.broken == nil && !e.state.Over() }

// limit restricts which tables may start from now on.
func (i *index) limit(to tablesState) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.allowed = max(i.allowed, to)
}

// isAtLeast reports whether tables are restricted as much as state says, or more.
func (i *index) isAtLeast(state tablesState) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.allowed >= state
}

// knows reports whether a match or a table has that ID.
func (i *index) knows(id match.ID) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.matches[id].state != nil || i.matches[id].table != nil
}

// release undoes a claim unless p has entered.
func (i *index) release(p match.PlayerID, id match.ID) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.releaseLocked(p, id)
}

// releaseLocked is release for callers that hold the lock.
func (i *index) releaseLocked(p match.PlayerID, id match.ID) {
	if e := i.matches[id]; !e.isLive() || e.state.Side(p) == rules.Nobody {
		i.seats.exit(p, id)
	}
}

// end removes a table that has ended. It releases the claims for a rematch unless the rematch was opened. It drops the
// codes drawn for the match if the match was not opened.
func (i *index) end(t *table) {
	i.mu.Lock()
	defer i.mu.Unlock()
	e := i.matches[t.id]
	if e.table = nil; e.state == nil {
		i.codes.forget(t.id)
	}
	i.set(t.id, e)
	for _, side := range rules.Sides() {
		i.releaseLocked(t.state.SeatState(side).Player.ID, nextID(t.id))
	}
}

// forget drops the codes drawn for a match that was not opened.
func (i *index) forget(id match.ID) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.matches[id].state == nil {
		i.codes.forget(id)
	}
}

// drop removes an archived match.
func (i *index) drop(id match.ID) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.stats.changed(i.matches[id], entry{})
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

// table returns the table of a match; nil if it has none here.
func (i *index) table(id match.ID) *table {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.matches[id].table
}

// wakeAll makes every table check what is due.
func (i *index) wakeAll() {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, e := range i.matches {
		e.wake()
	}
}

// wake makes the table of a match check what is due, if there is one.
func (e entry) wake() {
	if e.table != nil {
		e.table.wakeUp()
	}
}

// matchesOf returns the unfinished matches of p, oldest first. The first game of a pair stands for the pair until the
// second game begins.
func (i *index) matchesOf(p match.PlayerID) []match.ID {
	i.mu.Lock()
	defer i.mu.Unlock()
	ids := make([]match.ID, 0, len(i.seats.byPlayer[p]))
	for _, id := range i.seats.byPlayer[p] {
		if e := i.matches[id]; (e.isLive() || e.isBetweenGames()) && e.state.Side(p) != rules.Nobody {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b match.ID) int {
		return cmp.Or(i.matches[a].state.OpenedAt.Compare(i.matches[b].state.OpenedAt), cmp.Compare(a, b))
	})
	return ids
}

// isPlaying reports whether p is about to enter a match, or has an unfinished one that started, or had a move,
// recently.
func (i *index) isPlaying(p match.PlayerID, now time.Time) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.ContainsFunc(i.seats.byPlayer[p], func(id match.ID) bool {
		e := i.matches[id]
		if e.state == nil || !e.isLive() {
			return e.state == nil || e.isBetweenGames()
		}
		since := now.Add(-stalledAfter)
		if e.state.IsAgainstComputer() {
			since = now.Add(-computerStalledAfter)
		}
		return e.state.OpenedAt.After(since) || e.state.TurnSince.After(since)
	})
}

// match returns the state of a match; nil if it is unknown here or archived. [match.ErrBadEvent] if its log is invalid.
func (i *index) match(id match.ID) (*match.State, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	e := i.matches[id]
	return e.state, e.broken
}

// draw reserves a code for a target.
func (i *index) draw(d *rng, to codeTarget) (match.Code, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.codes.draw(d, to)
}

// find returns the target of a code, if the journal has recorded the code.
func (i *index) find(c match.Code) (codeTarget, bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.codes.find(c)
}

// apply folds an event from the journal and wakes the tables that it concerns.
func (i *index) apply(event match.Event) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.newest = latest(i.newest, event.At)
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
		i.removeLive(event.Match, e.state)
		e.broken = err
	} else {
		if e.isLive() && isSpoiled(next, event) && len(i.spoiled) < limit.MaxRemembered {
			i.spoiled = append(i.spoiled, next)
		}
		if next.Outcome.Over() && e.isLive() && next.Origin != match.PrivateOrigin && !next.Outcome.IsVoid() {
			i.ended = next
		}
		e.state, e.isSurplus = next, false
		i.indexLive(next)
		for _, stale := range i.offers.apply(next, event) {
			i.matches[stale].wake()
		}
		if event.Kind == match.Withdrawn {
			i.releaseLocked(next.SeatState(event.Seat).Player.ID, nextID(next.ID))
		}
	}
	i.matches[event.Match] = e
	i.stats.changed(before, e)
	if err == nil && (event.Kind == match.Left || event.Kind == match.NoShow || event.Kind == match.Returned) {
		for _, id := range i.seats.park(next) {
			surplus := i.matches[id]
			surplus.isSurplus = true
			i.matches[id] = surplus
		}
	}
}

// isSpoiled reports whether an event has ended a match of the queue because a player did not move in time, or resigned
// within the first moves.
func isSpoiled(s *match.State, event match.Event) bool {
	const firstMoves = 4 // of both players
	if s.Origin != match.QueueOrigin {
		return false
	}
	isLate := event.Kind == match.Overdue && (s.Clock.IsNone() || s.IsFirstMove()) // a player out of time has played
	isGivenUp := event.Kind == match.Resigned || event.Kind == match.Forfeited
	return isLate || isGivenUp && len(s.Moves) < firstMoves
}

// indexLive indexes the seats and codes of a match in progress.
func (i *index) indexLive(s *match.State) {
	switch {
	case isBetweenGames(s):
		return // both players stay in a match
	case s.Over():
		i.removeLive(s.ID, s)
		return
	}
	i.codes.confirm(s.TableCode, codeTarget{id: s.ID})
	for _, side := range rules.Sides() {
		seatState := s.SeatState(side)
		i.codes.confirm(seatState.Code, codeTarget{id: s.ID, side: side})
		if seatState.Taken && !seatState.Player.IsComputer() {
			i.seats.enter(seatState.Player.ID, s.ID)
		}
	}
}

// isSurplus reports whether a parked match is to be given up because it exceeds the limit of a network.
func (i *index) isSurplus(id match.ID) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.matches[id].isSurplus
}

// removeLive removes a match from the indexes of matches in progress.
func (i *index) removeLive(id match.ID, s *match.State) {
	i.codes.forget(id)
	for _, side := range rules.Sides() {
		if s != nil && s.SeatState(side).Taken {
			i.seats.exit(s.SeatState(side).Player.ID, id)
		}
	}
}

// isStaleOffer reports whether p wants a rematch of a match, but was seated in another one since.
func (i *index) isStaleOffer(p match.PlayerID, id match.ID) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Contains(i.offers[p], rematchOffer{id, true})
}

// liveAndFinished returns the matches in progress, and those that are over but not archived.
func (i *index) liveAndFinished() (on, over []*match.State) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, e := range i.matches {
		switch {
		case e.isLive():
			on = append(on, e.state)
		case e.state != nil && e.broken == nil:
			over = append(over, e.state)
		}
	}
	return on, over
}

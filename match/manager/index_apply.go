package manager

import (
	"notakto/match"
	"notakto/match/limit"
	"notakto/rules"
)

// apply folds an event from the journal.
func (r *index) apply(event match.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.newest = latest(r.newest, event.At)
	e := r.matches[event.Match]
	if e.broken != nil {
		return
	}
	before := e
	next, err := e.apply(r.cfg, event)
	if err != nil {
		r.cfg.Log.Error("the log of the match makes no sense",
			"event", "match-damaged", "match", string(event.Match), "error", err)
		r.removeLive(event.Match, e.state)
		e.broken = err
	} else {
		if e.isLive() && isSpoiled(next, event) && len(r.spoiled) < limit.MaxRemembered {
			r.spoiled = append(r.spoiled, next)
		}
		if next.Outcome.Over() && e.isLive() {
			r.missed.add(next)
			if next.Origin != match.PrivateOrigin && !next.Outcome.IsVoid() {
				r.ended = next
			}
		}
		e.state, e.isSurplus = next, false
		r.indexLive(next)
	}
	r.matches[event.Match] = e
	r.stats.changed(before, e)
	if err == nil && (event.Kind == match.Left || event.Kind == match.NoShow || event.Kind == match.Returned) {
		r.park(next)
	}
}

// isSpoiled reports whether an event has ended a match of the queue because a player did not move in time, or resigned
// within the first moves.
func isSpoiled(s *match.State, event match.Event) bool {
	const firstMoves = 4 // of both players
	if s.Origin != match.QueueOrigin {
		return false
	}
	isLate := event.Kind == match.Overdue && (s.Clock.IsNone() || s.IsFirstMove()) // who runs out of time has played
	isGivenUp := event.Kind == match.Resigned || event.Kind == match.Forfeited
	return isLate || isGivenUp && len(s.Moves) < firstMoves
}

// takeSpoiled returns the matches spoiled since the last call.
func (r *index) takeSpoiled() []*match.State {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.spoiled
	r.spoiled = nil
	return all
}

// apply returns the state after an event.
func (e entry) apply(cfg Config, event match.Event) (*match.State, error) {
	before := match.State{}
	if e.state != nil {
		before = *e.state
	}
	if event.Kind == 0 {
		return nil, match.ErrDamaged
	}
	next, err := cfg.apply(before, event)
	if err != nil {
		return nil, err
	}
	return &next, nil
}

// indexLive indexes the seats and codes of a match in progress.
func (r *index) indexLive(s *match.State) {
	switch {
	case isBetweenGames(s):
		return // both players stay in a match
	case s.Over():
		r.removeLive(s.ID, s)
		return
	}
	r.codes.confirm(s.TableCode, codeTarget{id: s.ID})
	for i, seatState := range s.SeatStates() {
		r.codes.confirm(seatState.Code, codeTarget{id: s.ID, side: rules.Sides()[i]})
		if seatState.Taken && !seatState.Player.IsComputer() {
			r.seats.enter(seatState.Player.ID, s.ID)
		}
	}
}

// park counts a match against the computer separately while its player is away, and gives up those beyond the limit of
// a network. A match to which the player has returned counts as any other.
func (r *index) park(s *match.State) {
	for _, side := range rules.Sides() {
		p := limit.Claim{Player: s.SeatState(side).Player.ID, Match: s.ID}
		switch {
		case !s.IsAgainstComputer() || s.Over() || s.SeatState(side).Player.IsComputer():
		case !isParked(s):
			r.seats.bySource.Release(p)
			r.seats.bySource.Take(p)
		default:
			for _, id := range r.seats.bySource.Park(p, func(id match.ID) int { return len(r.matches[id].state.Moves) }) {
				e := r.matches[id]
				e.isSurplus = true
				r.matches[id] = e
			}
		}
	}
}

// isParked reports whether s is a match against the computer whose player is away.
func isParked(s *match.State) bool {
	return s.IsAgainstComputer() && (!s.IsHere(rules.First) || !s.IsHere(rules.Second))
}

// isSurplus reports whether a parked match is to be given up because it exceeds the limit of a network.
func (r *index) isSurplus(id match.ID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.matches[id].isSurplus
}

// removeLive removes a match from the indexes of matches in progress.
func (r *index) removeLive(id match.ID, s *match.State) {
	r.codes.forget(id)
	for _, side := range rules.Sides() {
		if s != nil && s.SeatState(side).Taken {
			r.seats.exit(s.SeatState(side).Player.ID, id)
		}
	}
}

// liveAndFinished returns the matches in progress, and those that are over but not archived.
func (r *index) liveAndFinished() (on, over []*match.State) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.matches {
		switch {
		case e.isLive():
			on = append(on, e.state)
		case e.broken == nil && e.state.Over():
			over = append(over, e.state)
		}
	}
	return on, over
}

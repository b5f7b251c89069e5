package manager

import (
	"notakto/match"
	"notakto/rules"
)

// The rules of rated pairs beyond what [match.State] says are in this file:
//
//   - A player with a key who seeks rated terms plays a pair, and one pair at a time. Until the pair is over, the
//     player gets no help from perfect play: no analysis, no review, no deadly cells.
//   - The second game opens as a rematch does, [match.SecondGameDelay] after the first has ended, whether the players
//     are connected or not. Until then the first game has a table, counts as a match of both players, and is not
//     archived.
//   - If the table of the first game does not open the second game in time, because its node has failed or drains, a
//     table on another node does.

// checkRated returns why a player may not seek an opponent for the given terms: [match.ErrGuestRated],
// [match.ErrRated].
func (i *index) checkRated(p match.Player, accepts []match.Terms) error {
	for _, terms := range accepts {
		switch {
		case !terms.Pool.IsRated():
		case p.Guest:
			return match.ErrGuestRated
		case i.playsRated(p.ID):
			return match.ErrRated
		}
	}
	return nil
}

// playsRated reports whether a player is in a rated pair that is not over.
func (i *index) playsRated(p match.PlayerID) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, id := range i.seats.byPlayer[p] {
		if e := i.matches[id]; e.state != nil && e.broken == nil && e.state.Pool.IsRated() &&
			e.state.Side(p) != rules.Nobody {
			return true
		}
	}
	return false
}

// isBetweenGames reports whether the second game of the pair of s has to be opened.
func isBetweenGames(s *match.State) bool { return !s.SecondGameAt().IsZero() }

func (e entry) isBetweenGames() bool {
	return e.state != nil && e.broken == nil && isBetweenGames(e.state)
}

// secondGameEvent returns the event that opens the second game of a pair. A draining server leaves the second game to
// another server, or to its own next start.
func (a agenda) secondGameEvent() scheduledEvent {
	if !isBetweenGames(a.State) || a.tables.isDraining() {
		return scheduledEvent{}
	}
	return scheduledEvent{at: a.SecondGameAt(), event: match.Event{Kind: match.Rematched}}
}

// isBusy reports whether a rematch of a rated pair has to wait, because one of the players is in another pair.
func (a agenda) isBusy() bool {
	if !a.Pool.IsRated() {
		return false
	}
	for _, seatState := range a.SeatStates() {
		if a.tables.index.playsRated(seatState.Player.ID) {
			return true
		}
	}
	return false
}

package manager

import (
	"maps"
	"slices"
	"time"

	"notakto/match"
	"notakto/match/limit"
	"notakto/rules"
)

// The rules of rated pairs beyond those of [match.State] are in this file:
//
//   - A player of a pair needs a key, and plays one pair at a time. Pairs with a clock of days do not count.
//   - During a pair the player gets no help from perfect play, that is no analysis, no review and no deadly cells. With
//     a clock of days, this holds only for the current positions of these games.
//   - With a clock of days, the transaction that seats the second player opens both games. The game that ends first is
//     archived after the end of both, because the journal needs its result until then.
//   - Without a clock of days, the second game opens as a rematch does, [match.SecondGameDelay] after the end of the
//     first, whether the players are connected or not. Until then the first game has a table, counts as a match of both
//     players, and is not archived.
//   - If the table of the first game does not open the second game in time, because its node has failed or drains, a
//     table on another node does.

// checkRated returns why p may not seek an opponent on the given terms, [match.ErrGuestRated] or [match.ErrRated],
// or nil.
func (i *index) checkRated(p match.Player, accepts []match.Terms) error {
	for _, terms := range accepts {
		switch {
		case !terms.Pool.IsRated():
		case p.Guest:
			return match.ErrGuestRated
		case !terms.Clock.IsCorrespondence() && i.playsRated(p.ID):
			return match.ErrRated
		}
	}
	return nil
}

// playsRated implements [Manager.PlaysRated]. Without positions shown, it is playsLivePair and takes the lock.
func (i *index) playsRated(p match.PlayerID, shown ...rules.Position) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.playsPair(p, func(s *match.State) bool { return !s.IsSimultaneous() || isShown(s.Position, shown) })
}

// playsLivePair reports whether p plays a rated pair without a clock of days. The caller holds the lock.
func (i *index) playsLivePair(p match.PlayerID) bool {
	return i.playsPair(p, func(s *match.State) bool { return !s.IsSimultaneous() })
}

func (i *index) playsPair(p match.PlayerID, counts func(*match.State) bool) bool {
	return slices.ContainsFunc(i.seats.byPlayer[p], func(id match.ID) bool {
		e := i.matches[id]
		return e.state != nil && e.broken == nil && e.state.Pool.IsRated() && e.state.HasStarted() &&
			e.state.Side(p) != rules.NoSide && counts(e.state)
	})
}

// isShown reports whether shown has p, or a position after one more move that does not end the game. Positions of one
// [rules.Shape] count as one.
func isShown(p rules.Position, shown []rules.Position) bool {
	if len(shown) == 0 {
		return false
	}
	secret := map[rules.Shape]bool{p.Shape(): true}
	for _, m := range p.LegalMoves() {
		if next, err := p.Play(m); err == nil && !next.Outcome().IsOver() {
			secret[next.Shape()] = true
		}
	}
	return slices.ContainsFunc(shown, func(other rules.Position) bool { return secret[other.Shape()] })
}

// openSecondGame opens the second of two games played at once. It returns the event that names the second game in the
// first one, and the events of the second game, where no player is present yet. It applies the first of these events to
// s, the state of the first game.
func (t *table) openSecondGame(s *match.State) ([]match.Event, error) {
	id := t.tables.newID()
	p, err := t.tables.nextPlan(id, *s)
	if err != nil {
		return nil, err
	}
	for _, side := range rules.Sides() {
		p.events = append(p.events, match.Event{Kind: match.NoShow, Seat: side})
	}
	for i := range p.events {
		p.events[i].Match, p.events[i].Seq = id, uint64(i+1)
	}
	named := match.Event{Match: t.id, Seq: s.Seq + 1, Kind: match.Rematched, Next: id}
	*s, err = s.Apply(named)
	return append([]match.Event{named}, p.events...), err
}

// missedLife is the time after a missed first move during which a second missed one loses the pair. Otherwise a player
// could make opponents wait again and again, at no cost.
const missedLife = 24 * time.Hour

// isMissed reports whether the player to move has missed the first move if the time has now run out. Only the first
// game of a pair from the queue counts, because the maker of a challenge need not be there.
func isMissed(s *match.State) bool {
	return s.Game() == 1 && !s.IsSimultaneous() && s.Origin == match.QueueOrigin && s.IsFirstMove()
}

func (i *index) hasMissed(p match.PlayerID, now time.Time) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	at, isKnown := i.missed[p]
	return isKnown && now.Sub(at) < missedLife
}

// recordMissed stores the time of a missed first move. The caller holds the lock.
func (i *index) recordMissed(p match.PlayerID, at time.Time) {
	if len(i.missed) >= limit.MaxRemembered {
		maps.DeleteFunc(i.missed, func(_ match.PlayerID, old time.Time) bool { return at.Sub(old) >= missedLife })
	}
	if len(i.missed) < limit.MaxRemembered {
		i.missed[p] = latest(i.missed[p], at)
	}
}

// isNeeded reports whether the journal needs s when the pair's other game ends.
func (i *index) isNeeded(s *match.State) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return s.IsSimultaneous() && i.matches[s.OtherGame()].isLive()
}

// isBetweenGames reports whether the second game of the pair of s has to be opened.
func isBetweenGames(s *match.State) bool { return !s.SecondGameAt().IsZero() }

func (e entry) isBetweenGames() bool {
	return e.state != nil && e.broken == nil && isBetweenGames(e.state)
}

// secondGameEvent returns the event that opens the second game of a pair. A draining server leaves the second game
// to another server, or to its own next start.
func (a agenda) secondGameEvent() scheduledEvent {
	if !isBetweenGames(a.State) || !a.tables.canOpen() {
		return scheduledEvent{}
	}
	return scheduledEvent{at: a.SecondGameAt(), event: match.Event{Kind: match.Rematched}}
}

// awaitsAnotherPair reports whether a rematch of a rated pair has to wait for another pair of one of the players.
func (a agenda) awaitsAnotherPair() bool {
	if !a.Pool.IsRated() || a.IsSimultaneous() {
		return false
	}
	for _, seatState := range a.Seats() {
		if a.tables.index.playsRated(seatState.Player.ID) {
			return true
		}
	}
	return false
}

package manager

import (
	"errors"
	"slices"
	"time"

	"notakto/match"
	"notakto/match/limit"
	"notakto/rules"
)

// seats holds the seats of players at unfinished matches, including seats about to be taken, and limits them. The
// index's lock guards seats.
type seats struct {
	cfg       Config
	matches   map[match.ID]entry // of the index, only read
	byPlayer  map[match.PlayerID][]match.ID
	byNetwork limit.Seats
	starts    *limit.Shares // matches started or entered
	// beginning counts the matches with days that a player gets when a rematch or an accepted challenge begins.
	beginning map[limit.Claim]int
}

func (s *seats) enter(p match.PlayerID, id match.ID) {
	if ids := s.byPlayer[p]; !slices.Contains(ids, id) {
		s.byPlayer[p] = append(ids[:len(ids):len(ids)], id) // exact capacity, because most players have one match
		s.byNetwork.Take(limit.Claim{Player: p, Match: id})
	}
}

func (s *seats) exit(p match.PlayerID, id match.ID) {
	s.byNetwork.Release(limit.Claim{Player: p, Match: id})
	delete(s.beginning, limit.Claim{Player: p, Match: id})
	ids := slices.DeleteFunc(s.byPlayer[p], func(other match.ID) bool { return other == id })
	if len(ids) == 0 {
		delete(s.byPlayer, p)
	} else {
		s.byPlayer[p] = ids
	}
}

// charge charges the rate limits of p for one more match or open challenge with terms, or returns why p may not have
// one. The errors are [match.ErrTooMany], [match.ErrTooManyDays], [match.ErrTooManyChallenges], [match.ErrAddressFull]
// or [match.ErrRateLimited].
func (s *seats) charge(p match.PlayerID, terms match.Terms, isChallenge bool) error {
	// Seats from before this process started count from now on, because the networks of p were not known earlier.
	for _, id := range s.byPlayer[p] {
		if state := s.matches[id].state; state == nil || !isParked(state) {
			s.byNetwork.Take(limit.Claim{Player: p, Match: id})
		}
	}
	switch {
	case isChallenge && s.count(p, challengeSeat) >= maxChallenges:
		return match.ErrTooManyChallenges
	case terms.Clock.IsCorrespondence() && !s.hasDays(p, terms):
		return match.ErrTooManyDays
	case !isChallenge && !terms.Clock.IsCorrespondence() && s.count(p, liveSeat) >= s.cfg.MaxMatches:
		return match.ErrTooMany
	case s.byNetwork.IsFull(p), (isChallenge || terms.Clock.IsCorrespondence()) && s.byNetwork.IsHalfFull(p):
		return match.ErrAddressFull
	case !s.starts.TryCharge(time.Now(), s.cfg.payers(p)):
		return match.ErrRateLimited
	}
	return nil
}

// hasDays reports whether p may have one more match with a clock of days, or both games of a rated pair.
func (s *seats) hasDays(p match.PlayerID, terms match.Terms) bool {
	return s.count(p, daysSeat)+daysGames(terms) <= maxDays
}

// daysGames returns the number of matches with a clock of days that begin at once with terms.
func daysGames(terms match.Terms) int {
	switch {
	case !terms.Clock.IsCorrespondence():
		return 0
	case terms.Pool.IsRated():
		return 2
	default:
		return 1
	}
}

// reserveDays reserves the days of the maker of the challenge id, which begins now. It reports whether the maker has
// room for them. Otherwise several opponents who accept at one moment could begin more than maxDays matches.
func (i *index) reserveDays(maker match.PlayerID, id match.ID, terms match.Terms) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if !i.seats.hasDays(maker, terms) {
		return false
	}
	i.seats.beginning[limit.Claim{Player: maker, Match: id}] = daysGames(terms)
	return true
}

func (i *index) releaseDays(maker match.PlayerID, id match.ID) {
	i.mu.Lock()
	defer i.mu.Unlock()
	delete(i.seats.beginning, limit.Claim{Player: maker, Match: id})
}

// seatKind says which limit a seat counts against.
type seatKind uint8

const (
	liveSeat seatKind = iota
	daysSeat
	challengeSeat
)

// count returns the number of p's seats of a kind. A seat that is about to be taken counts as every kind. A match of
// the queue does not count while p waits for the opponent's first move.
func (s *seats) count(p match.PlayerID, kind seatKind) int {
	n := 0
	for _, id := range s.byPlayer[p] {
		state, games := s.matches[id].state, s.beginning[limit.Claim{Player: p, Match: id}]
		switch {
		case kind == daysSeat && games > 0 && (state == nil || state.IsOpenChallenge()):
			n += games
			continue
		case state == nil:
			n++
			continue
		}
		has := liveSeat
		switch {
		case state.IsOpenChallenge():
			has = challengeSeat
		case state.Clock.IsCorrespondence():
			has = daysSeat
		}
		isWaiting := state.Origin == match.QueueOrigin && state.HasMoveLimit() && state.IsFirstMove() &&
			state.Side(p) != state.Turn()
		if has == kind && !isWaiting {
			n++
		}
	}
	return n
}

// updateParked counts a match against the computer as parked while its player is away. If a network then has too many
// parked matches, surplus lists matches to give up.
func (s *seats) updateParked(state *match.State) (surplus []match.ID) {
	for _, side := range rules.Sides() {
		p := limit.Claim{Player: state.Seat(side).Player.ID, Match: state.ID}
		switch {
		case !state.IsAgainstComputer() || state.IsOver() || state.Seat(side).Player.IsComputer():
		case !isParked(state):
			s.byNetwork.Release(p)
			s.byNetwork.Take(p)
		default:
			surplus = append(surplus,
				s.byNetwork.Park(p, func(id match.ID) int { return len(s.matches[id].state.Moves) })...)
		}
	}
	return surplus
}

// isParked reports whether s is a match against the computer with its player away.
func isParked(s *match.State) bool {
	return s.IsAgainstComputer() && (!s.IsHere(rules.First) || !s.IsHere(rules.Second))
}

// claim charges p for one more match or open challenge, and reserves a seat for p at the match id until the seat is
// recorded or released. An empty id reserves no seat. Errors are [match.ErrDraining] and those of [seats.charge].
func (t *tables) claim(p match.PlayerID, id match.ID, terms match.Terms, isChallenge bool) error {
	t.index.mu.Lock()
	err := match.ErrDraining
	if t.index.stage < stagePaused {
		err = t.index.seats.charge(p, terms, isChallenge)
	}
	if err == nil && id != "" {
		t.index.seats.enter(p, id)
		if games := daysGames(terms); games > 0 && !isChallenge {
			t.index.seats.beginning[limit.Claim{Player: p, Match: id}] = games
		}
	}
	t.index.mu.Unlock()
	return t.cfg.reportLimit(p, err)
}

func (c Config) reportLimit(p match.PlayerID, err error) error {
	if errors.Is(err, match.ErrTooMany) || errors.Is(err, match.ErrAddressFull) ||
		errors.Is(err, match.ErrRateLimited) {
		c.OnLimit(p, err)
	}
	return err
}

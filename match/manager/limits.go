package manager

import (
	"errors"
	"slices"
	"time"

	"notakto/match"
	"notakto/match/limit"
	"notakto/rules"
)

// seats holds the seats of players at unfinished matches, including seats that they are about to take, and limits
// them. It reads the matches of the index and does not change them. The index's lock guards it.
type seats struct {
	cfg       Config
	matches   map[match.ID]entry // of the index
	byPlayer  map[match.PlayerID][]match.ID
	byNetwork limit.Seats
	starts    *limit.Starts // matches started or entered
}

func (s *seats) enter(p match.PlayerID, id match.ID) {
	if ids := s.byPlayer[p]; !slices.Contains(ids, id) {
		s.byPlayer[p] = append(ids[:len(ids):len(ids)], id) // exact capacity: most players have one match
		s.byNetwork.Take(limit.Claim{Player: p, Match: id})
	}
}

func (s *seats) exit(p match.PlayerID, id match.ID) {
	s.byNetwork.Release(limit.Claim{Player: p, Match: id})
	ids := slices.DeleteFunc(s.byPlayer[p], func(other match.ID) bool { return other == id })
	if len(ids) == 0 {
		delete(s.byPlayer, p)
	} else {
		s.byPlayer[p] = ids
	}
}

// charge charges the rate limits of p for one more match, or returns why p may not have one: [match.ErrTooMany],
// [match.ErrAddressFull], [match.ErrRateLimited].
func (s *seats) charge(p match.PlayerID) error {
	for _, id := range s.byPlayer[p] { // seats from before this process started: the networks of p were not known then
		if state := s.matches[id].state; state == nil || !isParked(state) {
			s.byNetwork.Take(limit.Claim{Player: p, Match: id})
		}
	}
	switch {
	case s.counted(p) >= s.cfg.MaxMatches:
		return match.ErrTooMany
	case s.byNetwork.IsFull(p):
		return match.ErrAddressFull
	case !s.starts.TryCharge(time.Now(), s.cfg.accountable(p)):
		return match.ErrRateLimited
	}
	return nil
}

// counted returns the number of p's matches that count against the limit. A match of the queue does not count while p
// waits for the opponent's first move.
func (s *seats) counted(p match.PlayerID) int {
	n := 0
	for _, id := range s.byPlayer[p] {
		state := s.matches[id].state
		if state == nil || state.Origin != match.QueueOrigin || !state.HasMoveLimit() || !state.IsFirstMove() ||
			state.Side(p) == state.Turn() {
			n++
		}
	}
	return n
}

// park counts a match against the computer separately while its player is away, and as any other match once the player
// has returned. It returns the matches to give up because a network has too many parked ones.
func (s *seats) park(state *match.State) (surplus []match.ID) {
	for _, side := range rules.Sides() {
		p := limit.Claim{Player: state.SeatState(side).Player.ID, Match: state.ID}
		switch {
		case !state.IsAgainstComputer() || state.Over() || state.SeatState(side).Player.IsComputer():
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

// isParked reports whether s is a match against the computer whose player is away.
func isParked(s *match.State) bool {
	return s.IsAgainstComputer() && (!s.IsHere(rules.First) || !s.IsHere(rules.Second))
}

// claim charges p for one more match, and reserves a seat for p at the match id until the seat is recorded or released.
// For an empty id it reserves nothing. Errors: [match.ErrDraining], and those of [seats.charge].
func (t *tables) claim(p match.PlayerID, id match.ID) error {
	t.index.mu.Lock()
	err := match.ErrDraining
	if t.index.allowed < pausedTables {
		err = t.index.seats.charge(p)
	}
	if err == nil && id != "" {
		t.index.seats.enter(p, id)
	}
	t.index.mu.Unlock()
	return t.cfg.reportLimit(p, err)
}

// reportLimit calls OnLimit if err is that of a limit, and returns err.
func (c Config) reportLimit(p match.PlayerID, err error) error {
	if errors.Is(err, match.ErrTooMany) || errors.Is(err, match.ErrAddressFull) || errors.Is(err, match.ErrRateLimited) {
		c.OnLimit(p, err)
	}
	return err
}

package manager

import (
	"errors"
	"slices"
	"time"

	"notakto/match"
	"notakto/match/limit"
	"notakto/rules"
)

// seats are the seats of players at unfinished matches, including those that they are about to take.
type seats struct {
	byPlayer map[match.PlayerID][]match.ID
	bySource limit.Seats
}

func (s *seats) enter(p match.PlayerID, id match.ID) {
	if ids := s.byPlayer[p]; !slices.Contains(ids, id) {
		s.byPlayer[p] = append(ids[:len(ids):len(ids)], id) // exact capacity: most players have one match
		s.bySource.Take(limit.Claim{Player: p, Match: id})
	}
}

func (s *seats) exit(p match.PlayerID, id match.ID) {
	s.bySource.Release(limit.Claim{Player: p, Match: id})
	ids := slices.DeleteFunc(s.byPlayer[p], func(other match.ID) bool { return other == id })
	if len(ids) == 0 {
		delete(s.byPlayer, p)
	} else {
		s.byPlayer[p] = ids
	}
}

// chargeLocked is charge for callers that hold the lock.
func (i *index) chargeLocked(p match.PlayerID) error {
	now, who := time.Now(), i.cfg.accountable(p)
	for _, id := range i.seats.byPlayer[p] { // those taken before this process started
		if s := i.matches[id].state; s == nil || !isParked(s) {
			i.seats.bySource.Take(limit.Claim{Player: p, Match: id})
		}
	}
	switch {
	case i.counted(p) >= i.cfg.MaxMatches:
		return match.ErrTooMany
	case i.seats.bySource.IsFull(p):
		return match.ErrAddressFull
	case !i.starts.TryCharge(now, who):
		return match.ErrRateLimited
	}
	return nil
}

// counted returns how many matches count against the limit of a player: all but those in which an opponent from the
// queue has not made the first move yet.
func (i *index) counted(p match.PlayerID) int {
	n := 0
	for _, id := range i.seats.byPlayer[p] {
		s := i.matches[id].state
		if s == nil || s.Origin != match.QueueOrigin || !s.HasMoveLimit() || !s.IsFirstMove() || s.Side(p) == s.Turn() {
			n++
		}
	}
	return n
}

// park counts a match against the computer separately while its player is away, and gives up those beyond the limit of
// a network. A match to which the player has returned counts as any other.
func (i *index) park(s *match.State) {
	for _, side := range rules.Sides() {
		p := limit.Claim{Player: s.SeatState(side).Player.ID, Match: s.ID}
		switch {
		case !s.IsAgainstComputer() || s.Over() || s.SeatState(side).Player.IsComputer():
		case !isParked(s):
			i.seats.bySource.Release(p)
			i.seats.bySource.Take(p)
		default:
			for _, id := range i.seats.bySource.Park(p, func(id match.ID) int { return len(i.matches[id].state.Moves) }) {
				e := i.matches[id]
				e.isSurplus = true
				i.matches[id] = e
			}
		}
	}
}

// isParked reports whether s is a match against the computer whose player is away.
func isParked(s *match.State) bool {
	return s.IsAgainstComputer() && (!s.IsHere(rules.First) || !s.IsHere(rules.Second))
}

// reportLimit calls OnLimit if err is that of a limit, and returns err.
func (c Config) reportLimit(p match.PlayerID, err error) error {
	if errors.Is(err, match.ErrTooMany) || errors.Is(err, match.ErrAddressFull) || errors.Is(err, match.ErrRateLimited) {
		c.OnLimit(p, err)
	}
	return err
}

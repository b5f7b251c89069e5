package limit

import (
	"cmp"
	"slices"
	"time"

	"notakto/match"
)

// moveEvery is the time between two checks whether players with a seat of a full network have moved elsewhere.
const moveEvery = time.Second

// Seats limits the seats at matches by the networks of their players. A seat counts for the networks that its player
// had when taking it, or has now. A player cannot circumvent the limit with many names, and one who continues elsewhere
// does not use up the network of others. One goroutine at a time may use it.
type Seats struct {
	most     int                           // seats of a smallest network
	networks func(match.PlayerID) []string // of a player, smallest first, or none if unknown
	from     map[Claim][]string            // networks for which a seat counts
	taken    map[string]map[Claim]struct{}
	counted  map[string]time.Time // when the seats of a full network were last checked
	parked   map[string][]Claim   // seats of absent players, oldest first
}

// Claim is a seat that a player has or is about to take.
type Claim struct {
	Player match.PlayerID
	Match  match.ID
}

// NewSeats allows most seats to the smallest of a player's networks. networks returns these, smallest first.
func NewSeats(most int, networks func(match.PlayerID) []string) Seats {
	return Seats{
		most: most, networks: networks,
		from: make(map[Claim][]string), taken: make(map[string]map[Claim]struct{}), counted: make(map[string]time.Time),
		parked: make(map[string][]Claim),
	}
}

// IsFull reports whether one of p's networks has no seat left.
func (s Seats) IsFull(p match.PlayerID) bool {
	most := s.most
	for _, network := range s.networks(p) {
		if len(s.taken[network]) >= most {
			s.recalculate(network)
		}
		if len(s.taken[network]) >= most {
			return true
		}
		most *= NetworkFactor
	}
	return false
}

// recalculate counts the seats of players who have moved for their current networks, at most every moveEvery.
func (s Seats) recalculate(network string) {
	if time.Since(s.counted[network]) < moveEvery {
		return
	}
	s.counted[network] = time.Now()
	for c := range s.taken[network] {
		if now := s.networks(c.Player); len(now) > 0 && now[0] != s.from[c][0] {
			s.Release(c)
			s.Take(c)
		}
	}
}

// Take counts a seat.
func (s Seats) Take(c Claim) {
	from := s.networks(c.Player)
	if _, taken := s.from[c]; taken || len(from) == 0 {
		return
	}
	s.from[c] = from
	for _, network := range from {
		if s.taken[network] == nil {
			s.taken[network] = make(map[Claim]struct{})
		}
		s.taken[network][c] = struct{}{}
	}
}

// Park counts a taken seat as parked for an absent player. Parked seats count against no limit of seats. If a network
// has too many of them, Park returns the matches to give up: of the smaller network with the most, of the player with
// the most in that network, the match with the fewest moves, of several the one parked longest.
func (s Seats) Park(c Claim, moves func(match.ID) int) (surplus []match.ID) {
	from := s.from[c]
	s.Release(c)
	if len(from) == 0 {
		return nil
	}
	s.from[c] = from
	most := s.most
	for i, network := range from {
		s.parked[network] = append(s.parked[network], c)
		if all := s.parked[network]; len(all) > most {
			last := s.leastMissed(all, i, moves)
			surplus = append(surplus, last.Match)
			s.Release(last)
		}
		most *= NetworkFactor
	}
	return surplus
}

// leastMissed returns the parked seat to give up. level is the place of the network from the smallest, at 0.
func (s Seats) leastMissed(all []Claim, level int, moves func(match.ID) int) Claim {
	for ; level > 0; level-- {
		smaller := func(c Claim) string { return s.from[c][level-1] }
		all = ofTheMost(all, smaller)
	}
	all = ofTheMost(all, func(c Claim) string { return string(c.Player) })
	return slices.MinFunc(all, func(a, b Claim) int { return cmp.Compare(moves(a.Match), moves(b.Match)) })
}

// ofTheMost returns the claims of the largest group.
func ofTheMost(all []Claim, group func(Claim) string) []Claim {
	counts, most := make(map[string]int), 0
	for _, c := range all {
		counts[group(c)]++
		most = max(most, counts[group(c)])
	}
	var kept []Claim
	for _, c := range all {
		if counts[group(c)] == most {
			kept = append(kept, c)
		}
	}
	return kept
}

// Release removes a seat, taken or parked.
func (s Seats) Release(c Claim) {
	for _, network := range s.from[c] {
		if delete(s.taken[network], c); len(s.taken[network]) == 0 {
			delete(s.taken, network)
			delete(s.counted, network)
		}
		if kept := slices.DeleteFunc(s.parked[network], func(k Claim) bool { return k == c }); len(kept) > 0 {
			s.parked[network] = kept
		} else {
			delete(s.parked, network)
		}
	}
	delete(s.from, c)
}

package limit

import (
	"cmp"
	"slices"
	"time"

	"notakto/match"
)

// recalculateEvery is the least time between two recalculations of one network.
const recalculateEvery = time.Second

// Seats limits the seats at matches by the networks of their players. Many names therefore do not circumvent the
// limit. Seats is not safe for concurrent use.
//
// A seat counts for the networks that its player had when the player took it. IsFull counts the seats of a full network
// anew, by the networks that their players have now. The seats of a player that has moved then no longer count for the
// old network.
type Seats struct {
	limit          int
	networks       func(match.PlayerID) []string
	countedIn      map[Claim][]string
	taken          map[string]map[Claim]struct{} // by network, without parked seats
	recalculatedAt map[string]time.Time          // when recalculate last ran, by network
	parked         map[string][]Claim            // seats of absent players by network, oldest first
}

// Claim is a seat that a player has or is about to take.
type Claim struct {
	Player match.PlayerID
	Match  match.ID
}

// NewSeats allows limit seats to the smallest of a player's networks. networks returns these, smallest first.
func NewSeats(limit int, networks func(match.PlayerID) []string) Seats {
	return Seats{
		limit: limit, networks: networks,
		countedIn: make(map[Claim][]string), taken: make(map[string]map[Claim]struct{}),
		recalculatedAt: make(map[string]time.Time), parked: make(map[string][]Claim),
	}
}

// IsFull reports whether a network of p has no seat left. IsFull first tries to free seats with recalculate.
func (s Seats) IsFull(p match.PlayerID) bool { return s.isFull(p, s.limit) }

// IsHalfFull is IsFull with half the limit. A seat that lasts for days while its player is away needs half of the
// others free. Such seats of a few players therefore leave room for all other players of the network.
func (s Seats) IsHalfFull(p match.PlayerID) bool { return s.isFull(p, max(1, s.limit/2)) }

func (s Seats) isFull(p match.PlayerID, limit int) bool {
	for _, network := range s.networks(p) {
		if len(s.taken[network]) >= limit {
			s.recalculate(network)
		}
		if len(s.taken[network]) >= limit {
			return true
		}
		limit *= NetworkFactor
	}
	return false
}

// recalculate counts the seats of a network for the current networks of their players, at most once per
// recalculateEvery.
func (s Seats) recalculate(network string) {
	if time.Since(s.recalculatedAt[network]) < recalculateEvery {
		return
	}
	s.recalculatedAt[network] = time.Now()
	for c := range s.taken[network] {
		if current := s.networks(c.Player); len(current) > 0 && current[0] != s.countedIn[c][0] {
			s.Release(c)
			s.Take(c)
		}
	}
}

// Take counts a seat for the networks of its player. A player without known networks is not counted.
func (s Seats) Take(c Claim) {
	current := s.networks(c.Player)
	if _, taken := s.countedIn[c]; taken || len(current) == 0 {
		return
	}
	s.countedIn[c] = current
	for _, network := range current {
		if s.taken[network] == nil {
			s.taken[network] = make(map[Claim]struct{})
		}
		s.taken[network][c] = struct{}{}
	}
}

// Park counts a taken seat as parked for an absent player. Parked seats do not count as taken. For each network with
// more parked seats than its limit, Park removes one of these seats and adds its match to surplus, the matches to give
// up.
func (s Seats) Park(c Claim, moves func(match.ID) int) (surplus []match.ID) {
	networks := s.countedIn[c]
	s.Release(c)
	if len(networks) == 0 {
		return nil
	}
	s.countedIn[c] = networks
	for _, network := range networks {
		s.parked[network] = append(s.parked[network], c)
	}
	limit := s.limit
	for level, network := range networks {
		if parked := s.parked[network]; len(parked) > limit {
			last := s.surplusSeat(parked, level, moves)
			surplus = append(surplus, last.Match)
			s.Release(last)
		}
		limit *= NetworkFactor
	}
	return surplus
}

// surplusSeat returns the parked seat to give up. parked holds the seats of a network, oldest first. level is the index
// of the network in countedIn.
//
// surplusSeat narrows parked to the smaller network with the most parked seats, down to one address, and then to the
// player with the most. Of these seats, surplusSeat returns the one at the match with the fewest moves, in a tie the
// one parked first.
func (s Seats) surplusSeat(parked []Claim, level int, moves func(match.ID) int) Claim {
	for ; level > 0; level-- {
		parked = largestGroup(parked, func(c Claim) string { return s.countedIn[c][level-1] })
	}
	parked = largestGroup(parked, func(c Claim) string { return string(c.Player) })
	return slices.MinFunc(parked, func(a, b Claim) int { return cmp.Compare(moves(a.Match), moves(b.Match)) })
}

// largestGroup returns the claims of the largest group, or of all groups of this size.
func largestGroup(claims []Claim, group func(Claim) string) []Claim {
	counts, most := make(map[string]int), 0
	for _, c := range claims {
		counts[group(c)]++
		most = max(most, counts[group(c)])
	}
	var kept []Claim
	for _, c := range claims {
		if counts[group(c)] == most {
			kept = append(kept, c)
		}
	}
	return kept
}

// Release removes a seat, taken or parked.
func (s Seats) Release(c Claim) {
	for _, network := range s.countedIn[c] {
		if delete(s.taken[network], c); len(s.taken[network]) == 0 {
			delete(s.taken, network)
			delete(s.recalculatedAt, network)
		}
		if kept := slices.DeleteFunc(s.parked[network], func(k Claim) bool { return k == c }); len(kept) > 0 {
			s.parked[network] = kept
		} else {
			delete(s.parked, network)
		}
	}
	delete(s.countedIn, c)
}

package limit

import (
	"cmp"
	"slices"
	"time"

	"notakto/match"
)

// moveEvery is the time between two checks of a full network for players who have moved to another network.
const moveEvery = time.Second

// Seats limits the seats at matches by the networks of their players. A seat counts for the networks of its player
// when the player took it. Once one of these networks is full, Seats moves the seat to the player's current
// networks. So many names do not circumvent the limit, and a player who continues elsewhere does not use up the
// network of others. One goroutine at a time may use it.
type Seats struct {
	most     int                           // limit of seats of a smallest network
	networks func(match.PlayerID) []string // of a player, smallest first, or none if unknown
	from     map[Claim][]string            // networks for which a seat counts
	taken    map[string]map[Claim]struct{} // seats by network, without those in parked
	counted  map[string]time.Time          // when the seats of a full network were last checked
	parked   map[string][]Claim            // seats of absent players by network, oldest first
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

// recalculate counts the seats of players who have left network for their current networks. It does so at most
// once every moveEvery.
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

// Take counts a seat for the networks of its player. A player without known networks is not counted.
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

// Park counts a taken seat as parked for an absent player. Parked seats do not count as taken. If a network has
// more parked seats than its limit, Park returns a match to give up. The match belongs to the smaller network with
// the most parked seats, and there to the player with the most. Of this player's matches, it is the one with the
// fewest moves, in a tie the one parked longest.
func (s Seats) Park(c Claim, moves func(match.ID) int) (surplus []match.ID) {
	from := s.from[c]
	s.Release(c)
	if len(from) == 0 {
		return nil
	}
	s.from[c] = from
	for _, network := range from {
		s.parked[network] = append(s.parked[network], c)
	}
	most := s.most
	for i, network := range from {
		if all := s.parked[network]; len(all) > most {
			last := s.surplusSeat(all, i, moves)
			surplus = append(surplus, last.Match)
			s.Release(last)
		}
		most *= NetworkFactor
	}
	return surplus
}

// surplusSeat returns the parked seat to give up, as Park describes. level is the index of the network among those
// of a player: 0 is the smallest.
func (s Seats) surplusSeat(all []Claim, level int, moves func(match.ID) int) Claim {
	for ; level > 0; level-- {
		smaller := func(c Claim) string { return s.from[c][level-1] }
		all = largestGroup(all, smaller)
	}
	all = largestGroup(all, func(c Claim) string { return string(c.Player) })
	return slices.MinFunc(all, func(a, b Claim) int { return cmp.Compare(moves(a.Match), moves(b.Match)) })
}

// largestGroup returns the claims whose group has the most claims, several groups in a tie.
func largestGroup(all []Claim, group func(Claim) string) []Claim {
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

package limit

import (
	"cmp"
	"slices"
	"time"

	"notakto/match"
)

// moveEvery is how often the seats of a full network are checked for players who have moved elsewhere.
const moveEvery = time.Second

// Seats counts the seats at matches by the networks of their players, current or at the time of taking the seat. So
// many names do not circumvent the limit, and a player who continues elsewhere does not use up the network of others.
// Its methods are for one goroutine at a time.
type Seats struct {
	most    int                           // seats of the smallest network
	of      func(match.PlayerID) []string // the networks of a player, smallest first; none if unknown
	from    map[Claim][]string            // networks under which a seat was counted
	taken   map[string]map[Claim]struct{}
	counted map[string]time.Time // when the seats of a full network were last checked
	parked  map[string][]Claim   // seats held for absent players, oldest first
}

// Claim is a seat that a player has, or is about to take.
type Claim struct {
	Player match.PlayerID
	Match  match.ID
}

// NewSeats allows most seats to the smallest of a player's networks; of returns the networks.
func NewSeats(most int, of func(match.PlayerID) []string) Seats {
	return Seats{
		most: most, of: of,
		from: make(map[Claim][]string), taken: make(map[string]map[Claim]struct{}), counted: make(map[string]time.Time),
		parked: make(map[string][]Claim),
	}
}

// IsFull reports whether one of p's networks has no seat left.
func (o Seats) IsFull(p match.PlayerID) bool {
	most := o.most
	for _, network := range o.of(p) {
		if len(o.taken[network]) >= most {
			o.recalculate(network)
		}
		if len(o.taken[network]) >= most {
			return true
		}
		most *= NetworkFactor
	}
	return false
}

// recalculate moves the seats of players who have moved to their current networks, at most every moveEvery.
func (o Seats) recalculate(network string) {
	if time.Since(o.counted[network]) < moveEvery {
		return
	}
	o.counted[network] = time.Now()
	for c := range o.taken[network] {
		if now := o.of(c.Player); len(now) > 0 && now[0] != o.from[c][0] {
			o.Release(c)
			o.Take(c)
		}
	}
}

// Take counts a seat.
func (o Seats) Take(c Claim) {
	from := o.of(c.Player)
	if _, taken := o.from[c]; taken || len(from) == 0 {
		return
	}
	o.from[c] = from
	for _, network := range from {
		if o.taken[network] == nil {
			o.taken[network] = make(map[Claim]struct{})
		}
		o.taken[network][c] = struct{}{}
	}
}

// Park counts a taken seat as parked for an absent player, so that it uses up no limit. It returns the matches to give
// up where a network has too many parked ones: of the smaller network with the most, and in it of the player with the
// most, the match with the fewest moves, and of several the one parked longest.
func (o Seats) Park(c Claim, moves func(match.ID) int) (surplus []match.ID) {
	from := o.from[c]
	o.Release(c)
	if len(from) == 0 {
		return nil
	}
	o.from[c] = from
	most := o.most
	for i, network := range from {
		o.parked[network] = append(o.parked[network], c)
		if all := o.parked[network]; len(all) > most {
			last := o.leastMissed(all, i, moves)
			surplus = append(surplus, last.Match)
			o.Release(last)
		}
		most *= NetworkFactor
	}
	return surplus
}

// leastMissed returns the seat parked for a network that is given up. The level is that of the network, counted from
// the smallest.
func (o Seats) leastMissed(all []Claim, level int, moves func(match.ID) int) Claim {
	for ; level > 0; level-- {
		smaller := func(c Claim) string { return o.from[c][level-1] }
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
func (o Seats) Release(c Claim) {
	for _, network := range o.from[c] {
		if delete(o.taken[network], c); len(o.taken[network]) == 0 {
			delete(o.taken, network)
			delete(o.counted, network)
		}
		if kept := slices.DeleteFunc(o.parked[network], func(k Claim) bool { return k == c }); len(kept) > 0 {
			o.parked[network] = kept
		} else {
			delete(o.parked, network)
		}
	}
	delete(o.from, c)
}

package limit

import (
	"cmp"
	"slices"
	"time"

	"notakto/match"
)

// moveEvery is how often it is looked at, for a network whose seats are all taken, which of their players have gone
// elsewhere.
const moveEvery = time.Second

// Seats counts the seats at matches by the networks in which their players are, or were when they took them, so that
// coming under many names is no way round the limit, and a player who plays on elsewhere fills no network that others
// are in. Its methods are for one goroutine at a time.
type Seats struct {
	most    int                           // seats of the smallest network
	of      func(match.PlayerID) []string // the networks of a player, the smallest first; none if unknown
	from    map[Claim][]string            // as of counted
	taken   map[string]map[Claim]struct{}
	counted map[string]time.Time // when the seats of a full network were looked through
	parked  map[string][]Claim   // seats that are not taken but kept, those kept longest first
}

// Claim is a seat that a player has, or is about to take.
type Claim struct {
	Player match.PlayerID
	Match  match.ID
}

// NewSeats allows so many seats to the smallest of a player's networks, which of returns.
func NewSeats(most int, of func(match.PlayerID) []string) Seats {
	return Seats{
		most: most, of: of,
		from: make(map[Claim][]string), taken: make(map[string]map[Claim]struct{}), counted: make(map[string]time.Time),
		parked: make(map[string][]Claim),
	}
}

// IsFull reports whether all seats are taken that one of p's networks may have.
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

// recalculate moves the seats of a network whose players are elsewhere now, unless that was done a moment ago.
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

// Park counts a taken seat as kept for a player who is away, so that it stands in no other's way. It returns the
// matches to give up where a network has too many: of the smaller network and then of the player that has most, the one
// with the fewest moves, of several the one kept longest.
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

// leastMissed is which of the seats that are kept for a network is given up. The level is that of the network, counted
// from the smallest.
func (o Seats) leastMissed(all []Claim, level int, moves func(match.ID) int) Claim {
	for ; level > 0; level-- {
		smaller := func(c Claim) string { return o.from[c][level-1] }
		all = ofTheMost(all, smaller)
	}
	all = ofTheMost(all, func(c Claim) string { return string(c.Player) })
	return slices.MinFunc(all, func(a, b Claim) int { return cmp.Compare(moves(a.Match), moves(b.Match)) })
}

// ofTheMost are the claims of the group that has most.
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

// Release counts a seat out, taken or kept.
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

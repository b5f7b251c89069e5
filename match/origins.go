package match

import (
	"slices"
	"time"
)

// recountEvery is how often it is looked at, for a network whose seats are all taken, which of their players have gone
// elsewhere.
const recountEvery = time.Second

// origins counts the seats by the networks in which their players are, or were when they took them, so that coming
// under many names is no way round the limit, and a player who plays on elsewhere fills no network that others are
// in. The register's lock guards it.
type origins struct {
	most    int                     // seats of the smallest network
	of      func(PlayerID) []string // the networks of a player, the smallest first; none if unknown
	from    map[claim][]string      // as of counted
	taken   map[string]map[claim]struct{}
	counted map[string]time.Time // when the seats of a full network were looked through
	parked  map[string][]claim   // seats that are not taken but kept, those kept longest first
}

// claim is a seat that somebody has, or is about to take.
type claim struct {
	player PlayerID
	match  ID
}

func newOrigins(most int, of func(PlayerID) []string) origins {
	return origins{
		most: most, of: of,
		from: make(map[claim][]string), taken: make(map[string]map[claim]struct{}), counted: make(map[string]time.Time),
		parked: make(map[string][]claim),
	}
}

// full reports whether all seats are taken that one of p's networks may have.
func (o origins) full(p PlayerID) bool {
	most := o.most
	for _, network := range o.of(p) {
		if len(o.taken[network]) >= most {
			o.recount(network)
		}
		if len(o.taken[network]) >= most {
			return true
		}
		most *= networkTimes
	}
	return false
}

// recount moves the seats of a network whose players are elsewhere now, unless that was done a moment ago.
func (o origins) recount(network string) {
	if time.Since(o.counted[network]) < recountEvery {
		return
	}
	o.counted[network] = time.Now()
	for c := range o.taken[network] {
		if now := o.of(c.player); len(now) > 0 && now[0] != o.from[c][0] {
			o.give(c)
			o.take(c)
		}
	}
}

// take counts a seat.
func (o origins) take(c claim) {
	from := o.of(c.player)
	if _, taken := o.from[c]; taken || len(from) == 0 {
		return
	}
	o.from[c] = from
	for _, network := range from {
		if o.taken[network] == nil {
			o.taken[network] = make(map[claim]struct{})
		}
		o.taken[network][c] = struct{}{}
	}
}

// park counts a taken seat as kept for a player who is away, so that it stands in no other's way. It returns the matches
// kept longest of which one of the networks has too many.
func (o origins) park(c claim) (surplus []ID) {
	from := o.from[c]
	o.give(c)
	if len(from) == 0 {
		return nil
	}
	o.from[c] = from
	most := o.most
	for _, network := range from {
		o.parked[network] = append(o.parked[network], c)
		if all := o.parked[network]; len(all) > most {
			surplus = append(surplus, all[0].match)
			o.give(all[0])
		}
		most *= networkTimes
	}
	return surplus
}

// give counts a seat out, taken or kept.
func (o origins) give(c claim) {
	for _, network := range o.from[c] {
		if delete(o.taken[network], c); len(o.taken[network]) == 0 {
			delete(o.taken, network)
			delete(o.counted, network)
		}
		if kept := slices.DeleteFunc(o.parked[network], func(k claim) bool { return k == c }); len(kept) > 0 {
			o.parked[network] = kept
		} else {
			delete(o.parked, network)
		}
	}
	delete(o.from, c)
}

package lobby

import (
	"maps"
	"slices"
	"time"

	"notakto/match"
	"notakto/rules"
)

const (
	// SeparationTime is the time during which two players are not paired again after one of them did not move in time.
	// A spoiled match also counts for isSpoiling until SeparationTime after its end.
	SeparationTime = 5 * time.Minute
	// SpoilerDelay is the wait of a ticket before it can be paired with a ticket of a network that spoils matches. Two
	// tickets of such networks are paired at once.
	SpoilerDelay = 15 * time.Second
	// pairingLife limits the time during which a pairing and the networks of its players are kept.
	pairingLife = 20 * time.Minute
	// lateWeight is the weight that recordSpoiled adds to the networks of a player that was late or stayed away. An early
	// resignation adds a weight of 1.
	lateWeight = 2
	// spoilLimit is the lowest weight within SeparationTime that makes isSpoiling true for an address. A larger network
	// has twice the limit of the next smaller one.
	spoilLimit = 2
	// maxWeight limits the stored weight of a network. The largest network of a player is the third, and isSpoiling needs
	// no more weight for it.
	maxWeight = 4 * spoilLimit
)

// pairNetworks holds the networks of two paired players.
type pairNetworks struct {
	from map[match.PlayerID][]string // by player, smallest network first
	at   time.Time
}

// separation says that a player is not paired with other because one of the two did not move in time.
type separation struct {
	other  match.PlayerID
	at     time.Time // the end of their match
	isLate bool      // the player was late, false if other was
}

// meetings records the players that may not meet again soon, and the networks that spoil matches. The lobby's lock
// guards it.
type meetings struct {
	blocks   func(by, other match.PlayerID) bool
	last     map[match.PlayerID]lastPairing
	pairings map[match.ID]pairNetworks
	apart    map[match.PlayerID][]separation
	spoiled  map[string][]time.Time // ends of spoiled matches by network, each repeated by its weight
}

// lastPairing is the last pairing of a player in the queue.
type lastPairing struct {
	opponent match.PlayerID
	at       time.Time
}

func newMeetings(blocks func(by, other match.PlayerID) bool) meetings {
	return meetings{
		blocks: blocks, last: make(map[match.PlayerID]lastPairing), pairings: make(map[match.ID]pairNetworks),
		apart: make(map[match.PlayerID][]separation), spoiled: make(map[string][]time.Time),
	}
}

// areBlocked reports whether p has blocked other, or other has blocked p.
func (m meetings) areBlocked(p, other match.PlayerID) bool {
	return m.blocks(p, other) || m.blocks(other, p)
}

// remember stores the opponent and the networks of t's player if t is paired.
func (m meetings) remember(t ticket, now time.Time) {
	if t.Match != "" {
		m.last[t.Player.ID] = lastPairing{t.Opponent, now}
	}
	if t.Match == "" || len(t.Networks) == 0 {
		return
	}
	if m.pairings[t.Match].from == nil {
		m.pairings[t.Match] = pairNetworks{make(map[match.PlayerID][]string), now}
	}
	m.pairings[t.Match].from[t.Player.ID] = t.Networks
}

// recordSpoiled blames the loser of a match of [Opener.TakeSpoiled], or the side to move of a void match.
func (m meetings) recordSpoiled(s *match.State) {
	side, weight := s.Outcome.Winner.Other(), 1
	if s.Outcome.IsVoid() {
		side = s.Position.Turn()
	}
	if s.Outcome.Reason != rules.ReasonResign {
		weight = lateWeight
	}
	spoiler, other := s.Seat(side).Player.ID, s.Seat(side.Other()).Player.ID
	if weight == lateWeight { // players that resign early may meet again
		m.separate(spoiler, separation{other, s.EndedAt, true})
		m.separate(other, separation{spoiler, s.EndedAt, false})
	}
	for _, network := range m.pairings[s.ID].from[spoiler] {
		all := slices.Concat(m.spoiled[network], slices.Repeat([]time.Time{s.EndedAt}, weight))
		m.spoiled[network] = all[max(0, len(all)-maxWeight):]
	}
}

// separate adds s for p. s replaces an older separation of p with equal other and isLate.
func (m meetings) separate(p match.PlayerID, s separation) {
	m.apart[p] = append(slices.DeleteFunc(m.apart[p], func(old separation) bool {
		return old.other == s.other && old.isLate == s.isLate
	}), s)
}

func (m meetings) dropExpired(now time.Time) {
	maps.DeleteFunc(m.pairings, func(_ match.ID, p pairNetworks) bool { return now.Sub(p.at) > pairingLife })
	maps.DeleteFunc(m.last, func(_ match.PlayerID, p lastPairing) bool { return now.Sub(p.at) > pairingLife })
	for p, all := range m.apart {
		all = slices.DeleteFunc(all, func(s separation) bool { return now.Sub(s.at) > SeparationTime })
		if m.apart[p] = all; len(all) == 0 {
			delete(m.apart, p)
		}
	}
	maps.DeleteFunc(m.spoiled, func(_ string, all []time.Time) bool { return now.Sub(all[len(all)-1]) > SeparationTime })
}

// isSpoiling reports whether players of one of t's networks have spoiled too many matches recently. Networks count,
// and not only addresses, because all addresses of a network may belong to one player.
func (m meetings) isSpoiling(t ticket, now time.Time) bool {
	for i, network := range t.Networks {
		all, weight := m.spoiled[network], spoilLimit<<i
		if len(all) >= weight && now.Sub(all[len(all)-weight]) <= SeparationTime {
			return true
		}
	}
	return false
}

// hasJustMet reports whether the last pairing of a player was with other.
func (m meetings) hasJustMet(p, other match.PlayerID, now time.Time) bool {
	last, isKnown := m.last[p]
	return isKnown && last.opponent == other && now.Sub(last.at) <= pairingLife
}

// mayMeet reports whether the rules about the two players let their tickets be paired now. The caller compares the
// players' kinds.
func (m meetings) mayMeet(t, other ticket, now time.Time) bool {
	_, isApart := m.separationOf(t, other, now)
	return !isApart && !m.areBlocked(t.Player.ID, other.Player.ID)
}

// separationOf returns the separation of two players and true if they may not be paired. Only a ticket of the player
// that was not late can forgive a separation.
func (m meetings) separationOf(t, other ticket, now time.Time) (s separation, isApart bool) {
	for _, s := range m.apart[t.Player.ID] {
		isForgiven := t.Forgives && !s.isLate || other.Forgives && s.isLate
		if s.other == other.Player.ID && now.Sub(s.at) <= SeparationTime && !isForgiven {
			return s, true
		}
	}
	return separation{}, false
}

// pairOfTickets are two tickets to be paired, and the terms that their players agree on.
type pairOfTickets struct {
	first, second ticket
	terms         match.Terms
}

// nextPairs returns the pairs to open next. Tickets beyond the limit of their networks come last. Tickets of this node
// are left out if their seek is over or cancelled, although the registry may still hold them. The caller
// holds the lock.
func (l *Lobby) nextPairs(queue []ticket) []pairOfTickets {
	now := l.cfg.Store.Now()
	queue = slices.DeleteFunc(slices.Clone(queue), func(t ticket) bool {
		s := l.seekOf(t)
		isGivenUp := s != nil && s.isCancelled || l.isLeftover(t)
		// A rated rematch may have begun since the player sought.
		return isGivenUp || t.isRated() && l.cfg.Opener.PlaysRated(t.Player.ID)
	})
	return l.meetings.pairTickets(preferFirstOfAddresses(queue), now)
}

// pairTickets pairs each ticket, in the order of queue, with the next one that accepts some of its terms and may meet
// it. The opponent of the last pairing of either player comes after all others. Tickets of networks that spoil matches
// come last, see [SpoilerDelay].
func (m meetings) pairTickets(queue []ticket, now time.Time) (pairs []pairOfTickets) {
	var preferred, spoiling []ticket
	for _, t := range queue {
		if m.isSpoiling(t, now) {
			spoiling = append(spoiling, t)
		} else {
			preferred = append(preferred, t)
		}
	}
	ordered := slices.Concat(preferred, spoiling)
	byTerms := indexByTerms(ordered)
	paired := make([]bool, len(ordered))
	for i, first := range ordered {
		if paired[i] {
			continue
		}
		next, again := len(ordered), len(ordered) // again is the first ticket of a last opponent, if there is no other
		consider := func(indexes []int) {
			for _, j := range indexes {
				isWithSpoiler := i < len(preferred) && j >= len(preferred)
				if isWithSpoiler && now.Sub(first.Since) < SpoilerDelay || j > next {
					return
				}
				if paired[j] || !m.mayMeet(first, ordered[j], now) {
					continue
				}
				p, other := first.Player.ID, ordered[j].Player.ID
				if !m.hasJustMet(p, other, now) && !m.hasJustMet(other, p, now) {
					next = j
					return
				}
				again = min(again, j)
			}
		}
		for _, terms := range first.Accepts {
			if byTerms[terms] == nil {
				continue
			}
			for k := range kinds {
				if !k.canMeet(first.kind()) {
					continue
				}
				indexes := &byTerms[terms][k]
				for len(*indexes) > 0 && ((*indexes)[0] <= i || paired[(*indexes)[0]]) {
					*indexes = (*indexes)[1:]
				}
				consider(*indexes)
			}
		}
		if next == len(ordered) {
			next = again
		}
		if next == len(ordered) {
			continue
		}
		paired[i], paired[next] = true, true
		agreed, _ := agree(first.Accepts, ordered[next].Accepts)
		pairs = append(pairs, pairOfTickets{first, ordered[next], agreed})
	}
	return pairs
}

// indexByTerms returns the indexes of tickets by terms that several of them accept. The indexes are separate for each
// kind of player, because a search among many unwanted players would hold up the lobby.
func indexByTerms(tickets []ticket) map[match.Terms]*[kinds][]int {
	count := make(map[match.Terms]int, len(tickets))
	for _, t := range tickets {
		for _, terms := range t.Accepts {
			count[terms]++
		}
	}
	indexes := make(map[match.Terms]*[kinds][]int)
	for i, t := range tickets {
		for _, terms := range t.Accepts {
			if count[terms] == 1 {
				continue
			}
			if indexes[terms] == nil {
				indexes[terms] = new([kinds][]int)
			}
			of := &indexes[terms][t.kind()]
			*of = append(*of, i)
		}
	}
	return indexes
}

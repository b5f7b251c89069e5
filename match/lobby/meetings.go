package lobby

import (
	"maps"
	"slices"
	"time"

	"notakto/match"
	"notakto/rules"
)

const (
	// ApartFor is the time during which two players are not paired again after one of them did not move in time. It
	// is also the time during which the networks of a player who spoiled a match are paired last.
	ApartFor = 5 * time.Minute
	// OthersWithin limits the time during which tickets of networks that are paired last are paired only with each
	// other.
	OthersWithin = 15 * time.Second
	// pairingLife is the time for which the networks of paired players are kept.
	pairingLife = 20 * time.Minute
	// A player who did not move in time adds lateWeight to the weight of each of the player's networks. A player who
	// resigned within the first moves adds 1. An address with a recent weight of firstWeight or more is paired last.
	// Each larger network has twice the limit of the next smaller one.
	lateWeight  = 2
	firstWeight = 2
	maxWeight   = 4 * firstWeight // the most that is remembered of a network
)

// pairNetworks holds the networks of two players of the queue who were paired.
type pairNetworks struct {
	from map[match.PlayerID][]string // the known networks of each, smallest first
	at   time.Time
}

// separation says that a player is not paired with another one because one of them did not move in time.
type separation struct {
	other  match.PlayerID
	at     time.Time // when their match ended
	isLate bool      // the player did not move in time; if false, the other player did not
}

// meetings records the networks of paired players, the players who may not meet again soon, and the networks whose
// players spoil matches. The lobby's lock guards it.
type meetings struct {
	pairings map[match.ID]pairNetworks
	apart    map[match.PlayerID][]separation
	spoiled  map[string][]time.Time // when players of a network did not move in time, or resigned at once
}

func newMeetings() meetings {
	return meetings{make(map[match.ID]pairNetworks), make(map[match.PlayerID][]separation), make(map[string][]time.Time)}
}

// remember stores the networks of p's player if p is paired.
func (m meetings) remember(p ticket, now time.Time) {
	if p.Match == "" || len(p.From) == 0 {
		return
	}
	if m.pairings[p.Match].from == nil {
		m.pairings[p.Match] = pairNetworks{make(map[match.PlayerID][]string), now}
	}
	m.pairings[p.Match].from[p.Player.ID] = p.From
}

// recordSpoiled counts a match that ended because a player did not move in time, or resigned within the first moves.
func (m meetings) recordSpoiled(s *match.State) {
	side, weight := s.Outcome.Winner.Other(), 1
	if s.Outcome.IsVoid() {
		side = s.Position.Turn()
	}
	if s.Outcome.Reason != rules.Resign {
		weight = lateWeight
	}
	spoiler, other := s.SeatState(side).Player.ID, s.SeatState(side.Other()).Player.ID
	if weight == lateWeight { // players who resign early may meet again
		m.separate(spoiler, separation{other, s.EndedAt, true})
		m.separate(other, separation{spoiler, s.EndedAt, false})
	}
	for _, network := range m.pairings[s.ID].from[spoiler] {
		all := slices.Concat(m.spoiled[network], slices.Repeat([]time.Time{s.EndedAt}, weight))
		m.spoiled[network] = all[max(0, len(all)-maxWeight):]
	}
}

// separate keeps a player apart from another one. It replaces an older separation from that player for the same
// reason.
func (m meetings) separate(p match.PlayerID, s separation) {
	m.apart[p] = append(slices.DeleteFunc(m.apart[p], func(old separation) bool {
		return old.other == s.other && old.isLate == s.isLate
	}), s)
}

// forget drops expired pairings, separations and spoiled matches.
func (m meetings) forget(now time.Time) {
	maps.DeleteFunc(m.pairings, func(_ match.ID, p pairNetworks) bool { return now.Sub(p.at) > pairingLife })
	for p, all := range m.apart {
		all = slices.DeleteFunc(all, func(s separation) bool { return now.Sub(s.at) > ApartFor })
		if m.apart[p] = all; len(all) == 0 {
			delete(m.apart, p)
		}
	}
	maps.DeleteFunc(m.spoiled, func(_ string, all []time.Time) bool { return now.Sub(all[len(all)-1]) > ApartFor })
}

// isSpoiling reports whether players of one of p's networks have spoiled too many matches recently. A network of many
// addresses may belong to one player.
func (m meetings) isSpoiling(p ticket, now time.Time) bool {
	for i, network := range p.From {
		all, weight := m.spoiled[network], firstWeight<<i
		if len(all) >= weight && now.Sub(all[len(all)-weight]) <= ApartFor {
			return true
		}
	}
	return false
}

// separationOf returns the separation of two players and true if they may not be paired. That is so if one of them
// did not move in time within [ApartFor], and the other player's ticket does not forgive.
func (m meetings) separationOf(p, other ticket, now time.Time) (s separation, isApart bool) {
	for _, s := range m.apart[p.Player.ID] {
		isForgiven := p.Forgives && !s.isLate || other.Forgives && s.isLate
		if s.other == other.Player.ID && now.Sub(s.at) <= ApartFor && !isForgiven {
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

// nextPairs returns the pairs to open next. It pairs tickets beyond the limit of their networks only if the others
// make no pair. It leaves out tickets of this node whose seek is over or cancelled, although the registry may
// still hold them. The caller holds the lock.
func (l *Lobby) nextPairs(queue []ticket) []pairOfTickets {
	now := l.cfg.Store.Now()
	queue = slices.DeleteFunc(slices.Clone(queue), func(p ticket) bool {
		s := l.seekOf(p)
		isGivenUp := s != nil && s.isCancelled || l.isLeftover(p)
		return isGivenUp || p.isRated() && l.cfg.Opener.PlaysRated(p.Player.ID) // in a rematch since the player sought
	})
	if pairs := l.meetings.nextPairs(firstOfAddresses(queue), now); len(pairs) > 0 {
		return pairs
	}
	return l.meetings.nextPairs(queue, now)
}

// nextPairs pairs each ticket, oldest first, with the next one that accepts some of the same terms and whose
// player it may meet. Tickets of networks that spoil matches come last. The other tickets are paired with these
// only after [OthersWithin].
func (m meetings) nextPairs(queue []ticket, now time.Time) (pairs []pairOfTickets) {
	var prompt, slow []ticket // slow ones are of networks that spoil matches
	for _, p := range queue {
		if m.isSpoiling(p, now) {
			slow = append(slow, p)
		} else {
			prompt = append(prompt, p)
		}
	}
	ordered := slices.Concat(prompt, slow)
	byTerms := make(map[match.Terms][]int) // indexes in ordered of unpaired tickets that accept the terms
	for i, p := range ordered {
		for _, terms := range p.Accepts {
			byTerms[terms] = append(byTerms[terms], i)
		}
	}
	paired := make([]bool, len(ordered))
	for i, first := range ordered {
		if paired[i] {
			continue
		}
		next := len(ordered)
		for _, terms := range first.Accepts {
			for len(byTerms[terms]) > 0 && (byTerms[terms][0] <= i || paired[byTerms[terms][0]]) {
				byTerms[terms] = byTerms[terms][1:]
			}
			for _, j := range byTerms[terms] {
				isMixed := i < len(prompt) && j >= len(prompt)
				if paired[j] || isMixed && now.Sub(first.Since) < OthersWithin {
					continue
				}
				if _, isApart := m.separationOf(first, ordered[j], now); !isApart {
					next = min(next, j)
					break
				}
			}
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

package lobby

import (
	"maps"
	"slices"
	"time"

	"notakto/match"
	"notakto/rules"
)

const (
	// ApartFor is how long two players are not paired again after one of them did not move in time. For as long, the
	// networks of a player who did that, or who resigned within the first moves, are paired last.
	ApartFor = 5 * time.Minute
	// OthersWithin is how long at most a player of another network is not paired with players of such networks.
	OthersWithin = 15 * time.Second
	// pairingLife is how long the networks of paired players are remembered.
	pairingLife = 20 * time.Minute
	// A player who did not move in time adds lateWeight to the networks, one who resigned within the first moves adds one.
	// A network is paired last once its recent weight is firstWeight; each larger network has twice the limit.
	lateWeight  = 2
	firstWeight = 2
	maxWeight   = 4 * firstWeight // the most that is remembered of a network
)

// pairing holds the networks of two players of the queue who were paired.
type pairing struct {
	from map[match.PlayerID][]string // the known networks of each, smallest first
	at   time.Time
}

// meetings is what the lobby remembers of players that it has paired. The lobby's lock guards it.
type meetings struct {
	pairings map[match.ID]pairing
	apart    map[[2]match.PlayerID]time.Time // players not to be paired, since when
	spoiled  map[string][]time.Time          // when players of a network did not move in time, or resigned at once
}

func newMeetings() meetings {
	return meetings{make(map[match.ID]pairing), make(map[[2]match.PlayerID]time.Time), make(map[string][]time.Time)}
}

// remember stores the networks of a player who was paired.
func (m meetings) remember(p ticket, now time.Time) {
	if p.Match == "" || len(p.From) == 0 {
		return
	}
	if m.pairings[p.Match].from == nil {
		m.pairings[p.Match] = pairing{make(map[match.PlayerID][]string), now}
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
		m.apart[[2]match.PlayerID{spoiler, other}], m.apart[[2]match.PlayerID{other, spoiler}] = s.EndedAt, s.EndedAt
	}
	for _, network := range m.pairings[s.ID].from[spoiler] {
		all := slices.Concat(m.spoiled[network], slices.Repeat([]time.Time{s.EndedAt}, weight))
		m.spoiled[network] = all[max(0, len(all)-maxWeight):]
	}
}

// forget drops expired values.
func (m meetings) forget(now time.Time) {
	maps.DeleteFunc(m.pairings, func(_ match.ID, p pairing) bool { return now.Sub(p.at) > pairingLife })
	maps.DeleteFunc(m.apart, func(_ [2]match.PlayerID, at time.Time) bool { return now.Sub(at) > ApartFor })
	maps.DeleteFunc(m.spoiled, func(_ string, all []time.Time) bool { return now.Sub(all[len(all)-1]) > ApartFor })
}

// isSlow reports whether players of one of p's networks have spoiled too many matches recently. A network of many
// addresses may belong to one player.
func (m meetings) isSlow(p ticket, now time.Time) bool {
	for i, network := range p.From {
		all, weight := m.spoiled[network], firstWeight<<i
		if len(all) >= weight && now.Sub(all[len(all)-weight]) <= ApartFor {
			return true
		}
	}
	return false
}

// mayMeet reports whether two players may be paired: not within [ApartFor] after one of them did not move in time.
func (m meetings) mayMeet(p, other ticket, now time.Time) bool {
	return now.Sub(m.apart[[2]match.PlayerID{p.Player.ID, other.Player.ID}]) > ApartFor
}

// nextPair returns the pair that is next: the two oldest tickets that may meet. Tickets beyond the limit of their
// address come last. The caller holds the lock.
func nextPair(l *Lobby, queue []ticket) (first, second ticket, found bool) {
	now := l.cfg.Journal.Now()
	for _, s := range l.cfg.Opener.TakeSpoiled() {
		l.meetings.recordSpoiled(s)
	}
	if first, second, found = l.meetings.nextPair(firstOfAddresses(queue), now); !found {
		first, second, found = l.meetings.nextPair(queue, now)
	}
	return first, second, found
}

// nextPair returns the two oldest tickets that may meet. Tickets of slow networks come after all others, which are
// paired with them only after [OthersWithin].
func (m meetings) nextPair(queue []ticket, now time.Time) (first, second ticket, found bool) {
	var prompt, slow []ticket
	for _, p := range queue {
		if m.isSlow(p, now) {
			slow = append(slow, p)
		} else {
			prompt = append(prompt, p)
		}
	}
	ordered := slices.Concat(prompt, slow)
	for i, first := range ordered {
		for j, second := range ordered[i+1:] {
			isMixed := i < len(prompt) && i+1+j >= len(prompt)
			if m.mayMeet(first, second, now) && (!isMixed || now.Sub(first.Since) >= OthersWithin) {
				return first, second, true
			}
		}
	}
	return ticket{}, ticket{}, false
}

// countWaiting returns how many wait for each variant. The caller holds the lock.
func countWaiting(l *Lobby) map[match.Terms]int {
	waiting := make(map[match.Terms]int)
	for _, p := range l.tickets {
		if p.Match == "" && l.isFresh(p) {
			waiting[p.Terms]++
		}
	}
	return waiting
}

// tellElsewhere sends players of this node who wait alone the terms others wait for. The caller holds the lock.
func tellElsewhere(l *Lobby) {
	if len(l.seeks) == 0 {
		return
	}
	waiting := countWaiting(l)
	for _, s := range l.seeks {
		terms, n := match.Terms{}, 0
		if s.status.Waiting < 2 {
			terms, n = busiest(waiting, s.status.Terms)
		}
		if s.state >= seekWaiting && (s.status.Elsewhere != terms || s.status.WaitingElsewhere != n) {
			s.status.Elsewhere, s.status.WaitingElsewhere = terms, n
			s.box.Put(s.status)
		}
	}
}

// busiest returns the terms, other than besides, for which the most wait.
func busiest(waiting map[match.Terms]int, besides match.Terms) (most match.Terms, n int) {
	for v, m := range waiting {
		if v != besides && (m > n || m == n && v.Variant.String() < most.Variant.String()) {
			most, n = v, m
		}
	}
	return most, n
}

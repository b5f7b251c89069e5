package match

import (
	"maps"
	"slices"
	"time"

	"notakto/rules"
)

const (
	// apartFor is how long two players are kept apart after a match in which one of them did not move in time.
	apartFor = 5 * time.Minute
	// othersWithin is how long a player is at most kept from the address of an opponent of such a match.
	othersWithin = 15 * time.Second
	// pairingLife is how long it is remembered where the players of a match came from.
	pairingLife = 20 * time.Minute
)

// pair is a player and an opponent that the player is kept apart from: another player's ID, or an address.
type pair struct {
	player PlayerID
	other  string
}

// pairing is a match that two players of the queue were promised.
type pairing struct {
	from map[PlayerID]string // their addresses, as far as they are known
	at   time.Time
}

// meetings is what the lobby remembers of players that it has paired. The lobby's lock guards it.
type meetings struct {
	pairings map[ID]pairing
	apart    map[pair]time.Time   // who is kept apart, since when
	slow     map[string]time.Time // addresses of players who did not move in time, and when that was
}

func newMeetings() meetings {
	return meetings{make(map[ID]pairing), make(map[pair]time.Time), make(map[string]time.Time)}
}

// remember takes down where a player came from who is promised a match.
func (m meetings) remember(p place, now time.Time) {
	if p.Match == "" || len(p.From) == 0 {
		return
	}
	if m.pairings[p.Match].from == nil {
		m.pairings[p.Match] = pairing{make(map[PlayerID]string), now}
	}
	m.pairings[p.Match].from[p.Player.ID] = p.From[0]
}

// learn takes in a match in which the player to move did not in time.
func (m meetings) learn(s *State) {
	late, waited := s.Chair(s.Position.Turn()).Player.ID, s.Chair(s.Position.Turn().Other()).Player.ID
	m.apart[pair{late, string(waited)}], m.apart[pair{waited, string(late)}] = s.EndedAt, s.EndedAt
	if from := m.pairings[s.ID].from[late]; from != "" {
		m.apart[pair{waited, from}], m.slow[from] = s.EndedAt, s.EndedAt
	}
}

// forget drops what is too old to matter.
func (m meetings) forget(now time.Time) {
	maps.DeleteFunc(m.pairings, func(_ ID, p pairing) bool { return now.Sub(p.at) > pairingLife })
	maps.DeleteFunc(m.apart, func(_ pair, at time.Time) bool { return now.Sub(at) > apartFor })
	maps.DeleteFunc(m.slow, func(_ string, at time.Time) bool { return now.Sub(at) > apartFor })
}

// isSlow reports whether a player at the address of a place did not move in time lately.
func (m meetings) isSlow(p place, now time.Time) bool {
	return len(p.From) > 0 && now.Sub(m.slow[p.From[0]]) <= apartFor
}

// mayMeet reports whether a player may be paired with another. After a match in which one of two did not move in time
// these two are kept apart for a while. The one who waited is kept apart from the other's address too, since its
// players may all be one who comes back as a new guest, unless no other opponent comes.
func (m meetings) mayMeet(p, other place, now time.Time) bool {
	isApart := func(from string) bool { return now.Sub(m.apart[pair{p.Player.ID, from}]) <= apartFor }
	if isApart(string(other.Player.ID)) {
		return false
	}
	return len(other.From) == 0 || now.Sub(p.Since) >= othersWithin || !isApart(other.From[0])
}

// nextPair returns the two who are to play next: those who have waited longest of the ones that may meet. Players of an
// address where one did not move in time lately come after all others. The lock is held.
func (l *Lobby) nextPair(queue []place) (first, second place, found bool) {
	now := l.manager.cfg.Journal.Now()
	for _, s := range l.manager.register.takeOverdue() {
		l.meetings.learn(s)
	}
	var prompt, slow []place
	for _, p := range firstOfAddresses(queue) {
		if l.meetings.isSlow(p, now) {
			slow = append(slow, p)
		} else {
			prompt = append(prompt, p)
		}
	}
	queue = slices.Concat(prompt, slow)
	for i, first := range queue {
		for _, second := range queue[i+1:] {
			if l.meetings.mayMeet(first, second, now) && l.meetings.mayMeet(second, first, now) {
				return first, second, true
			}
		}
	}
	return place{}, place{}, false
}

// Elsewhere returns the variant for which the most wait on all nodes, besides one, and how many do.
func (l *Lobby) Elsewhere(besides rules.Variant) (rules.Variant, int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return busiest(l.counts(), besides)
}

// counts are how many wait for each variant. The lock is held.
func (l *Lobby) counts() map[rules.Variant]int {
	waiting := make(map[rules.Variant]int)
	for _, p := range l.wall {
		if p.Match == "" && l.isGood(p) {
			waiting[p.Variant]++
		}
	}
	return waiting
}

// tellElsewhere tells the players of this node who wait alone for which variant others wait. The lock is held.
func (l *Lobby) tellElsewhere() {
	if len(l.seeks) == 0 {
		return
	}
	waiting := l.counts()
	for _, s := range l.seeks {
		v, n := rules.Variant{}, 0
		if s.status.Waiting < 2 {
			v, n = busiest(waiting, s.status.Variant)
		}
		if s.stood && (s.status.Elsewhere != v || s.status.WaitingElsewhere != n) {
			s.status.Elsewhere, s.status.WaitingElsewhere = v, n
			s.box.put(s.status)
		}
	}
}

// busiest returns the variant for which the most wait, besides one.
func busiest(waiting map[rules.Variant]int, besides rules.Variant) (most rules.Variant, n int) {
	for v, m := range waiting {
		if v != besides && (m > n || m == n && v.String() < most.String()) {
			most, n = v, m
		}
	}
	return most, n
}

package match

import (
	"time"

	"notakto/rules"
)

const (
	// apartFor is how long two players are kept apart after a match that one of them did not play.
	apartFor = 5 * time.Minute
	// othersWithin is how long a player waits at most for an opponent of another address than that of one with whom such a
	// match was.
	othersWithin = 15 * time.Second
	// meetingLife is how long it is known who has played whom.
	meetingLife = time.Hour
)

// pair is a player and one with whom the player was paired: another player's ID, or the address of one.
type pair struct {
	player PlayerID
	other  string
}

// meeting is the last match of a pair.
type meeting struct {
	match ID
	at    time.Time
}

// remember takes down who is paired with whom. The lock is held.
func (l *Lobby) remember(p place) {
	other := l.wall[keyOf(p.Other.ID)]
	if p.Match == "" {
		return
	}
	last := meeting{p.Match, l.manager.cfg.Journal.Now()}
	l.met[pair{p.Player.ID, string(p.Other.ID)}] = last
	l.met[pair{p.Other.ID, string(p.Player.ID)}] = last
	if len(p.From) > 0 {
		l.met[pair{p.Other.ID, p.From[0]}] = last
	}
	if len(other.From) > 0 && other.Player.ID == p.Other.ID {
		l.met[pair{p.Player.ID, other.From[0]}] = last
	}
}

// forgetMeetings drops what is too old to matter. The lock is held.
func (l *Lobby) forgetMeetings() {
	now := l.manager.cfg.Journal.Now()
	for who, last := range l.met {
		if now.Sub(last.at) > meetingLife {
			delete(l.met, who)
		}
	}
}

// nextPair returns the two who are to play next: those who have waited longest of the ones that may meet.
func (l *Lobby) nextPair(queue []place) (first, second place, found bool) {
	queue = firstOfAddresses(queue)
	for i, first := range queue {
		for _, second := range queue[i+1:] {
			if l.mayMeet(first, second) && l.mayMeet(second, first) {
				return first, second, true
			}
		}
	}
	return place{}, place{}, false
}

// mayMeet reports whether a player may be paired with another. After a match in which one of two did not move in time
// these two are kept apart for a while. A player is kept apart from the other's address too, since its players may all be
// one who comes back as a new guest, unless no other opponent comes.
func (l *Lobby) mayMeet(p, other place) bool {
	now := l.manager.cfg.Journal.Now()
	if l.wentWrong(l.met[pair{p.Player.ID, string(other.Player.ID)}], now) {
		return false
	}
	if len(other.From) == 0 || now.Sub(p.Since) >= othersWithin {
		return true
	}
	return !l.wentWrong(l.met[pair{p.Player.ID, other.From[0]}], now)
}

// wentWrong reports whether a match has ended lately because a player did not move in time.
func (l *Lobby) wentWrong(last meeting, now time.Time) bool {
	if last.match == "" {
		return false
	}
	s, err := l.manager.register.match(last.match)
	if err != nil || s == nil || !s.Outcome.Over() || now.Sub(s.EndedAt) > apartFor {
		return false
	}
	return s.Outcome.IsVoid() || s.Outcome.Reason == rules.Time
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

package lobby

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"notakto/match"
	"notakto/match/limit"
)

// queue holds the tickets of all nodes as the registry has delivered them, and does not know the seeks of this node.
// The lobby's lock guards the fields.
type queue struct {
	now     func() time.Time                    // of the store
	tickets map[string]ticket                   // by entry key
	byTerms map[match.Terms]map[string]struct{} // keys of the waiting tickets that accept the terms, also of expired ones
	touched map[match.Terms]bool                // terms of tickets that came or went since the last takeRelated
	waiting []ticket                            // oldest first, as of the last refreshWaiting
}

func newQueue(now func() time.Time) queue {
	return queue{
		now: now, tickets: make(map[string]ticket), byTerms: make(map[match.Terms]map[string]struct{}),
		touched: make(map[match.Terms]bool),
	}
}

func (q *queue) ticket(p match.PlayerID) ticket { return q.tickets[keyOf(p)] }

// replace stores t under key, and reports whether that changes the waiting tickets. The zero ticket deletes key. The
// registry delivers two paired tickets separately, so the first one also ends the wait of the other.
func (q *queue) replace(key string, t ticket) (isChanged bool) {
	before := q.tickets[key]
	if t.Player.ID == "" {
		delete(q.tickets, key)
	} else {
		q.tickets[key] = t
	}
	if isChanged = q.isChangedBy(before, t); isChanged {
		q.index(before, func(keys map[string]struct{}) { delete(keys, key) })
		q.index(t, func(keys map[string]struct{}) { keys[key] = struct{}{} })
	}
	if t.Match == "" {
		return isChanged
	}
	other := q.ticket(t.Opponent)
	if other.isWaiting() && other.entry.Revision < t.entry.Revision {
		other.isTaken = true
		q.replace(keyOf(t.Opponent), other)
		isChanged = true
	}
	return isChanged
}

// index calls change with the keys of each of t's terms, if t waits.
func (q *queue) index(t ticket, change func(keys map[string]struct{})) {
	if !t.isWaiting() {
		return
	}
	q.touch(t.Accepts)
	for _, terms := range t.Accepts {
		if q.byTerms[terms] == nil {
			q.byTerms[terms] = make(map[string]struct{})
		}
		if change(q.byTerms[terms]); len(q.byTerms[terms]) == 0 {
			delete(q.byTerms, terms)
		}
	}
}

// touch makes takeRelated return the tickets that accept some of the terms.
func (q *queue) touch(all []match.Terms) {
	for _, terms := range all {
		q.touched[terms] = true
	}
}

// takeRelated returns the fresh waiting tickets that accept touched terms, or terms of such tickets and so on, oldest
// first. A change lets no others be paired.
func (q *queue) takeRelated() (related []ticket) {
	open := slices.Collect(maps.Keys(q.touched))
	isListed := make(map[string]bool)
	for len(open) > 0 {
		keys := q.byTerms[open[len(open)-1]]
		open = open[:len(open)-1]
		for key := range keys {
			if isListed[key] {
				continue
			}
			isListed[key] = true
			t := q.tickets[key]
			if !q.isFresh(t) {
				continue
			}
			related = append(related, t)
			for _, terms := range t.Accepts {
				if len(q.byTerms[terms]) > 1 && !q.touched[terms] {
					q.touched[terms] = true
					open = append(open, terms)
				}
			}
		}
	}
	q.touched = make(map[match.Terms]bool)
	sortByOrder(related)
	return related
}

func sortByOrder(tickets []ticket) {
	slices.SortFunc(tickets, func(a, b ticket) int { return cmp.Compare(a.Order, b.Order) })
}

// isFresh reports whether the ticket's node still renews it.
func (q *queue) isFresh(t ticket) bool { return q.age(t) <= match.EntryTTL }

// age returns the time since t was put or renewed.
func (q *queue) age(t ticket) time.Duration { return q.now().Sub(t.entry.At) }

// isChangedBy reports whether the waiting tickets change when t replaces before. Either may be the zero ticket. The
// renewal of a fresh ticket is no change.
func (q *queue) isChangedBy(before, t ticket) bool {
	if before.isWaiting() && t.isWaiting() {
		return !q.isFresh(before) || !t.isRenewalOf(before)
	}
	return before.isWaiting() || t.isWaiting()
}

// refreshWaiting sets waiting to the fresh tickets that wait, oldest first, and touches all terms that several tickets
// accept.
func (q *queue) refreshWaiting() {
	q.waiting = nil
	for _, t := range q.tickets {
		if t.isWaiting() && q.isFresh(t) {
			q.waiting = append(q.waiting, t)
		}
	}
	sortByOrder(q.waiting)
	for terms, keys := range q.byTerms {
		if len(keys) > 1 {
			q.touched[terms] = true
		}
	}
}

// preferredTickets is the number of tickets of one address that take precedence in nextPairs. Without the limit one
// address could fill the queue.
const preferredTickets = 3

// preferFirstOfAddresses returns queue with the tickets beyond preferredTickets of an address at the end. The limit of
// a network is limit.NetworkFactor times the limit of the next smaller network.
func preferFirstOfAddresses(queue []ticket) []ticket {
	counts := make(map[string]int)
	var further []ticket
	first := slices.DeleteFunc(slices.Clone(queue), func(t ticket) bool {
		most := preferredTickets
		for _, network := range t.Networks {
			if counts[network] >= most {
				further = append(further, t)
				return true
			}
			most *= limit.NetworkFactor
		}
		for _, network := range t.Networks {
			counts[network]++
		}
		return false
	})
	return append(first, further...)
}

// Waiter describes a waiting player to another player.
type Waiter struct {
	Name    string
	Player  match.PlayerID
	IsGuest bool
	Since   time.Time
	Accepts []match.Terms // the preferred ones first, not to be modified
	// ApartUntil is set if the waiter or the reader of the list did not move in time. A lobby pairs the two before
	// ApartUntil only if the player that was not late seeks with [Options.Forgives].
	ApartUntil time.Time
	// IsLate says that the waiter did not move in time. If ApartUntil is set and IsLate is false, the reader of the list
	// did not move in time.
	IsLate bool
}

// WaitList describes the queue of all nodes to a player, without the tickets that only programs can join.
type WaitList struct {
	Count int
	// First holds the longest waiting players, at most [MaxWaiters]. Players that are kept apart from the asking player
	// come last.
	First []Waiter
}

// Equal reports whether w and other have equal fields.
func (w WaitList) Equal(other WaitList) bool {
	return w.Count == other.Count && equalWaiters(w.First, other.First)
}

// MaxWaiters limits the waiters in one list.
const MaxWaiters = 4

// maxCompared limits the tickets of the queue that a queueHead describes.
const maxCompared = 16

// maxExamined limits the tickets for which Waiting asks whether the player may meet them. Waiting holds the lobby's
// lock, and each session without a match asks every two seconds.
const maxExamined = 200

// queueHead describes the first tickets of a queue to the waiting players.
type queueHead struct {
	waiters []Waiter                // at most maxCompared
	kinds   []kind                  // by waiter
	accept  map[match.Terms]waiters // the waiters that accept the terms
	counts  [kinds]int              // of all tickets, by kind
}

// waiters is a set of indexes in queueHead.waiters.
type waiters uint16

// headOf describes the waiting tickets, and leaves out those of bots unless forBots is set.
func (l *Lobby) headOf(forBots bool) queueHead {
	h := queueHead{accept: make(map[match.Terms]waiters)}
	for _, t := range l.queue.waiting {
		if !forBots && t.isOfBots() {
			continue
		}
		h.counts[t.kind()]++
		i := len(h.waiters)
		if i == maxCompared {
			continue
		}
		h.waiters, h.kinds = append(h.waiters, l.waiterOf(t, separation{})), append(h.kinds, t.kind())
		for _, terms := range t.Accepts {
			h.accept[terms] |= 1 << i
		}
	}
	return h
}

// tellSeeks updates the statuses of the seeks of this node that have one of the tickets. The time for one seek must not
// depend on the length of the queue.
func (l *Lobby) tellSeeks(tickets []ticket) {
	all, visible := l.headOf(true), l.headOf(false)
	others := make([]Waiter, 0, MaxWaiters) // the first waiters that share no terms with the seek
	for _, t := range tickets {
		s := l.seekOf(t)
		if s == nil {
			continue
		}
		head := visible
		if t.isOfBots() {
			head = all
		}
		var agreeing waiters
		for _, terms := range t.Accepts {
			agreeing |= head.accept[terms]
		}
		count := 0
		if !t.kind().canMeet(t.kind()) {
			count++ // t itself
		}
		for k, tickets := range head.counts {
			if t.kind().canMeet(kind(k)) {
				count += tickets
			}
		}
		others = others[:0]
		for i, w := range head.waiters {
			switch {
			case w.Player == t.Player.ID, !t.kind().canMeet(head.kinds[i]):
			case l.meetings.areBlocked(t.Player.ID, w.Player):
				count--
			case agreeing&(1<<i) == 0 && len(others) < MaxWaiters:
				others = append(others, w)
			}
		}
		apart := slices.DeleteFunc(l.apartFrom(t), func(w Waiter) bool {
			return l.meetings.areBlocked(t.Player.ID, w.Player)
		})
		isChanged := s.status.Waiting != count || !equalWaiters(s.status.Others, others) ||
			!equalWaiters(s.status.Apart, apart)
		s.status.Accepts, s.status.Meets, s.status.Since, s.status.Waiting = t.Accepts, t.Meets, t.Since, count
		if isChanged {
			s.status.Others, s.status.Apart = slices.Clone(others), apart
			s.mailbox.Put(s.status)
		}
	}
}

// apartFrom returns the waiting players that accept some of t's terms but may not be paired with t, at most
// [MaxWaiters].
func (l *Lobby) apartFrom(t ticket) (apart []Waiter) {
	var listed []match.PlayerID
	for _, s := range l.meetings.apart[t.Player.ID] {
		other := l.queue.ticket(s.other)
		between, isApart := l.meetings.separationOf(t, other, l.cfg.Store.Now())
		_, agreed := agree(t.Accepts, other.Accepts)
		agreed = agreed && t.kind().canMeet(other.kind())
		isListed := slices.Contains(listed, s.other)
		if isApart && agreed && other.isWaiting() && l.queue.isFresh(other) && !isListed && len(apart) < MaxWaiters {
			listed = append(listed, s.other)
			apart = append(apart, l.waiterOf(other, between))
		}
	}
	return apart
}

// waiterOf describes t's player to a reader. between is the reader's separation from t's player, or zero.
func (l *Lobby) waiterOf(t ticket, between separation) Waiter {
	w := Waiter{
		Name: l.cfg.ShownName(t.Player), Player: t.Player.ID, IsGuest: t.Player.Guest,
		Since: t.Since, Accepts: t.Accepts,
	}
	if !between.at.IsZero() {
		w.ApartUntil, w.IsLate = between.at.Add(SeparationTime), !between.isLate
	}
	return w
}

func equalWaiters(a, b []Waiter) bool {
	return slices.EqualFunc(a, b, func(a, b Waiter) bool {
		return a.Name == b.Name && slices.Equal(a.Accepts, b.Accepts) && a.ApartUntil.Equal(b.ApartUntil) &&
			a.IsLate == b.IsLate
	})
}

// Waiting returns the waiting players that p could join. Waiting leaves out p, the players kept apart from p because p
// did not move in time, and players whose [Meets] excludes p. Behind the first maxExamined players, Count includes
// those kept apart and blocked ones too. With an empty p, Waiting leaves out only tickets that only programs can join.
func (l *Lobby) Waiting(p match.PlayerID) (w WaitList) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.takeSpoiled()
	own, now := ticket{Player: match.Player{ID: p}, IsProgram: l.cfg.IsProgram(p)}, l.cfg.Store.Now()
	var late []Waiter
	examined := 0
	for _, t := range l.queue.waiting {
		if t.isOfBots() || t.Player.ID == p || !own.kind().canMeet(t.kind()) {
			continue
		}
		if examined++; examined > maxExamined {
			w.Count++
			continue
		}
		between, isApart := l.meetings.separationOf(own, t, now)
		switch {
		case isApart && between.isLate, l.meetings.areBlocked(p, t.Player.ID):
			continue
		case isApart:
			late = append(late, l.waiterOf(t, between))
		case len(w.First) < MaxWaiters:
			w.First = append(w.First, l.waiterOf(t, separation{}))
		}
		w.Count++
	}
	w.First = append(w.First, late[:min(len(late), MaxWaiters-len(w.First))]...)
	return w
}

package lobby

import (
	"cmp"
	"slices"
	"time"

	"notakto/match"
	"notakto/match/limit"
)

// queue holds the tickets of all nodes as the registry has delivered them, and the order of the waiting ones. It
// does not know the seeks of this node. The lobby's lock guards all but isFresh and age.
type queue struct {
	now     func() time.Time  // of the store
	tickets map[string]ticket // by their keys
	waiting []ticket          // the waiting tickets, oldest first, as of the last sort
}

// ticket returns the ticket of a player, or the zero ticket if the player has none.
func (q *queue) ticket(p match.PlayerID) ticket { return q.tickets[keyOf(p)] }

// replace stores t under key and returns the ticket that was there before. The zero ticket deletes the key.
func (q *queue) replace(key string, t ticket) (before ticket) {
	before = q.tickets[key]
	if t.Player.ID == "" {
		delete(q.tickets, key)
	} else {
		q.tickets[key] = t
	}
	return before
}

// isFresh reports whether the ticket's node still renews it.
func (q *queue) isFresh(t ticket) bool { return q.age(t) <= match.EntryTTL }

// age returns the time since a ticket was put or renewed.
func (q *queue) age(t ticket) time.Duration { return q.now().Sub(t.entry.At) }

// isChangedBy reports whether the waiting tickets change when t replaces before. Either may be the zero ticket.
// The renewal of a fresh ticket changes nothing.
func (q *queue) isChangedBy(before, t ticket) bool {
	if before.waits() && t.waits() {
		return !q.isFresh(before) || !t.isRenewalOf(before)
	}
	return before.waits() || t.waits()
}

// sort sets waiting to the fresh tickets that are not paired, oldest first. The registry delivers the two tickets
// of a pair one after the other. sort leaves out the second one as soon as the first one has its match.
func (q *queue) sort() {
	q.waiting = nil
	pairedAt := make(map[match.PlayerID]uint64) // revisions
	for _, t := range q.tickets {
		switch {
		case !q.isFresh(t):
		case t.Match != "":
			pairedAt[t.Other] = max(pairedAt[t.Other], t.entry.Revision)
		default:
			q.waiting = append(q.waiting, t)
		}
	}
	q.waiting = slices.DeleteFunc(q.waiting, func(t ticket) bool { return t.entry.Revision < pairedAt[t.Player.ID] })
	slices.SortFunc(q.waiting, func(a, b ticket) int { return cmp.Compare(a.Ticket, b.Ticket) })
}

// maxTickets is the number of tickets of one address that are paired first. Further tickets are paired only if the
// first ones make no pair. So one address cannot fill the queue.
const maxTickets = 3

// firstOfAddresses returns a queue without the tickets beyond the limit of their networks.
func firstOfAddresses(queue []ticket) []ticket {
	counts := make(map[string]int)
	return slices.DeleteFunc(slices.Clone(queue), func(p ticket) bool {
		most := maxTickets
		for _, network := range p.From {
			if counts[network] >= most {
				return true
			}
			most *= limit.NetworkFactor
		}
		for _, network := range p.From {
			counts[network]++
		}
		return false
	})
}

// Waiter describes a waiting player to another player.
type Waiter struct {
	Name    string
	Accepts []match.Terms // the preferred ones first; not to be modified
	// ApartUntil is set if the waiter or the other player did not move in time. Until then they are not paired.
	ApartUntil time.Time
	// IsLate says that the waiter did not move in time: see [Lobby.SeekForgiving]. If ApartUntil is set and IsLate is
	// false, the other player did not move in time.
	IsLate bool
}

// Waiting describes the queue of all nodes, without the tickets that only programs can join.
type Waiting struct {
	Count int
	First []Waiter // the longest waiting, at most [MaxWaiters]; players who are kept apart from the player come last
}

// Equal reports whether w and other have the same Count and First.
func (w Waiting) Equal(other Waiting) bool {
	return w.Count == other.Count && equalWaiters(w.First, other.First)
}

// MaxWaiters limits the waiters in one list.
const MaxWaiters = 4

// maxCompared limits the tickets of the queue that othersThan looks at.
const maxCompared = 64

// visibleToPeople returns a queue without the tickets that only programs can join.
func visibleToPeople(queue []ticket) []ticket {
	return slices.DeleteFunc(slices.Clone(queue), ticket.isOfBots)
}

// tellSeeks updates the status of each waiting seek of this node. Seeks that accept the same terms share the count and
// the list of others, because every change of the queue calls tellSeeks.
func (l *Lobby) tellSeeks() {
	type news struct {
		accepts []match.Terms
		others  []Waiter
		waiting int
	}
	var shared []news
	visible := visibleToPeople(l.queue.waiting)
	for _, p := range l.queue.waiting {
		s := l.seekOf(p)
		if s == nil {
			continue
		}
		accepts := p.Accepts
		i := slices.IndexFunc(shared, func(n news) bool { return slices.Equal(n.accepts, accepts) })
		if i < 0 {
			i = len(shared)
			if p.isOfBots() {
				shared = append(shared, news{accepts, l.othersThan(accepts, l.queue.waiting), len(l.queue.waiting)})
			} else {
				shared = append(shared, news{accepts, l.othersThan(accepts, visible), len(visible)})
			}
		}
		n, apart := shared[i], l.apartFrom(p)
		isNews := s.status.Waiting != n.waiting || !equalWaiters(s.status.Others, n.others) ||
			!equalWaiters(s.status.Apart, apart)
		s.status.Accepts, s.status.Since, s.status.Waiting = accepts, p.Since, n.waiting
		s.status.Others, s.status.Apart = n.others, apart
		if isNews {
			s.box.Put(s.status)
		}
	}
}

// othersThan returns the first players of a queue who accept none of the given terms, at most [MaxWaiters].
func (l *Lobby) othersThan(accepts []match.Terms, queue []ticket) (others []Waiter) {
	for _, p := range queue[:min(len(queue), maxCompared)] {
		if _, agreed := agree(accepts, p.Accepts); !agreed && len(others) < MaxWaiters {
			others = append(others, l.waiterOf(p, separation{}))
		}
	}
	return others
}

// apartFrom returns the waiting players who accept some of p's terms but may not be paired with p, at most
// [MaxWaiters].
func (l *Lobby) apartFrom(p ticket) (apart []Waiter) {
	for _, s := range l.meetings.apart[p.Player.ID] {
		other := l.queue.ticket(s.other)
		now, isApart := l.meetings.separationOf(p, other, l.cfg.Store.Now())
		_, agreed := agree(p.Accepts, other.Accepts)
		isTold := slices.ContainsFunc(apart, func(w Waiter) bool { return w.Name == l.cfg.ShownName(other.Player) })
		if isApart && agreed && other.waits() && l.queue.isFresh(other) && !isTold && len(apart) < MaxWaiters {
			apart = append(apart, l.waiterOf(other, now))
		}
	}
	return apart
}

// waiterOf describes p's player to another player. why is the separation of the two from the other player's side,
// or zero.
func (l *Lobby) waiterOf(p ticket, why separation) Waiter {
	w := Waiter{Name: l.cfg.ShownName(p.Player), Accepts: p.Accepts}
	if !why.at.IsZero() {
		w.ApartUntil, w.IsLate = why.at.Add(ApartFor), !why.isLate
	}
	return w
}

func equalWaiters(a, b []Waiter) bool {
	return slices.EqualFunc(a, b, func(a, b Waiter) bool {
		return a.Name == b.Name && slices.Equal(a.Accepts, b.Accepts) && a.ApartUntil.Equal(b.ApartUntil) &&
			a.IsLate == b.IsLate
	})
}

// Waiting returns the waiting players that the player besides could join. It leaves out besides, and the players who
// are kept apart from besides because besides did not move in time.
func (l *Lobby) Waiting(besides match.PlayerID) (w Waiting) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.takeSpoiled()
	me, now := ticket{Player: match.Player{ID: besides}}, l.cfg.Store.Now()
	var late []Waiter
	for _, p := range visibleToPeople(l.queue.waiting) {
		why, isApart := l.meetings.separationOf(me, p, now)
		switch {
		case p.Player.ID == besides, isApart && why.isLate:
			continue
		case isApart:
			late = append(late, l.waiterOf(p, why))
		case len(w.First) < MaxWaiters:
			w.First = append(w.First, l.waiterOf(p, separation{}))
		}
		w.Count++
	}
	w.First = append(w.First, late[:min(len(late), MaxWaiters-len(w.First))]...)
	return w
}

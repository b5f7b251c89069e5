package lobby

import (
	"cmp"
	"slices"

	"notakto/match"
	"notakto/match/limit"
)

// changesQueue reports whether the queue may be another one now that a ticket has taken the place of the one before;
// either may be missing. It is the same as long as those that the tickets are paired with do not wait, as when a
// pairing becomes final and when its tickets are deleted.
func (l *Lobby) changesQueue(before, p ticket) bool {
	if before.waits() && p.waits() {
		return !l.isFresh(before) || !p.isRenewalOf(before)
	}
	return before.waits() || p.waits() || l.tickets[keyOf(before.Other.ID)].waits() || l.tickets[keyOf(p.Other.ID)].waits()
}

// waiting returns the tickets of the queue, oldest first, without those that are paired or about to be.
func (l *Lobby) waiting() []ticket {
	var queue []ticket
	asked := make(map[match.PlayerID]bool)
	for _, p := range l.tickets {
		switch {
		case !l.isFresh(p):
		case p.Match != "":
			asked[p.Other.ID] = true
		default:
			queue = append(queue, p)
		}
	}
	queue = slices.DeleteFunc(queue, func(p ticket) bool { return asked[p.Player.ID] })
	slices.SortFunc(queue, func(a, b ticket) int { return cmp.Compare(a.Ticket, b.Ticket) })
	return queue
}

// maxTickets is how many players of one address may be paired in a queue at a time. The others come last, so that one
// address cannot fill the queue.
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

// Waiter is a player who waits for an opponent.
type Waiter struct {
	Name    string
	Accepts []match.Terms // the preferred ones first; not to be modified
}

// Waiting is who waits for an opponent, on all nodes, but for programs that wait for their own kind.
type Waiting struct {
	Count int
	First []Waiter // who have waited longest, at most [MaxWaiters]
}

// Equal reports whether two values say the same.
func (w Waiting) Equal(other Waiting) bool {
	return w.Count == other.Count && equalWaiters(w.First, other.First)
}

// MaxWaiters is how many players who wait are told by name.
const MaxWaiters = 4

// maxCompared is how many tickets are looked at for those that a seek is told of.
const maxCompared = 64

// inSight returns a queue without the tickets of programs in the pool of their own, which people cannot join.
func inSight(queue []ticket) []ticket {
	return slices.DeleteFunc(slices.Clone(queue), ticket.isOfBots)
}

// tellSeeks sends each seek of this node how many wait, and who of them only for terms that its player does not accept.
// The work is done once for all seeks that accept the same terms, as every change of a long queue calls this.
func (l *Lobby) tellSeeks() {
	type news struct {
		accepts []match.Terms
		others  []Waiter
		waiting int
	}
	var shared []news
	visible := inSight(l.queue)
	for _, p := range l.queue {
		s := l.seekOf(p)
		if s == nil {
			continue
		}
		accepts := p.accepted()
		i := slices.IndexFunc(shared, func(n news) bool { return slices.Equal(n.accepts, accepts) })
		if i < 0 {
			i = len(shared)
			if p.isOfBots() {
				shared = append(shared, news{accepts, l.othersThan(accepts, l.queue), len(l.queue)})
			} else {
				shared = append(shared, news{accepts, l.othersThan(accepts, visible), len(visible)})
			}
		}
		n := shared[i]
		isNews := s.status.Waiting != n.waiting || !equalWaiters(s.status.Others, n.others)
		s.status.Accepts, s.status.Since, s.status.Waiting, s.status.Others = accepts, p.Since, n.waiting, n.others
		if isNews {
			s.box.Put(s.status)
		}
	}
}

// othersThan returns who of the first players of a queue accept none of the given terms, at most [MaxWaiters].
func (l *Lobby) othersThan(accepts []match.Terms, queue []ticket) (others []Waiter) {
	for _, p := range queue[:min(len(queue), maxCompared)] {
		if _, agreed := agree(accepts, p.accepted()); !agreed && len(others) < MaxWaiters {
			others = append(others, l.waiterOf(p))
		}
	}
	return others
}

func (l *Lobby) waiterOf(p ticket) Waiter { return Waiter{l.cfg.ShownName(p.Player), p.accepted()} }

func equalWaiters(a, b []Waiter) bool {
	return slices.EqualFunc(a, b, func(a, b Waiter) bool { return a.Name == b.Name && slices.Equal(a.Accepts, b.Accepts) })
}

// Waiting returns who waits for an opponent besides a player.
func (l *Lobby) Waiting(besides match.PlayerID) (w Waiting) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range inSight(l.queue) {
		if p.Player.ID == besides {
			continue
		}
		if w.Count++; w.Count <= MaxWaiters {
			w.First = append(w.First, l.waiterOf(p))
		}
	}
	return w
}

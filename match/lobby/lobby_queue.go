package lobby

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"notakto/match"
	"notakto/match/limit"
)

// OnEntry applies a change of the registry.
func (l *Lobby) OnEntry(n match.Entry) {
	if !isTicket(n) {
		return
	}
	p, err := parseTicket(n)
	newer := errors.Is(err, errNewerTicket)
	if n.Text != nil && err != nil && !newer {
		l.cfg.Log.Warn("an entry of the queue is invalid", "error", err)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if newer { // its own node renews it, and pairs its player
		delete(l.tickets, n.Key)
		return
	}
	before := l.tickets[n.Key]
	if n.Text == nil {
		delete(l.tickets, n.Key)
	} else {
		l.tickets[n.Key] = p
	}
	if n.Text != nil && !p.holds() && p.Node == l.cfg.Node && l.seekOf(p) == nil {
		l.spawn(func() { _ = l.delete(p) }) // it was stored after all, and its seek is over
	}
	if s := l.seeks[p.Player.ID]; s != nil {
		followTicket(l, s)
	}
	l.meetings.remember(p, l.cfg.Journal.Now())
	completePairing(l, p)
	l.tryPair(before.Terms)
	if p.Terms != before.Terms {
		l.tryPair(p.Terms)
	}
	tellElsewhere(l)
}

// waiting returns the tickets of a queue, the oldest first. A ticket that is paired, or about to be,
// waits no longer.
func (l *Lobby) waiting(terms match.Terms) []ticket {
	var queue []ticket
	asked := make(map[match.PlayerID]bool)
	for _, p := range l.tickets {
		switch {
		case p.Terms != terms || !l.isFresh(p):
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

// maxTickets is how many players of one address may be paired in a queue at a time. The others come after them, so
// that the address does not own the queue.
const maxTickets = 3

// firstOfAddresses returns the tickets of a queue without those that wait behind others of their networks.
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

// tryPair tells everyone of this node who waits for a variant how many they are, and has those who have waited longest
// paired: by the node of the first, so that no two nodes do the same.
func (l *Lobby) tryPair(terms match.Terms) {
	if match.CheckTerms(terms) != nil {
		return
	}
	queue := l.waiting(terms)
	for _, p := range queue {
		if s := l.seekOf(p); s != nil {
			s.status.Terms, s.status.Since = terms, p.Since
			if s.status.Waiting != len(queue) {
				s.status.Waiting = len(queue)
				s.box.Put(s.status)
			}
		}
	}
	first, second, found := nextPair(l, queue)
	if !found || l.draining {
		return
	}
	if s := l.seekOf(first); s != nil && s.state < seekPairing && !s.isCancelled {
		s.state = seekPairing
		l.spawn(func() { pair(l, s, first, second) })
	}
}

// Waiting is how many wait for a variant, on all nodes.
func (l *Lobby) Waiting(terms match.Terms) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.waiting(terms))
}

// Renew puts the tickets of this node again, so that the other nodes see that their players still wait, and looks at
// the queues anew: tickets of nodes that have failed have expired.
func (l *Lobby) Renew(ctx context.Context) {
	for _, p := range dueTickets(l) {
		if _, err := l.put(ctx, p); err != nil && !errors.Is(err, match.ErrConflict) {
			return // the registry will not have the others either
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	queues := make(map[match.Terms]bool)
	for key, p := range l.tickets {
		queues[p.Terms] = true
		if l.age(p) > 2*match.EntryTTL && l.seeks[p.Player.ID] == nil {
			delete(l.tickets, key)
		}
	}
	for terms := range queues {
		l.tryPair(terms)
	}
	l.meetings.forget(l.cfg.Journal.Now())
}

// dueTickets are the tickets that have to be renewed. One whose entry has vanished is put again as it was, and a claim
// that came to nothing is taken back.
func dueTickets(l *Lobby) []ticket {
	l.mu.Lock()
	defer l.mu.Unlock()
	var due []ticket
	for id, s := range l.seeks {
		p := l.tickets[keyOf(id)]
		age, idle := l.age(p), p.Claims && s.state < seekPairing
		if l.seekOf(p) != s || s.isCancelled || age < match.EntryTTL/3 && !idle {
			continue
		}
		if idle {
			p = p.free()
		}
		if age > match.EntryTTL {
			p.entry.Revision = 0
		}
		due = append(due, p)
	}
	slices.SortFunc(due, func(a, b ticket) int { return cmp.Compare(a.Ticket, b.Ticket) })
	return due
}

// Elsewhere returns the terms for which the most wait on all nodes, besides one, and how many do.
func (l *Lobby) Elsewhere(besides match.Terms) (match.Terms, int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return busiest(countWaiting(l), besides)
}

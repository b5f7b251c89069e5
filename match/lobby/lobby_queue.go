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
	if newer { // its own node renews it, and pairs its player with tickets that it can read
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
		l.spawn(func() { _ = l.delete(p) }) // put although its seek has ended
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

// waiting returns the tickets of a queue, oldest first, without those that are paired or about to be.
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

// tryPair sends every seek of this node for a variant the size of its queue, and pairs the oldest two tickets if the
// first is of this node. So no two nodes make the same pairing.
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

// Waiting returns how many wait for a variant, on all nodes.
func (l *Lobby) Waiting(terms match.Terms) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.waiting(terms))
}

// Renew puts the tickets of this node again, so that they do not expire, and checks the queues again: tickets of failed
// nodes may have expired.
func (l *Lobby) Renew(ctx context.Context) {
	for _, p := range dueTickets(l) {
		if _, err := l.put(ctx, p); err != nil && !errors.Is(err, match.ErrConflict) {
			return // the registry is not likely to accept the others
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

// dueTickets returns the tickets to renew. One whose entry has vanished is put again without changes; a pairing that
// failed is released.
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

// Elsewhere returns the terms, other than besides, for which the most wait on all nodes, and how many do.
func (l *Lobby) Elsewhere(besides match.Terms) (match.Terms, int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return busiest(countWaiting(l), besides)
}

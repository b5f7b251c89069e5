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
		l.cfg.Log.Warn("an entry of the queue is invalid", "event", "queue-entry-invalid", "error", err)
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
		l.followTicket(s)
	}
	l.meetings.remember(p, l.cfg.Journal.Now())
	l.completePairing(p)
	if l.changesQueue(before, p) {
		l.update()
	}
}

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

// update tells the seeks of this node how the queue stands, and pairs tickets of which the older one is of this node.
// So no two nodes make the same pairing.
func (l *Lobby) update() {
	l.queue = l.waiting()
	l.tellSeeks()
	if l.draining {
		return
	}
	for _, next := range l.nextPairs(l.queue) {
		if s := l.seekOf(next.first); s != nil && s.state < seekPairing && !s.isCancelled {
			s.state = seekPairing
			drawn := l.cfg.Opener.Draw() // here, so that a seed repeats it
			l.spawn(func() { l.pair(s, next, drawn) })
		}
	}
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

// isOfBots reports whether the ticket is for rated pairs of programs only.
func (p ticket) isOfBots() bool {
	return !slices.ContainsFunc(p.accepted(), func(t match.Terms) bool { return t.Pool != match.BotPool })
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

// Renew puts the tickets of this node again, so that they do not expire, and checks the queue again: tickets of failed
// nodes may have expired.
func (l *Lobby) Renew(ctx context.Context) {
	for _, p := range l.dueTickets() {
		if _, err := l.put(ctx, p); err != nil && !errors.Is(err, match.ErrConflict) {
			return // the registry is not likely to accept the others
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, p := range l.tickets {
		if l.age(p) > 2*match.EntryTTL && l.seeks[p.Player.ID] == nil {
			delete(l.tickets, key)
		}
	}
	l.update()
	l.meetings.forget(l.cfg.Journal.Now())
}

// dueTickets returns the tickets to renew. One whose entry has vanished is put again without changes; a pairing that
// failed is released.
func (l *Lobby) dueTickets() []ticket {
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

package lobby

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"notakto/match"
	"notakto/match/limit"
	"notakto/rules"
)

// ticketKey is the key prefix of tickets in the registry. The player's ID follows: a player has one ticket at most.
const ticketKey = "seek."

// ticketVersion is the version of the tickets that this program writes, and the highest that it reads and rewrites.
// Tickets without a version are of version 1. Older nodes leave those of later versions alone: of version 2 are those
// with a clock, or of a player who accepts several terms; of version 3 those of a player who accepts rated terms.
const ticketVersion = 3

// errNewerTicket says that a newer version of the program wrote a ticket. It may have fields that a rewrite would drop.
var errNewerTicket = errors.New("it was written by a newer version of the program")

// ticket is a seek as stored in the registry, in JSON.
type ticket struct {
	Version     int           `json:"version"`
	Player      match.Player  `json:"player"`
	match.Terms               // of the match that the player is paired in, else the preferred ones
	Accepts     []match.Terms `json:"accepts,omitempty"` // if there are several: the preferred ones first
	Node        match.Node    `json:"node"`              // the player's node
	Seek        uint64        `json:"seek"`              // the number of the seek on that node
	Since       time.Time     `json:"since,omitzero"`    // when the ticket was first put
	Ticket      uint64        `json:"ticket,omitempty"`  // the order of the tickets
	promise
	From []string `json:"from,omitempty"` // the player's networks, smallest first

	entry match.Entry
}

// promise is the match that a player is paired in, if any.
type promise struct {
	Match  match.ID     `json:"match,omitempty"`
	Seed   string       `json:"seed,omitempty"` // of the openings, if the match is rated; see [match.PairGame]
	Side   rules.Side   `json:"side,omitempty"`
	Claims bool         `json:"claims,omitempty"` // by the player's own node: final once the other ticket names the match
	Other  match.Player `json:"other,omitzero"`   // the opponent
	Away   match.Node   `json:"away,omitempty"`   // the opponent's node
}

func keyOf(p match.PlayerID) string {
	sum := sha256.Sum256([]byte(p))
	return ticketKey + hex.EncodeToString(sum[:16])
}

// text returns the text of the ticket's entry.
func (t ticket) text() []byte {
	switch {
	case t.isRated():
		t.Version = ticketVersion
	case len(t.Accepts) > 0 || !t.Clock.IsNone():
		t.Version = 2
	default:
		t.Version = 1 // which all nodes pair
	}
	text, err := json.Marshal(t)
	if err != nil {
		panic(err) // no field can fail to encode
	}
	return text
}

// isRated reports whether the player accepts rated terms.
func (t ticket) isRated() bool {
	return slices.ContainsFunc(t.accepted(), func(terms match.Terms) bool { return terms.Pool.IsRated() })
}

// parseTicket decodes an entry. A new ticket gets its time and its order from the entry.
func parseTicket(n match.Entry) (ticket, error) {
	p := ticket{entry: n}
	err := json.Unmarshal(n.Text, &p)
	if p.Version > ticketVersion {
		err = errNewerTicket
	}
	if err != nil {
		return ticket{}, fmt.Errorf("the entry %q: %w", n.Key, err)
	}
	isDrawn := p.Match == "" || !p.Pool.IsRated() || p.Seed != ""
	if !isDrawn || p.Player.ID == "" || match.CheckTerms(p.Terms) != nil || checkAccepted(p.accepted()) != nil ||
		keyOf(p.Player.ID) != n.Key {
		return ticket{}, fmt.Errorf("the entry %q is no place in a queue", n.Key)
	}
	if p.Ticket == 0 {
		p.Since, p.Ticket = n.At, n.Revision
	}
	return p, nil
}

// accepting returns p with its acceptable terms, of which there is at least one.
func (t ticket) accepting(terms []match.Terms) ticket {
	t.Terms, t.Accepts = terms[0], nil
	if len(terms) > 1 {
		t.Accepts = terms
	}
	return t
}

// accepted returns the terms that the player accepts, the preferred ones first.
func (t ticket) accepted() []match.Terms {
	if len(t.Accepts) == 0 {
		return []match.Terms{t.Terms}
	}
	return t.Accepts
}

// checkAccepted returns an error unless a player may seek an opponent for these terms.
func checkAccepted(accepted []match.Terms) error {
	if len(accepted) == 0 || len(accepted) > match.MaxAccepted {
		return rules.ErrBadVariant
	}
	for _, terms := range accepted {
		if err := match.CheckTerms(terms); err != nil {
			return err
		}
	}
	return nil
}

// agree returns the terms that two players play who seek an opponent: of those that both accept, the ones whose places
// in the two orders of preference have the lowest sum, and of several such the ones that the first player prefers. No
// terms are agreed if they have none in common.
func agree(first, second []match.Terms) (agreed match.Terms, found bool) {
	lowest := len(first) + len(second)
	for i, terms := range first {
		if j := slices.Index(second, terms); j >= 0 && i+j < lowest {
			agreed, found, lowest = terms, true, i+j
		}
	}
	return agreed, found
}

// promised returns p with a pairing: the drawn match on the agreed terms, p on side, against other.
func (t ticket) promised(drawn Drawn, agreed match.Terms, side rules.Side, other ticket) ticket {
	t.Terms = agreed
	t.promise = promise{Match: drawn.ID, Side: side, Claims: t.Claims, Other: other.Player, Away: other.Node}
	if agreed.Pool.IsRated() {
		t.Seed = drawn.Seed
	}
	return t
}

// free returns p without a pairing.
func (t ticket) free() ticket {
	t.promise = promise{}
	return t.accepting(t.accepted())
}

// waits reports whether p is a ticket without a pairing.
func (t ticket) waits() bool { return t.Player.ID != "" && t.Match == "" }

// holds reports whether p's pairing is final.
func (t ticket) holds() bool { return t.Match != "" && !t.Claims }

// isRenewalOf reports whether p is the same ticket as another, put again so that it does not expire.
func (t ticket) isRenewalOf(other ticket) bool {
	return t.Player.ID == other.Player.ID && t.Node == other.Node && t.Seek == other.Seek && t.Ticket == other.Ticket &&
		t.Match == other.Match && t.Claims == other.Claims && slices.Equal(t.accepted(), other.accepted())
}

func isTicket(n match.Entry) bool { return strings.HasPrefix(n.Key, ticketKey) }

// opening returns the match that the ticket is paired in, but for the opening position of a rated one, which takes time
// to draw.
func (t ticket) opening() match.Opening {
	o := match.Opening{
		Terms: t.Terms, Origin: match.QueueOrigin,
		Players: match.OnSide(t.Side, t.Player, t.Other), Nodes: [2]match.Node{t.Node, t.Away},
	}
	if t.Side == rules.Second {
		o.Nodes = [2]match.Node{t.Away, t.Node}
	}
	return o
}

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
func (t ticket) isOfBots() bool {
	return !slices.ContainsFunc(t.accepted(), func(terms match.Terms) bool { return terms.Pool != match.BotPool })
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

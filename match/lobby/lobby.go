package lobby

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"notakto/match"
	"notakto/match/stats"
	"notakto/rules"
)

// Lobby pairs players. Its queue holds one ticket for each waiting player, from all nodes, the oldest first. Two
// players can be paired if their tickets accept some of the same terms. Methods are safe for concurrent use.
type Lobby struct {
	Stats *Stats // for monitors

	cfg  Config
	ctx  context.Context
	work sync.WaitGroup // goroutines that pair players, cancel seeks and delete tickets

	mu       sync.Mutex
	queue    queue
	seeks    map[match.PlayerID]*Seek // of players of this node
	taken    uint64                   // number of seeks so far
	meetings meetings
	draining bool
	closed   bool
}

// Config configures a [Lobby].
type Config struct {
	Opener         Opener
	Store          match.Store
	Log            *slog.Logger
	JournalTimeout time.Duration                 // limit for one change of the registry
	Networks       func(match.PlayerID) []string // as in the manager's configuration
	Node           match.Node                    // the lobby's node
	// ShownName returns the name under which others see a waiting player. Default: the player's name. The lobby holds
	// its lock while it calls ShownName.
	ShownName func(match.Player) string
}

// Opener opens the matches of paired players. Its methods are safe for concurrent use. All but Admit and Open are
// called with the lobby's lock held.
type Opener interface {
	// Admit returns an error if a player may not have another match on the given terms.
	Admit(p match.Player, accepts []match.Terms) error
	// PlaysRated reports whether a player is in a rated pair, and may not be paired for another one.
	PlaysRated(p match.PlayerID) bool
	// IsOver reports whether a match is known to be over.
	IsOver(id match.ID) bool
	// TakeSpoiled returns the matches that have ended since the last call because a player did not move in time, or
	// resigned within the first moves.
	TakeSpoiled() []*match.State
	// Draw returns what is left to chance in a new match.
	Draw() Drawn
	// Open opens a match and puts the tickets of its players, all or nothing. [match.ErrConflict] says that a ticket has
	// changed. After any other error the outcome is unknown.
	Open(ctx context.Context, id match.ID, o match.Opening, tickets ...match.Entry) error
}

// Drawn holds the random parts of a new match.
type Drawn struct {
	ID   match.ID
	Side rules.Side // of the player of the pair's first ticket
	Seed string     // of the openings of a rated pair
}

// retryAfter is the delay before a failed call of the journal or the registry is repeated.
const retryAfter = time.Second

// errPanicked is the result of a pairing whose goroutine panicked.
var errPanicked = errors.New("the pairing broke off")

// New returns the lobby of a node. Its work ends with ctx.
func New(ctx context.Context, cfg Config) *Lobby {
	if cfg.ShownName == nil {
		cfg.ShownName = func(p match.Player) string { return p.Name }
	}
	waits := func() *stats.Histogram {
		return stats.NewHistogram(time.Second, 2*time.Second, 5*time.Second, 10*time.Second, 30*time.Second, time.Minute,
			2*time.Minute, 5*time.Minute, 10*time.Minute)
	}
	return &Lobby{
		Stats: &Stats{Paired: waits(), Cancelled: waits(), Moved: waits(), Lost: waits()},
		cfg:   cfg, ctx: ctx,
		queue: queue{now: cfg.Store.Now, tickets: make(map[string]ticket)}, seeks: make(map[match.PlayerID]*Seek),
		meetings: newMeetings(),
	}
}

// HasSeek reports whether p waits for an opponent on this node.
func (l *Lobby) HasSeek(p match.PlayerID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.seeks[p] != nil
}

// SetCutOff tells all seeks of this node whether the node is cut off.
func (l *Lobby) SetCutOff(is bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.seeks {
		isNews := s.status.CutOff != is
		if s.status.CutOff = is; isNews && s.state == seekWaiting {
			s.box.Put(s.status)
		}
	}
}

// Drain cancels the seeks of this node and refuses new ones.
func (l *Lobby) Drain() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.draining = true
	for _, s := range l.seeks {
		l.spawn(s.cancel)
	}
}

// Resume accepts seeks again.
func (l *Lobby) Resume() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.draining = false
}

// OnEntry applies a change of the registry.
func (l *Lobby) OnEntry(n match.Entry) {
	if !strings.HasPrefix(n.Key, ticketKey) {
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
	if newer { // the ticket's own node renews and pairs it
		l.queue.replace(n.Key, ticket{})
		return
	}
	before := l.queue.replace(n.Key, p)
	l.meetings.remember(p, l.cfg.Store.Now())
	if s := l.seeks[p.Player.ID]; s != nil {
		s.follow(p)
	}
	l.deleteLeftover(p)
	if l.queue.isChangedBy(before, p) {
		l.update()
	}
}

// deleteLeftover deletes a ticket of this node whose seek is over. The ticket was paired, or was put after its
// seek had ended. If the deletion fails, Renew tries again. The caller holds the lock.
func (l *Lobby) deleteLeftover(p ticket) {
	if l.isLeftover(p) {
		l.spawn(func() { _ = l.delete(p) })
	}
}

func (l *Lobby) isLeftover(p ticket) bool { return p.Node == l.cfg.Node && l.seekOf(p) == nil }

// Renew puts the tickets of this node again before they expire. It also checks the queue again, because tickets of
// failed nodes may have expired.
func (l *Lobby) Renew(ctx context.Context) {
	for _, p := range l.dueTickets() {
		if err := l.renewTicket(ctx, p); err != nil && !errors.Is(err, match.ErrConflict) {
			return // the registry is not likely to accept the others
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, p := range l.queue.tickets {
		if age := l.queue.age(p); age <= match.EntryTTL {
			l.deleteLeftover(p)
		} else if age > 2*match.EntryTTL && l.seeks[p.Player.ID] == nil {
			l.queue.replace(key, ticket{})
		}
	}
	l.update()
	l.meetings.forget(l.cfg.Store.Now())
}

// renewTicket puts a ticket again, unless its seek was cancelled or has ended since dueTickets. Seek.cancel waits
// for the put.
func (l *Lobby) renewTicket(ctx context.Context, p ticket) error {
	l.mu.Lock()
	s := l.seekOf(p)
	if s == nil || s.isCancelled {
		l.mu.Unlock()
		return nil
	}
	renewed := make(chan struct{})
	defer close(renewed)
	s.renewed, s.renewedAt = renewed, l.cfg.Store.Now()
	l.mu.Unlock()
	_, err := l.cfg.Store.Put(ctx, p.toPut())
	return err
}

// Close waits until all goroutines of the lobby have ended. The manager has cancelled their context.
func (l *Lobby) Close() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.work.Wait()
}

// update reports the queue to the seeks of this node, and starts the pairings whose first ticket is of this node.
// Since each ticket has one node, no two nodes start the same pairing. The caller holds the lock.
func (l *Lobby) update() {
	l.queue.sort()
	l.takeSpoiled()
	l.tellSeeks()
	if l.draining {
		return
	}
	for _, next := range l.nextPairs(l.queue.waiting) {
		if s := l.seekOf(next.first); s != nil && !s.isPairing {
			s.isPairing = true
			drawn := l.cfg.Opener.Draw() // not in the goroutine, so that a seed of the random source repeats the draw
			l.spawn(func() { l.pair(s, next, drawn) })
		}
	}
}

// pair opens the match of next, whose first ticket is that of s. The store writes the match into both tickets, which
// tells the nodes of both players: see [Seek.follow]. If a player leaves or moves to another node first, nothing is
// opened.
func (l *Lobby) pair(s *Seek, next pairOfTickets, drawn Drawn) {
	first, second := next.first, next.second
	err := errPanicked
	match.RecoverPanic(l.cfg.Log, "pairing", func() {
		o := match.Opening{
			Terms: next.terms, Origin: match.QueueOrigin, Nodes: [2]match.Node{first.Node, second.Node},
			Players: match.OnSide(drawn.Side, first.Player, second.Player),
		}
		if drawn.Side == rules.Second {
			slices.Reverse(o.Nodes[:])
		}
		if o.Pool.IsRated() {
			o.Pair = match.FirstGame(drawn.Seed)
		}
		err = l.cfg.Opener.Open(l.ctx, drawn.ID, o, first.toPutPaired(drawn.ID, second), second.toPutPaired(drawn.ID, first))
	})
	switch {
	case err == nil:
	case errors.Is(err, match.ErrConflict):
		l.pauseUnless(first)
		l.pauseUnless(second)
	default:
		if !errors.Is(err, match.ErrDraining) && l.ctx.Err() == nil {
			l.cfg.Log.Warn("two who wait could not be paired", "event", "pairing-failed", "one",
				string(first.Player.ID), "other", string(second.Player.ID), "error", err)
		}
		l.pause()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.isPairing = false; err != nil {
		l.update()
	}
}

// takeSpoiled records the matches that a player has spoiled since the last call. The caller holds the lock.
func (l *Lobby) takeSpoiled() {
	for _, s := range l.cfg.Opener.TakeSpoiled() {
		l.meetings.recordSpoiled(s)
	}
}

// dueTickets returns the tickets to renew, the oldest first. An expired ticket gets revision 0, to be put as a new
// entry.
func (l *Lobby) dueTickets() (due []ticket) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, s := range l.seeks {
		p := l.queue.ticket(id)
		age := l.queue.age(p)
		if l.seekOf(p) != s || s.isCancelled || age < match.EntryTTL/3 {
			continue
		}
		if age > match.EntryTTL {
			p.entry.Revision = 0
		}
		due = append(due, p)
	}
	slices.SortFunc(due, func(a, b ticket) int { return cmp.Compare(a.Ticket, b.Ticket) })
	return due
}

// seekOf returns this node's seek of a ticket. It returns nil for a ticket of another node, and for one whose seek has
// ended but which the registry still holds.
func (l *Lobby) seekOf(p ticket) *Seek {
	if s := l.seeks[p.Player.ID]; s != nil && p.Node == l.cfg.Node && p.Seek == s.number {
		return s
	}
	return nil
}

// spawn starts a goroutine of the lobby, which may not be closed. The caller holds the lock.
func (l *Lobby) spawn(do func()) {
	l.work.Go(func() { match.RecoverPanic(l.cfg.Log, "the queue", do) })
}

// delete removes a ticket.
func (l *Lobby) delete(p ticket) error {
	ctx, cancel := context.WithTimeout(l.ctx, l.cfg.JournalTimeout)
	defer cancel()
	return l.cfg.Store.Delete(ctx, p.entry)
}

// pauseUnless pauses unless the registry has already delivered a change of the ticket.
func (l *Lobby) pauseUnless(p ticket) {
	l.mu.Lock()
	isChanged := l.queue.tickets[p.entry.Key].entry.Revision != p.entry.Revision
	l.mu.Unlock()
	if !isChanged {
		l.pause()
	}
}

// pause waits before a failed call is repeated.
func (l *Lobby) pause() { _ = match.Sleep(l.ctx, retryAfter) }

// Stats counts the seeks of this node for monitors.
type Stats struct {
	Waiting atomic.Int64 // players

	// How long players waited, by what ended the wait: an opponent, the player, a move to another node, or anything
	// else.
	Paired, Cancelled, Moved, Lost *stats.Histogram
}

// ended counts the end of a seek.
func (s *Stats) ended(seek *Seek) {
	s.Waiting.Add(-1)
	waits := s.Lost
	switch {
	case seek.status.Match != "":
		waits = s.Paired
	case seek.status.Moved:
		waits = s.Moved
	case seek.isCancelled:
		waits = s.Cancelled
	}
	waits.Observe(time.Since(seek.begunAt))
}

package lobby

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"notakto/match"
	"notakto/match/limit"
	"notakto/match/stats"
	"notakto/rules"
)

// Lobby pairs players. Lobby holds at most one ticket of a player, even if the player seeks at several nodes. Two
// tickets with common terms can be paired, unless a separation keeps their players apart (see [Waiter.ApartUntil]).
// Methods are safe for concurrent use.
type Lobby struct {
	Stats *Stats

	cfg  Config
	ctx  context.Context
	work sync.WaitGroup // pairings, cancellations of seeks and deletions of tickets

	mu        sync.Mutex
	queue     queue
	seeks     map[match.PlayerID]*Seek // of this node
	seekCount uint64
	guests    limit.Seats // waiting guests of this node
	meetings  meetings
	looks     *rate.Limiter // tickets that calls of tellAndPair may look at
	fullLooks *rate.Limiter // tickets that calls of tellAndPair look at for the whole queue
	isDue     bool          // a goroutine is about to call tellAndPair
	draining  bool
	closed    bool
}

// Config configures a [Lobby].
type Config struct {
	Opener         Opener
	Store          match.Store
	Log            *slog.Logger
	JournalTimeout time.Duration // for one change of the registry
	Node           match.Node
	// Networks returns the networks of a player's addresses, the smallest first. Networks must not block.
	Networks func(match.PlayerID) []string
	// MaxGuests limits the waiting guests of an address on this node. Zero stands for no limit. A larger network has
	// [limit.NetworkFactor] times the limit of the next smaller one.
	MaxGuests int
	// OnLimit is told of a player that MaxGuests keeps out. OnLimit must not block.
	OnLimit func(match.PlayerID, error)
	// Blocks reports whether a player has blocked another one. The lobby neither pairs the two nor shows them to each
	// other, and calls Blocks with its lock held. By default no player is blocked.
	Blocks func(by, other match.PlayerID) bool
	// IsProgram reports whether the account of a player is that of a program. IsProgram must not block. By default no
	// account is.
	IsProgram func(match.PlayerID) bool
	// ShownName returns the name under which others see a waiting player. The default is the player's name. The lobby
	// calls ShownName with its lock held.
	ShownName func(match.Player) string
}

// Opener opens the matches of paired players. Its methods are safe for concurrent use. The lobby calls them with its
// lock held, except Admit and Open.
type Opener interface {
	// Admit returns an error if a player may not have another match on the given terms.
	Admit(p match.Player, accepts []match.Terms) error
	// ChargeCancelled counts a seek that its player cancels, for Admit.
	ChargeCancelled(p match.PlayerID)
	// PlaysRated reports whether a player has an unfinished rated pair of games without a clock of days. The lobby does
	// not pair a rated ticket of such a player.
	PlaysRated(p match.PlayerID) bool
	// IsOver reports whether a match is known to be over.
	IsOver(id match.ID) bool
	// TakeSpoiled returns the matches that a player has spoiled since the last call. The player resigned or stayed away
	// within the first moves, or was late. Being late counts at a first move, and at any move of a match without a clock.
	TakeSpoiled() []*match.State
	// Draw draws the random parts of a new match.
	Draw() Drawn
	// Open opens a match and puts the tickets of its players, all in one transaction. [match.ErrConflict] says that a
	// ticket has changed. After any other error the outcome is unknown.
	Open(ctx context.Context, id match.ID, o match.Opening, tickets ...match.Entry) error
}

// Drawn holds the random parts of a new match.
type Drawn struct {
	ID   match.ID
	Side rules.Side // of the player of pairOfTickets.first
	Seed string     // for match.FirstGame, of a rated pair of games
}

// retryAfter is the delay before a failed call of the journal or the registry is repeated.
const retryAfter = time.Second

const (
	// lookRate limits the tickets that calls of tellAndPair may look at in a second. In a short queue, a newcomer meets an
	// opponent at once.
	lookRate = 5000
	// fullLookRate limits the tickets in a second that tellAndPair looks at because it goes through the whole queue and
	// tells all waiting players. A thousand waiting players are told of changes once a second.
	fullLookRate = 1000
	// longestLook limits the tickets that count for one call. In a long queue that changes without end, players meet
	// within a tenth of a second.
	longestLook = lookRate / 10
)

var errPanicked = errors.New("the pairing panicked")

// New returns the lobby of a node. Its work ends with ctx.
func New(ctx context.Context, cfg Config) *Lobby {
	if cfg.ShownName == nil {
		cfg.ShownName = func(p match.Player) string { return p.Name }
	}
	if cfg.Blocks == nil {
		cfg.Blocks = func(match.PlayerID, match.PlayerID) bool { return false }
	}
	if cfg.IsProgram == nil {
		cfg.IsProgram = func(match.PlayerID) bool { return false }
	}
	if cfg.Networks == nil {
		cfg.Networks = func(match.PlayerID) []string { return nil }
	}
	if cfg.MaxGuests == 0 {
		cfg.MaxGuests = math.MaxInt32
	}
	if cfg.OnLimit == nil {
		cfg.OnLimit = func(match.PlayerID, error) {}
	}
	newHistogram := func() *stats.Histogram {
		return stats.NewHistogram(time.Second, 2*time.Second, 5*time.Second, 10*time.Second, 30*time.Second, time.Minute,
			2*time.Minute, 5*time.Minute, 10*time.Minute)
	}
	return &Lobby{
		Stats: &Stats{Paired: newHistogram(), Cancelled: newHistogram(), Moved: newHistogram(), Lost: newHistogram()},
		cfg:   cfg, ctx: ctx,
		queue: newQueue(cfg.Store.Now), seeks: make(map[match.PlayerID]*Seek),
		guests:    limit.NewSeats(cfg.MaxGuests, cfg.Networks),
		meetings:  newMeetings(cfg.Blocks),
		looks:     rate.NewLimiter(lookRate, lookRate),
		fullLooks: rate.NewLimiter(fullLookRate, lookRate),
	}
}

// HasSeek reports whether p waits for an opponent on this node.
func (l *Lobby) HasSeek(p match.PlayerID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.seeks[p] != nil
}

// SetCutOff sets SeekStatus.CutOff of the seeks of this node. The manager passes true while this node cannot record
// events.
func (l *Lobby) SetCutOff(cutOff bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.seeks {
		isChanged := s.status.CutOff != cutOff
		if s.status.CutOff = cutOff; isChanged && s.state == seekWaiting {
			s.mailbox.Put(s.status)
		}
	}
}

// Drain cancels the seeks of this node and refuses new ones. A second call is harmless, also while seeks are being
// cancelled.
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
func (l *Lobby) OnEntry(e match.Entry) {
	if !strings.HasPrefix(e.Key, ticketKeyPrefix) {
		return
	}
	t, err := parseTicket(e)
	isNewer := errors.Is(err, errNewerTicket) // the ticket's own node renews and pairs it
	if e.Text != nil && err != nil && !isNewer {
		l.cfg.Log.Warn("an entry of the queue is invalid", "event", "queue-entry-invalid", "error", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	isChanged := l.queue.replace(e.Key, t) // after an error t is zero, and replace drops the overwritten ticket
	l.meetings.remember(t, l.cfg.Store.Now())
	if s := l.seeks[t.Player.ID]; s != nil {
		s.follow(t)
	}
	l.deleteLeftover(t)
	if isChanged {
		l.onQueueChange()
	}
}

// onQueueChange calls tellAndPair, at once or in a goroutine as soon as lookRate allows. One call covers all changes
// until then, because the registry delivers entries and must not wait for a call of tellAndPair for each. The caller
// holds the lock.
func (l *Lobby) onQueueChange() {
	if l.isDue {
		return
	}
	wait := l.looks.ReserveN(time.Now(), min(1+len(l.queue.tickets), longestLook)).Delay()
	if wait == 0 {
		l.tellAndPair()
		return
	}
	l.isDue = l.spawn(func() {
		if match.Sleep(l.ctx, wait) != nil {
			return
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		l.isDue = false
		l.tellAndPair()
	})
}

// deleteLeftover deletes t if t is of this node and has no seek. Either a match was opened for t, or the registry
// stored t after the end of the seek. If the deletion fails, Renew tries again. The caller holds the lock.
func (l *Lobby) deleteLeftover(t ticket) {
	if l.isLeftover(t) {
		l.spawn(func() { _ = l.deleteTicket(t) })
	}
}

func (l *Lobby) isLeftover(t ticket) bool { return t.Node == l.cfg.Node && l.seekOf(t) == nil }

// Renew puts the tickets of this node again before they expire. The interval between two calls must be shorter than
// two thirds of [match.EntryTTL]. Renew also updates the queue, because tickets of failed nodes may have expired.
func (l *Lobby) Renew(ctx context.Context) {
	for _, t := range l.dueTickets() {
		if err := l.renewTicket(ctx, t); err != nil && !errors.Is(err, match.ErrConflict) {
			return // the registry accepted t before, and is now unavailable for all tickets
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, t := range l.queue.tickets {
		if age := l.queue.age(t); age <= match.EntryTTL {
			l.deleteLeftover(t)
		} else if age > 2*match.EntryTTL && l.seeks[t.Player.ID] == nil {
			l.queue.replace(key, ticket{})
		}
	}
	l.onQueueChange()
	l.meetings.dropExpired(l.cfg.Store.Now())
}

// renewTicket puts t again, unless its seek has ended or been cancelled since dueTickets. Seek.cancel waits for the
// put.
func (l *Lobby) renewTicket(ctx context.Context, t ticket) error {
	l.mu.Lock()
	s := l.seekOf(t)
	if s == nil || s.isCancelled {
		l.mu.Unlock()
		return nil
	}
	renewed := make(chan struct{})
	defer close(renewed)
	s.renewalDone, s.renewalBegunAt = renewed, l.cfg.Store.Now()
	l.mu.Unlock()
	_, err := l.cfg.Store.Put(ctx, t.toPut())
	return err
}

// Close waits until all goroutines of the lobby have ended. The caller has cancelled their context.
func (l *Lobby) Close() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.work.Wait()
}

// tellAndPair reports the queue to the seeks of this node, and starts each pairing that has its first ticket at this
// node. Only the node of the first ticket starts a pairing. Between two looks at the whole queue, tellAndPair looks at
// the tickets that a change can concern. Time also ends what keeps two players apart, and Renew sees to that. The
// caller holds the lock.
func (l *Lobby) tellAndPair() {
	l.takeSpoiled()
	isFull := l.fullLooks.AllowN(l.cfg.Store.Now(), min(len(l.queue.tickets), lookRate))
	if isFull {
		l.queue.refreshWaiting()
	}
	related := l.queue.takeRelated()
	if isFull {
		l.tellSeeks(l.queue.waiting)
	} else {
		l.tellSeeks(related)
	}
	if l.draining {
		return
	}
	for _, next := range l.nextPairs(related) {
		if s := l.seekOf(next.first); s != nil && !s.isPairing {
			s.isPairing = true
			drawn := l.cfg.Opener.Draw() // here and not in the goroutine, to let a seed of the random source repeat the draw
			l.spawn(func() { l.pair(s, next, drawn) })
		}
	}
}

// pair opens the match of next. s is the seek of the first ticket. The nodes of both players learn of the match from
// the tickets, see [Seek.follow]. If a player leaves or moves to another node first, no match is opened.
func (l *Lobby) pair(s *Seek, next pairOfTickets, drawn Drawn) {
	first, second := next.first, next.second
	err := errPanicked
	match.RecoverPanic(l.cfg.Log, "pairing", func() {
		o := match.Opening{
			Terms: next.terms, Origin: match.QueueOrigin, Nodes: [2]match.Node{first.Node, second.Node},
			Players: match.PlayersInOrder(drawn.Side, first.Player, second.Player),
		}
		if drawn.Side == rules.Second {
			slices.Reverse(o.Nodes[:])
		}
		if o.Pool.IsRated() {
			o.Pair = match.FirstGame(drawn.Seed)
			o.Pair.SameNetwork = limit.ShareNetwork(first.Networks, second.Networks)
		}
		err = l.cfg.Opener.Open(l.ctx, drawn.ID, o, first.toPutPaired(drawn.ID, second), second.toPutPaired(drawn.ID, first))
	})
	switch {
	case err == nil:
	case errors.Is(err, match.ErrConflict):
		l.pauseUnlessChanged(first.Player.ID, first)
		l.pauseUnlessChanged(second.Player.ID, second)
	default:
		if !errors.Is(err, match.ErrDraining) && l.ctx.Err() == nil {
			l.cfg.Log.Warn("two waiting players could not be paired", "event", "pairing-failed", "player",
				string(first.Player.ID), "opponent", string(second.Player.ID), "error", err)
		}
		l.pause()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.isPairing = false; err != nil {
		l.queue.touch(first.Accepts)
		l.queue.touch(second.Accepts)
		l.onQueueChange()
	}
}

func (l *Lobby) takeSpoiled() {
	for _, s := range l.cfg.Opener.TakeSpoiled() {
		l.meetings.recordSpoiled(s)
	}
}

// dueTickets returns the tickets to renew, the oldest first. An expired ticket gets revision 0 and is put as a new
// entry.
func (l *Lobby) dueTickets() (due []ticket) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, s := range l.seeks {
		t := l.queue.ticket(id)
		age := l.queue.age(t)
		if l.seekOf(t) != s || s.isCancelled || age < match.EntryTTL/3 {
			continue
		}
		if age > match.EntryTTL {
			t.entry.Revision = 0
		}
		due = append(due, t)
	}
	slices.SortFunc(due, func(a, b ticket) int { return cmp.Compare(a.Order, b.Order) })
	return due
}

// seekOf returns the seek of t, or nil if t is of another node or its seek has ended.
func (l *Lobby) seekOf(t ticket) *Seek {
	if s := l.seeks[t.Player.ID]; s != nil && t.Node == l.cfg.Node && t.SeekNumber == s.number {
		return s
	}
	return nil
}

// spawn starts a goroutine of the lobby. The result is false if the lobby is closed, because Close may have stopped
// waiting. The caller holds the lock.
func (l *Lobby) spawn(do func()) (isStarted bool) {
	if !l.closed {
		l.work.Go(func() { match.RecoverPanic(l.cfg.Log, "the queue", do) })
	}
	return !l.closed
}

func (l *Lobby) deleteTicket(t ticket) error {
	ctx, cancel := context.WithTimeout(l.ctx, l.cfg.JournalTimeout)
	defer cancel()
	return l.cfg.Store.Delete(ctx, t.entry)
}

// pauseUnlessChanged pauses unless the registry has already delivered a ticket of p other than seen. seen may be zero.
func (l *Lobby) pauseUnlessChanged(p match.PlayerID, seen ticket) {
	l.mu.Lock()
	isChanged := l.queue.ticket(p).entry.Revision != seen.entry.Revision
	l.mu.Unlock()
	if !isChanged {
		l.pause()
	}
}

func (l *Lobby) pause() { _ = match.Sleep(l.ctx, retryAfter) }

// Stats counts the seeks of this node for monitors.
type Stats struct {
	Waiting atomic.Int64 // players

	// Waiting times of ended seeks. Moved counts moves of the player to another node. Cancelled includes seeks that a
	// drain ended. Lost counts any other end without an opponent.
	Paired, Cancelled, Moved, Lost *stats.Histogram
}

func (s *Stats) countEnd(seek *Seek) {
	s.Waiting.Add(-1)
	histogram := s.Lost
	switch {
	case seek.status.Match != "":
		histogram = s.Paired
	case seek.status.Moved:
		histogram = s.Moved
	case seek.isCancelled:
		histogram = s.Cancelled
	}
	histogram.Observe(time.Since(seek.begunAt))
}

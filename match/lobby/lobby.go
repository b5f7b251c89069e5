package lobby

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"notakto/match"
	"notakto/rules"
)

// Lobby is where players wait for an opponent: one queue for each variant over all nodes of the cluster, the longest
// waiting first, and one ticket for each identity over all queues. The tickets are entries of the registry, so every
// node sees the same queues. Its methods may be called from any goroutine.
type Lobby struct {
	cfg  Config
	ctx  context.Context
	work sync.WaitGroup // goroutines that pair players, open matches and cancel seeks

	mu       sync.Mutex
	tickets  map[string]ticket        // what the registry shows
	seeks    map[match.PlayerID]*Seek // that were taken from this node
	taken    uint64                   // how many have been
	meetings meetings
	draining bool
	closed   bool
}

// New is a lobby of a node, whose work ends with ctx.
func New(ctx context.Context, cfg Config) *Lobby {
	return &Lobby{cfg: cfg, ctx: ctx, tickets: make(map[string]ticket), seeks: make(map[match.PlayerID]*Seek), meetings: newMeetings()}
}

// retryAfter is how long the lobby waits after something that the journal or the registry refused.
const retryAfter = time.Second

// errPanicked is what becomes of a pairing whose goroutine panicked.
var errPanicked = errors.New("the pairing broke off")

// Config is what a lobby needs.
type Config struct {
	Opener         Opener
	Journal        match.Journal
	Registry       match.Registry
	Log            *slog.Logger
	JournalTimeout time.Duration                 // how long the registry may take for one change
	Networks       func(match.PlayerID) []string // as in the manager's configuration
	Node           match.Node                    // that the lobby is at
}

// Opener opens the matches of those who are paired. Its methods may be called from any goroutine, and under the lobby's
// lock but for OpenShared.
type Opener interface {
	// Admit refuses a player who may not have another match.
	Admit(p match.PlayerID) error
	// IsOver reports whether a match is known to be over.
	IsOver(id match.ID) bool
	// TakeSpoiled returns the matches that have ended since the last call because a player did not move in time, or
	// gave up with the first moves.
	TakeSpoiled() []*match.State
	// Draw returns the ID of a new match and the side of the first of two players.
	Draw() (match.ID, rules.Side)
	// OpenShared opens a match that other nodes may be opening too.
	OpenShared(ctx context.Context, id match.ID, o match.Opening) error
}

// HasSeek reports whether p waits for an opponent at this node.
func (l *Lobby) HasSeek(p match.PlayerID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.seeks[p] != nil
}

// lockAndSpawn is spawn for those who do not hold the lock. It does nothing once the lobby has closed, which ends every
// seek.
func (l *Lobby) lockAndSpawn(do func()) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed {
		l.spawn(do)
	}
	return !l.closed
}

// Close waits until nothing of the lobby runs any more. The manager's context has ended.
func (l *Lobby) Close() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.work.Wait()
}

// spawn runs a goroutine of the lobby's. The lock is held.
func (l *Lobby) spawn(do func()) {
	l.work.Go(func() { match.RecoverPanic(l.cfg.Log, "the queue", do) })
}

// put writes a ticket in the place of its entry, and returns the revision that it has now.
func (l *Lobby) put(ctx context.Context, p ticket) (uint64, error) {
	ctx, cancel := context.WithTimeout(ctx, l.cfg.JournalTimeout)
	defer cancel()
	entry, err := l.cfg.Registry.Put(ctx, match.Entry{Key: keyOf(p.Player.ID), Text: p.text(), Revision: p.entry.Revision})
	return entry.Revision, err
}

// delete deletes a ticket.
func (l *Lobby) delete(p ticket) error {
	ctx, cancel := context.WithTimeout(l.ctx, l.cfg.JournalTimeout)
	defer cancel()
	return l.cfg.Registry.Delete(ctx, p.entry)
}

// seekOf is the seek of this node that a ticket belongs to, or nil: the registry may still show a ticket of one that is
// over.
func (l *Lobby) seekOf(p ticket) *Seek {
	if s := l.seeks[p.Player.ID]; s != nil && p.Node == l.cfg.Node && p.Seek == s.number {
		return s
	}
	return nil
}

// isFresh reports whether the ticket's node still renews it.
func (l *Lobby) isFresh(p ticket) bool { return l.age(p) <= match.EntryTTL }

// age is the time since a ticket was taken or renewed.
func (l *Lobby) age(p ticket) time.Duration { return l.cfg.Journal.Now().Sub(p.entry.At) }

// endSeek closes a seek.
func endSeek(l *Lobby, s *Seek) {
	if s.state == seekOver {
		return
	}
	s.state = seekOver
	if l.seeks[s.player.ID] == s {
		delete(l.seeks, s.player.ID)
	}
	close(s.box)
}

// SetCutOff tells all who wait at this node that it is cut off, or no longer.
func (l *Lobby) SetCutOff(is bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.seeks {
		if s.status.CutOff = is; s.state >= seekWaiting {
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
		l.spawn(func() { cancelSeek(l, s) })
	}
}

// pauseUnless waits a moment for the registry to show what a change was refused for, unless it does already.
func (l *Lobby) pauseUnless(key string, revision uint64) {
	l.mu.Lock()
	seen := l.tickets[key].entry.Revision != revision
	l.mu.Unlock()
	if !seen {
		l.pause()
	}
}

// pause waits until what has failed may be tried again.
func (l *Lobby) pause() {
	timer := time.NewTimer(retryAfter)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-l.ctx.Done():
	}
}

package lobby

import (
	"context"
	"errors"
	"slices"
	"time"

	"notakto/match"
)

// cancelling is how long Cancel waits for the registry.
const cancelling = 500 * time.Millisecond

// Seek is a player's request for an opponent, made on this node. Its methods are safe for concurrent use.
type Seek struct {
	lobby   *Lobby
	player  match.Player
	number  uint64 // among the seeks of this node
	begunAt time.Time
	box     *match.Mailbox[SeekStatus]

	// under the lobby's lock
	status      SeekStatus
	state       seekState
	revision    uint64   // of the ticket when it was taken
	isCancelled bool     // by Cancel or a drain; without effect once a match was opened
	brokenOff   match.ID // a match that was not opened because the opponent had gone
}

// seekState is the progress of a seek. It only grows, except when a pairing fails.
type seekState uint8

const (
	seekEntering seekState = iota // the ticket is being put
	seekWaiting
	seekPairing // an opponent is being reserved
	seekOpening // the match is being opened
	seekOver    // cancelled, moved or paired
)

// SeekStatus is the status of a seek.
type SeekStatus struct {
	Accepts []match.Terms // the preferred ones first; not to be modified
	Since   time.Time
	Waiting int      // how many wait, on all nodes, this player included
	Others  []Waiter // who wait only for terms that this player does not accept: at most [MaxWaiters]
	Apart   []Waiter // who accept some of the same terms, but are not paired with this player: at most [MaxWaiters]
	Match   match.ID // once paired; take the seat with Manager.Sit
	Moved   bool     // the player has since sought on another node and waits there
	CutOff  bool     // as in [match.Snapshot]: no opponent can be found until it ends
}

// Status receives the current status at once and then after every change. It holds one value: a newer status replaces
// one that was not received. It is closed after the status that names the match, after the one that says that the
// ticket has moved, after [Seek.Cancel] and when the lobby drains.
func (s *Seek) Status() <-chan SeekStatus { return s.box.Values() }

// Notify sends bell a value now and after every change of Status, unless bell is full: it needs room for one value.
func (s *Seek) Notify(bell chan<- struct{}) { s.box.Notify(bell) }

// Player returns who seeks.
func (s *Seek) Player() match.PlayerID { return s.player.ID }

// Latest returns the newest status, whether or not it was received from Status.
func (s *Seek) Latest() SeekStatus {
	s.lobby.mu.Lock()
	defer s.lobby.mu.Unlock()
	return s.status
}

// Cancel gives the ticket up. Calling it again is harmless. Once an opponent has been found it has no effect: Status
// still names the match, unless the match cannot be recorded and both players are at this node. Cancel waits briefly
// for the registry, so that the ticket is usually free when it returns.
func (s *Seek) Cancel() {
	done := make(chan struct{})
	if !s.lobby.lockAndSpawn(func() {
		defer close(done)
		s.cancel()
	}) {
		return
	}
	moment := time.NewTimer(cancelling)
	defer moment.Stop()
	select {
	case <-done:
	case <-moment.C:
	}
}

// Seek takes a ticket in the queue, for a player who accepts any of the given terms, the preferred ones first: at least
// one, and at most [match.MaxAccepted]. A ticket held on another node moves here and keeps its position and any
// pairing. [rules.ErrBadVariant], [match.ErrAlreadySeeking], [match.ErrTooMany], [match.ErrRateLimited],
// [match.ErrDraining], [match.ErrUnavailable]; for rated terms [match.ErrGuestRated], and [match.ErrRated] during a
// rated pair.
func (l *Lobby) Seek(ctx context.Context, p match.Player, accepts ...match.Terms) (*Seek, error) {
	return l.seek(ctx, ticket{Player: p}, accepts)
}

// SeekForgiving is [Lobby.Seek] for a player who meets those too who lately did not move in time in a match with that
// player: see [Waiter.IsLate].
func (l *Lobby) SeekForgiving(ctx context.Context, p match.Player, accepts ...match.Terms) (*Seek, error) {
	return l.seek(ctx, ticket{Player: p, Forgives: true}, accepts)
}

// seek takes a ticket, of which the player and what the player forgives are given.
func (l *Lobby) seek(ctx context.Context, t ticket, accepts []match.Terms) (*Seek, error) {
	p := t.Player
	if err := checkAccepted(accepts); err != nil {
		return nil, err
	}
	if err := l.cfg.Opener.Admit(p, accepts); err != nil {
		return nil, err
	}
	s := &Seek{lobby: l, player: p, box: match.NewMailbox[SeekStatus]()}
	if err := l.enterSeek(s); err != nil {
		return nil, err
	}
	t.Node, t.Seek, t.From = l.cfg.Node, s.number, l.cfg.Networks(p.ID)
	revision, err := s.take(ctx, t.accepting(slices.Clone(accepts)))
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case s.state == seekOver && s.status.Match != "": // it was paired, and the match opened, before the registry answered
		return s, nil
	case s.state == seekOpening, err == nil && !l.draining, errors.Is(err, match.ErrUnavailable) && s.hasTicket():
		s.state, s.revision = max(s.state, seekWaiting), revision
		s.follow()
		return s, nil
	case err == nil:
		err = match.ErrDraining
	}
	s.end()
	return nil, err
}

// hasTicket reports whether the registry has delivered the ticket of the seek, whatever the result of the put was.
func (s *Seek) hasTicket() bool {
	p := s.lobby.queue.ticket(s.player.ID)
	return s.lobby.seekOf(p) == s && s.lobby.queue.isFresh(p)
}

func (l *Lobby) enterSeek(s *Seek) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.draining:
		return match.ErrDraining
	case l.seeks[s.player.ID] != nil:
		return match.ErrAlreadySeeking
	}
	l.taken++
	s.number = l.taken
	l.seeks[s.player.ID] = s
	l.Stats.begun(s)
	return nil
}

// maxTakes is how often replacing a ticket is tried. The ticket may be deleted or renewed between two tries.
const maxTakes = 3

// take puts the seek's ticket, over an older one of the player, and returns its revision. The registry may deliver the
// ticket, and other nodes may pair it, before the put returns, or even if the put fails.
func (s *Seek) take(ctx context.Context, p ticket) (revision uint64, err error) {
	l := s.lobby
	key := keyOf(p.Player.ID)
	revision, err = l.put(ctx, p)
	for range maxTakes {
		if !errors.Is(err, match.ErrConflict) {
			return revision, err
		}
		l.mu.Lock()
		old := l.queue.tickets[key]
		isTaken := old.Node == p.Node && old.Seek == p.Seek || s.state >= seekPairing
		isLeftover := old.Node == l.cfg.Node && l.seekOf(old) == nil // of a seek that has ended, to be deleted soon
		l.mu.Unlock()
		switch isClaimed := old.Claims && l.queue.isFresh(old); {
		case isTaken:
			return old.entry.Revision, nil
		case isClaimed && !isLeftover: // a pairing is being made
			return 0, match.ErrAlreadySeeking
		case isClaimed:
			l.pauseUnless(key, old.entry.Revision)
			continue
		}
		if revision, err = l.put(ctx, l.replaceTicket(old, p)); !errors.Is(err, match.ErrConflict) ||
			old.entry.Revision == 0 {
			break // the entry in the way is of a newer version
		}
		l.pauseUnless(key, old.entry.Revision)
	}
	if errors.Is(err, match.ErrConflict) {
		return 0, match.ErrAlreadySeeking
	}
	return revision, err
}

// replaceTicket returns p in place of an older ticket of the same player.
func (l *Lobby) replaceTicket(old, p ticket) ticket {
	switch {
	case !l.queue.isFresh(old):
	case old.Match == "" && slices.Equal(old.accepted(), p.accepted()):
		p.Since, p.Ticket = old.Since, old.Ticket
	case old.holds() && old.Node != p.Node && !l.cfg.Opener.IsOver(old.Match):
		old.Node, old.Seek = p.Node, p.Seek
		return old
	}
	p.entry = old.entry
	return p
}

// follow ends the seek if its ticket has moved to another node. Changes made there before the seek took the ticket are
// not such a move: the registry may deliver them after the put has returned. The caller holds the lock.
func (s *Seek) follow() {
	p, stands := s.lobby.queue.tickets[keyOf(s.player.ID)]
	if s.state != seekWaiting || !stands || p.Node == s.lobby.cfg.Node || p.entry.Revision < s.revision {
		return
	}
	s.status.Moved = true
	s.box.Put(s.status)
	s.end()
}

// cancel deletes the seek's ticket, unless it is paired, and ends the seek. It repeats a failed delete until the entry
// has long expired, so that no pairing can be under way any more.
func (s *Seek) cancel() {
	l := s.lobby
	for {
		l.mu.Lock()
		p := l.queue.ticket(s.player.ID)
		s.isCancelled = true
		stands := l.seekOf(p) == s
		settled := s.state >= seekPairing
		l.mu.Unlock()
		if settled {
			return
		}
		err := error(nil)
		if stands {
			err = l.delete(p)
		}
		if err == nil || l.ctx.Err() != nil || l.queue.age(p) > 2*match.EntryTTL {
			break
		}
		l.pauseUnless(keyOf(s.player.ID), p.entry.Revision)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.state != seekOpening {
		s.end()
	}
}

// end closes the seek. The caller holds the lock.
func (s *Seek) end() {
	if s.state == seekOver {
		return
	}
	s.state = seekOver
	s.lobby.Stats.ended(s)
	if s.lobby.seeks[s.player.ID] == s {
		delete(s.lobby.seeks, s.player.ID)
	}
	s.box.Close()
}

package lobby

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"notakto/match"
)

// cancelTimeout limits the time for which Cancel waits for the registry.
const cancelTimeout = 500 * time.Millisecond

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
	isPairing   bool          // this node is opening a match of the ticket
	isCancelled bool          // by Cancel or a drain; without effect once a match was opened
	renewed     chan struct{} // closed when the last put of Renew has returned; nil before the first one
	renewedAt   time.Time     // when that put began
}

// seekState is the progress of a seek. It only grows.
type seekState uint8

const (
	seekEntering seekState = iota // the ticket is being put
	seekWaiting
	seekOver // cancelled, moved or paired
)

// SeekStatus is the status of a seek.
type SeekStatus struct {
	Accepts []match.Terms // the preferred ones first; not to be modified
	Since   time.Time
	Waiting int      // number of waiting players on all nodes, this one included
	Others  []Waiter // players who accept none of this player's terms: at most [MaxWaiters]
	Apart   []Waiter // players who accept some of the same terms but are kept apart from this one: at most [MaxWaiters]
	Match   match.ID // once paired; take the seat with Manager.Sit
	Moved   bool     // the player has since sought on another node and waits there
	CutOff  bool     // as in [match.Snapshot]: while true, no opponent can be found
}

// Status returns the channel of the current status and of every change. It holds one value: a newer status replaces an
// older one. The channel is closed after a status with a match, after a status that says that the seek has moved,
// after [Seek.Cancel], and when the lobby drains.
func (s *Seek) Status() <-chan SeekStatus { return s.box.Values() }

// Notify sends a value to bell now and after every change of Status. bell needs room for one value. Notify skips a
// value while bell is full.
func (s *Seek) Notify(bell chan<- struct{}) { s.box.Notify(bell) }

// Player returns the ID of the player who seeks.
func (s *Seek) Player() match.PlayerID { return s.player.ID }

// Latest returns the newest status, whether or not it was received from Status.
func (s *Seek) Latest() SeekStatus {
	s.lobby.mu.Lock()
	defer s.lobby.mu.Unlock()
	return s.status
}

// Cancel gives up the seek. It may be called again. After a match was opened it has no effect, and Status still names
// the match. Cancel waits briefly for the registry, so that the player can usually seek again at once.
func (s *Seek) Cancel() {
	done, l := make(chan struct{}), s.lobby
	l.mu.Lock()
	if !l.closed {
		l.spawn(func() {
			defer close(done)
			s.cancel()
		})
	}
	isClosed := l.closed
	l.mu.Unlock()
	if isClosed {
		return
	}
	moment := time.NewTimer(cancelTimeout)
	defer moment.Stop()
	select {
	case <-done:
	case <-moment.C:
	}
}

// Seek takes a ticket in the queue. accepts are the terms that the player accepts, the preferred ones first, one to
// [match.MaxAccepted]. A ticket of the player at another node moves here, with its place in the queue or its match.
//
// Errors: [rules.ErrBadVariant], [match.ErrAlreadySeeking], [match.ErrTooMany], [match.ErrRateLimited],
// [match.ErrDraining], [match.ErrUnavailable]. For rated terms also [match.ErrGuestRated], and [match.ErrRated] during
// a rated pair.
func (l *Lobby) Seek(ctx context.Context, p match.Player, accepts ...match.Terms) (*Seek, error) {
	return l.seek(ctx, ticket{Player: p}, accepts)
}

// SeekForgiving is [Lobby.Seek] for a player who agrees to meet again players who did not move in time against
// them: see [Waiter.IsLate].
func (l *Lobby) SeekForgiving(ctx context.Context, p match.Player, accepts ...match.Terms) (*Seek, error) {
	return l.seek(ctx, ticket{Player: p, Forgives: true}, accepts)
}

// seek fills in t, of which the caller has set Player and Forgives, and puts it in the queue.
func (l *Lobby) seek(ctx context.Context, t ticket, accepts []match.Terms) (*Seek, error) {
	p := t.Player
	if err := checkAccepted(accepts); err != nil {
		return nil, err
	}
	if err := l.cfg.Opener.Admit(p, accepts); err != nil {
		return nil, err
	}
	l.mu.Lock()
	switch {
	case l.draining:
		l.mu.Unlock()
		return nil, match.ErrDraining
	case l.seeks[p.ID] != nil:
		l.mu.Unlock()
		return nil, match.ErrAlreadySeeking
	}
	l.taken++
	s := &Seek{lobby: l, player: p, number: l.taken, begunAt: time.Now(), box: match.NewMailbox[SeekStatus]()}
	l.seeks[p.ID] = s
	l.Stats.Waiting.Add(1)
	l.mu.Unlock()

	t.Accepts, t.Node, t.Seek, t.From = slices.Clone(accepts), l.cfg.Node, s.number, l.cfg.Networks(p.ID)
	err := s.take(ctx, t)
	l.mu.Lock()
	defer l.mu.Unlock()
	t = l.queue.ticket(p.ID)
	isIn := err == nil || errors.Is(err, match.ErrUnavailable) && l.seekOf(t) == s && l.queue.isFresh(t)
	switch {
	case s.state == seekOver && s.status.Match != "": // paired, maybe before the registry answered
		return s, nil
	case s.state == seekOver, isIn && l.draining:
		err = cmp.Or(err, match.ErrDraining)
	case isIn:
		s.state = seekWaiting
		s.follow(t)
		return s, nil
	}
	s.end()
	l.deleteLeftover(t)
	return nil, err
}

// maxTakes limits the tries to replace a ticket, which may be deleted or renewed between two tries.
const maxTakes = 3

// take puts the seek's ticket in place of an older one of the player. If the older ticket is fresh and accepts the
// same terms, the new one keeps its place in the queue. If the older ticket is paired and of another node, the
// seek ends with that match. The registry may deliver the new ticket, and other nodes may pair it, before the put
// returns, or even if the put fails.
func (s *Seek) take(ctx context.Context, p ticket) (err error) {
	l := s.lobby
	ctx, cancel := context.WithTimeout(ctx, l.cfg.JournalTimeout)
	defer cancel()
	for range maxTakes {
		l.mu.Lock()
		old := l.queue.ticket(s.player.ID)
		isFresh := l.queue.isFresh(old)
		isElsewhere := old.Match != "" && isFresh && old.Node != p.Node && !l.cfg.Opener.IsOver(old.Match)
		if isElsewhere && s.state != seekOver {
			s.endPaired(old.Match)
		}
		isOver := s.state == seekOver
		l.mu.Unlock()
		if isOver {
			return err
		}
		if p.entry = old.entry; !isFresh { // it may have vanished
			p.entry.Revision = 0
		} else if old.Match == "" && slices.Equal(old.Accepts, p.Accepts) {
			p.Since, p.Ticket = old.Since, old.Ticket
		}
		if _, err = l.cfg.Store.Put(ctx, p.toPut()); !errors.Is(err, match.ErrConflict) {
			return err
		}
		l.mu.Lock()
		isNewer := l.queue.ticket(s.player.ID).entry.Revision == 0 // see [errNewerTicket]
		l.mu.Unlock()
		if isNewer && old.entry.Revision == 0 {
			break
		}
		l.pauseUnless(old)
	}
	return match.ErrAlreadySeeking
}

// follow applies a ticket of the player, which may belong to another seek. The seek ends if its ticket is paired,
// or if a ticket of another node has replaced it. Until the state is seekWaiting, a ticket of another node is the
// player's older one, and follow ignores it. The caller holds the lock.
func (s *Seek) follow(p ticket) {
	switch isMine := s.lobby.seekOf(p) == s; {
	case isMine && p.Match != "":
		s.endPaired(p.Match)
	case s.state == seekWaiting && p.Player.ID != "" && p.Node != s.lobby.cfg.Node:
		s.status.Moved = true
		s.box.Put(s.status)
		s.end()
	}
}

// endPaired ends the seek with its match. The caller holds the lock.
func (s *Seek) endPaired(id match.ID) {
	s.status.Match = id
	s.box.Put(s.status)
	s.end()
}

// cancel deletes the seek's ticket, unless it is paired, and ends the seek. It repeats a failed delete until the
// ticket has expired for so long that no node can still be pairing it.
func (s *Seek) cancel() {
	l := s.lobby
	l.mu.Lock()
	s.isCancelled = true // from here on Renew leaves the ticket alone
	renewed := s.renewed
	l.mu.Unlock()
	if renewed != nil {
		<-renewed // otherwise the put could bring an expired ticket back after the seek has ended
	}
	for {
		l.mu.Lock()
		p := l.queue.ticket(s.player.ID)
		lastPut := p.entry.At
		if s.renewedAt.After(lastPut) { // the outcome of that put may be unknown
			lastPut = s.renewedAt
		}
		isOver, stands := s.state == seekOver, l.seekOf(p) == s
		l.mu.Unlock()
		if isOver {
			return
		}
		err := error(nil)
		if stands {
			err = l.delete(p)
		}
		if err == nil || l.ctx.Err() != nil || l.cfg.Store.Now().Sub(lastPut) > 2*match.EntryTTL {
			break
		}
		l.pauseUnless(p)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	s.end()
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

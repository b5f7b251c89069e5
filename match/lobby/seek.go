package lobby

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"notakto/match"
	"notakto/match/limit"
)

// cancelTimeout limits how long Cancel waits for the registry.
const cancelTimeout = 500 * time.Millisecond

// Seek is a player's request for an opponent, made on this node. Its methods are safe for concurrent use.
type Seek struct {
	lobby   *Lobby
	player  match.Player
	number  uint64 // among the seeks of this node
	begunAt time.Time
	mailbox *match.Mailbox[SeekStatus]

	// The lobby's lock guards the fields below.
	status         SeekStatus
	state          seekState
	isPairing      bool          // this node is opening a match of the ticket
	isCancelled    bool          // by Cancel or a drain, without effect once a match was opened
	renewalDone    chan struct{} // closed when the last put of Renew has returned, nil before the first
	renewalBegunAt time.Time     // when that put began
}

// seekState is the progress of a seek. A seekState only grows.
type seekState uint8

const (
	seekEntering seekState = iota // the ticket is being put
	seekWaiting
	seekOver // cancelled, moved or paired
)

// SeekStatus is the status of a seek.
type SeekStatus struct {
	Accepts []match.Terms // the preferred ones first, not to be modified
	Meets   Meets
	Since   time.Time
	Waiting int      // players on all nodes whose Meets agrees, the seeking player included
	Others  []Waiter // players that accept other terms only, at most [MaxWaiters]
	Apart   []Waiter // players kept apart from the seeking player that accept some of the terms, at most [MaxWaiters]
	Match   match.ID // once paired, for Manager.Sit
	Moved   bool     // the player now waits on another node
	CutOff  bool     // while set, no opponent can be found (see [match.Snapshot])
}

// Status returns the channel of the current status and of every change. A newer status replaces one that was not
// received. The lobby closes the channel after a status with Match or Moved, after [Seek.Cancel], and when it drains.
func (s *Seek) Status() <-chan SeekStatus { return s.mailbox.Values() }

// Notify calls bell now and after every change of Status. bell must not block, and must not call the lobby.
func (s *Seek) Notify(bell func()) { s.mailbox.Notify(bell) }

// Player returns the ID of the seeking player.
func (s *Seek) Player() match.PlayerID { return s.player.ID }

// Latest returns the newest status, even if Status has delivered it already.
func (s *Seek) Latest() SeekStatus {
	s.lobby.mu.Lock()
	defer s.lobby.mu.Unlock()
	return s.status
}

// Cancel gives up the seek. A second call is harmless. Once a match was opened, Cancel has no effect and Status names
// the match. Cancel waits briefly for the registry, and the player can then usually seek again at once.
func (s *Seek) Cancel() {
	done, l := make(chan struct{}), s.lobby
	l.mu.Lock()
	if s.state == seekWaiting && !s.isCancelled {
		l.cfg.Opener.ChargeCancelled(s.player.ID)
	}
	isStarted := l.spawn(func() {
		defer close(done)
		s.cancel()
	})
	l.mu.Unlock()
	if !isStarted {
		return
	}
	timer := time.NewTimer(cancelTimeout)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
}

// Seek puts a ticket of p in the queue. accepts holds one to [match.MaxAccepted] terms, the preferred ones first.
//
// Seek replaces a ticket of the player at another node. The new ticket keeps the position in the queue if accepts is
// equal. If the older ticket is paired, the new seek ends at once with its match.
//
// Errors are [rules.ErrBadVariant], [match.ErrAlreadySeeking], [match.ErrTooMany], [match.ErrAddressFull],
// [match.ErrRateLimited], [match.ErrDraining] and [match.ErrUnavailable], for rated terms also [match.ErrGuestRated],
// and [match.ErrRated] during a rated pair.
func (l *Lobby) Seek(ctx context.Context, p match.Player, accepts ...match.Terms) (*Seek, error) {
	return l.SeekWith(ctx, p, Options{}, accepts...)
}

// Meets says which opponents a player wants to meet. The zero value stands for people and programs.
type Meets string

// The opponents to meet, other than all.
const (
	MeetsPeople   Meets = "people"
	MeetsPrograms Meets = "programs"
)

// ParseMeets reads "people", "programs" or "both".
func ParseMeets(text string) (m Meets, ok bool) {
	switch m = Meets(text); m {
	case MeetsPeople, MeetsPrograms:
		return m, true
	default:
		return "", text == "both"
	}
}

// Options are the preferences of a seek.
type Options struct {
	Forgives  bool // the player is willing to meet opponents again that did not move in time (see [Waiter.IsLate])
	Meets     Meets
	IsProgram bool // the player is a program, even if [Config.IsProgram] does not say it
}

// SeekWith is [Lobby.Seek] with preferences.
func (l *Lobby) SeekWith(ctx context.Context, p match.Player, o Options, accepts ...match.Terms) (*Seek, error) {
	return l.seek(ctx, ticket{
		Player: p, Forgives: o.Forgives, Meets: o.Meets, IsProgram: o.IsProgram || l.cfg.IsProgram(p.ID),
	}, accepts)
}

// seek completes t and puts it in the queue. The caller has set Player, Forgives, Meets and IsProgram.
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
	case p.Guest && l.guests.IsFull(p.ID):
		l.mu.Unlock()
		l.cfg.OnLimit(p.ID, match.ErrAddressFull)
		return nil, match.ErrAddressFull
	}
	if p.Guest {
		l.guests.Take(limit.Claim{Player: p.ID})
	}
	l.seekCount++
	s := &Seek{
		lobby: l, player: p, number: l.seekCount, begunAt: time.Now(), mailbox: match.NewMailbox[SeekStatus](),
		// The seek may be paired before tellSeeks completes its status.
		status: SeekStatus{Accepts: slices.Clone(accepts), Meets: t.Meets, Since: l.cfg.Store.Now()},
	}
	l.seeks[p.ID] = s
	l.Stats.Waiting.Add(1)
	l.mu.Unlock()

	t.Accepts, t.Node, t.SeekNumber, t.Networks = slices.Clone(accepts), l.cfg.Node, s.number, l.cfg.Networks(p.ID)
	err := s.putTicket(ctx, t)
	l.mu.Lock()
	defer l.mu.Unlock()
	t = l.queue.ticket(p.ID)
	// A put that failed as unavailable may have been committed. The delivered ticket proves that.
	isQueued := err == nil || errors.Is(err, match.ErrUnavailable) && l.seekOf(t) == s && l.queue.isFresh(t)
	switch {
	case s.state == seekOver && s.status.Match != "": // paired, maybe before the registry answered
		return s, nil
	case s.state == seekOver, isQueued && l.draining:
		err = cmp.Or(err, match.ErrDraining)
	case isQueued:
		s.state = seekWaiting
		s.follow(t)
		return s, nil
	}
	s.end()
	l.deleteLeftover(t)
	return nil, err
}

// maxPutTries limits the tries to replace an older ticket. Between two tries the older ticket may be renewed, deleted
// or delivered for the first time.
const maxPutTries = 3

// putTicket puts t in place of an older ticket of the player. A fresh older ticket with equal terms passes its
// position in the queue on to t. If the older ticket is paired and of another node, the seek ends with that match. If a
// newer version wrote the older ticket, this node cannot replace it (see [errNewerTicket]).
//
// The registry may deliver t, and other nodes may pair it, before the put returns, or even if the put fails.
func (s *Seek) putTicket(ctx context.Context, t ticket) (err error) {
	l := s.lobby
	ctx, cancel := context.WithTimeout(ctx, l.cfg.JournalTimeout)
	defer cancel()
	for range maxPutTries {
		l.mu.Lock()
		old := l.queue.ticket(s.player.ID)
		isFresh := l.queue.isFresh(old)
		isElsewhere := old.Match != "" && isFresh && old.Node != t.Node && !l.cfg.Opener.IsOver(old.Match)
		if isElsewhere && s.state != seekOver {
			s.endPaired(old.Match)
		}
		isOver := s.state == seekOver
		l.mu.Unlock()
		if isOver {
			return err
		}
		if t.entry = old.entry; !isFresh { // it may have vanished
			t.entry.Revision = 0
		} else if old.Match == "" && slices.Equal(old.Accepts, t.Accepts) {
			t.Since, t.Order = old.Since, old.Order
		}
		if _, err = l.cfg.Store.Put(ctx, t.toPut()); !errors.Is(err, match.ErrConflict) {
			return err
		}
		l.pauseUnlessChanged(s.player.ID, old)
	}
	return match.ErrAlreadySeeking
}

// follow applies a ticket of the player, maybe one of another seek. The seek ends if its ticket is paired, or if a
// ticket of another node has replaced it. During seekEntering, follow ignores a ticket of another node, because
// putTicket is replacing that ticket. The caller holds the lock.
func (s *Seek) follow(t ticket) {
	switch isMine := s.lobby.seekOf(t) == s; {
	case isMine && t.Match != "":
		s.endPaired(t.Match)
	case s.state == seekWaiting && t.Player.ID != "" && t.Node != s.lobby.cfg.Node:
		s.status.Moved = true
		s.mailbox.Put(s.status)
		s.end()
	}
}

// endPaired ends the seek with its match. The caller holds the lock.
func (s *Seek) endPaired(id match.ID) {
	s.status.Match = id
	s.mailbox.Put(s.status)
	s.end()
}

// cancel deletes the seek's ticket, unless it is paired, and ends the seek. cancel repeats a failed deletion until
// 2*match.EntryTTL after the last put of the ticket. After that time no node can still be pairing the ticket.
func (s *Seek) cancel() {
	l := s.lobby
	l.mu.Lock()
	s.isCancelled = true // Renew ignores the ticket from now on
	renewalDone := s.renewalDone
	l.mu.Unlock()
	if renewalDone != nil {
		<-renewalDone // otherwise the put could bring an expired ticket back after the seek has ended
	}
	for {
		l.mu.Lock()
		t := l.queue.ticket(s.player.ID)
		lastPut := t.entry.At
		if s.renewalBegunAt.After(lastPut) { // the outcome of that put may be unknown
			lastPut = s.renewalBegunAt
		}
		isOver, hasTicket := s.state == seekOver, l.seekOf(t) == s
		l.mu.Unlock()
		if isOver {
			return
		}
		err := error(nil)
		if hasTicket {
			err = l.deleteTicket(t)
		}
		if err == nil || l.ctx.Err() != nil || l.cfg.Store.Now().Sub(lastPut) > 2*match.EntryTTL {
			break
		}
		l.pauseUnlessChanged(s.player.ID, t)
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
	s.lobby.Stats.countEnd(s)
	s.lobby.guests.Release(limit.Claim{Player: s.player.ID})
	if s.lobby.seeks[s.player.ID] == s {
		delete(s.lobby.seeks, s.player.ID)
	}
	s.mailbox.Close()
}

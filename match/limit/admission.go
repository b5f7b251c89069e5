package limit

import (
	"cmp"
	"context"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"notakto/match"
)

// The refusals of a session, as the client reads them.
var (
	ErrServerFull    = errors.New("the server is full; please try again in a few minutes")
	ErrAddressFull   = errors.New("too many sessions from your address; close one and come back")
	ErrPlayerFull    = errors.New("you have too many sessions; close one and come back")
	ErrServerStopped = errors.New("the server is stopping; please come back in a moment")
	// ErrServerDraining is also what a player reads whose session is ended for that.
	ErrServerDraining = errors.New("the server is about to stop; please come back later")
)

// What a player reads whose session is ended for a newcomer's.
var (
	ErrGaveWay        = errors.New("the server is full, and another player wants to play; please come back later")
	ErrGaveWayAddress = errors.New("there are too many sessions from your address, and another player there had none")
)

// In a full server a session gives way to a newcomer once its player has not played for giveWayAfter. Which players
// do is looked at every matchCheckEvery while it matters. A newcomer has maxSpareTries sessions looked at whose
// players may have begun to play since then.
const (
	giveWayAfter    = time.Minute
	matchCheckEvery = 5 * time.Second
	maxSpareTries   = 8
)

// fewInLine is how many places in line a network may hold for each address that it counts as and be a network like any
// other; see [Admission.crowding].
const fewInLine = 4

// Admission counts the sessions, so that no player, address or network takes more than a fair share of them. When one
// is full, a newcomer takes the place of a session at which its player does not play; see
// [Admission.evictionCandidate]. When there is none, a network refuses the newcomer, who in a full server waits in
// line. Its methods may be called from any goroutine.
type Admission struct {
	Stats SessionStats

	addresses *SourceTracker
	playing   func(match.PlayerID) bool // reports whether a player plays, or waits for an opponent

	empty chan struct{} // closed when the server is closed and the last session has left

	mu         sync.Mutex
	settings   Settings
	closed     bool
	paused     bool                       // only players who are awaited at a match, and administrators, may enter
	inside     []*Slot                    // without those in line
	waitQueue  []*Slot                    // who is next comes first
	leaving    int                        // sessions that gave way and have not ended yet
	networks   map[string]int             // sessions by network
	byPlayer   map[match.PlayerID][]*Slot // the oldest first
	refreshing *time.Timer                // until the next look at who plays; nil for none
}

// NewAdmission is that of an empty server. Which players have sessions is reported to addresses; playing reports
// whether a player plays, or waits for an opponent.
func NewAdmission(settings Settings, addresses *SourceTracker, playing func(match.PlayerID) bool) *Admission {
	a := &Admission{
		settings:  settings,
		addresses: addresses,
		playing:   playing,
		empty:     make(chan struct{}),
		networks:  map[string]int{},
		byPlayer:  map[match.PlayerID][]*Slot{},
	}
	a.Stats.Limit.Store(int64(settings.MaxSessions))
	return a
}

// SetLimits changes the limits, and admits from the line as many as there is room for now. It ends no session.
func (a *Admission) SetLimits(settings Settings) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.settings = settings
	a.Stats.Limit.Store(int64(settings.MaxSessions))
	a.admitNext()
}

// SetPaused sets whether only players who are awaited at a match, and administrators, may enter. It ends no session.
func (a *Admission) SetPaused(is bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.paused = is
}

// Priority is whether a session waits in line while the server is full.
type Priority uint8

const (
	// Waits is that of most sessions.
	Waits Priority = iota
	// Awaited is that of a player who is awaited at a match, which might be lost in that time. A player with another
	// session waits.
	Awaited
	// Moderating is as Reserved, of a moderator: so moderators leave the sessions that are reserved for administrators.
	Moderating
	// Reserved is that of an administrator: as many as [ReservedSessions] do not wait, no limit of addresses holds for
	// them, and the player may have as many more than others.
	Reserved
	// Unlimited sessions are always let in.
	Unlimited
)

// ReservedSessions is how many sessions of administrators, and as many of moderators, are let into a full server.
const ReservedSessions = 2

// Enter counts a session in, if only to wait in line, or says why it may not begin. Call [Slot.Leave] once, when the
// session has ended; it has to end soon after end is called.
func (a *Admission) Enter(
	address netip.Prefix, player match.PlayerID, priority Priority, end context.CancelCauseFunc,
) (*Slot, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	others, most := len(a.byPlayer[player]), a.settings.MaxSessionsPerKey
	if priority >= Moderating {
		most += ReservedSessions
	}
	switch {
	case a.closed:
		return nil, ErrServerStopped
	case a.paused && priority < Awaited:
		return nil, ErrServerDraining
	case others >= most && priority < Unlimited:
		return nil, ErrPlayerFull
	}
	from := networks(address)
	isFull := func(n Account) bool { return a.networks[n.Name] >= n.Times*a.settings.MaxSessionsPerAddress }
	if full := slices.IndexFunc(from, isFull); full >= 0 && priority < Moderating {
		spare := a.evictionCandidate(others, func(s *Slot) bool { return slices.Contains(s.networks, from[full]) })
		if spare == nil {
			return nil, ErrAddressFull
		}
		a.evict(spare, ErrGaveWayAddress)
	}
	s := &Slot{
		admission: a, networks: from, player: player, priority: priority, end: end, idleSince: time.Now(),
		Moved: make(chan struct{}, 1),
	}
	for _, n := range from {
		a.networks[n.Name]++
	}
	if others == 0 {
		a.Stats.kindOf(player).Add(1)
	}
	a.byPlayer[player] = append(a.byPlayer[player], s)
	a.addresses.add(player, address)
	if len(a.inside) >= a.settings.MaxSessions && a.goesAhead(s, others) {
		a.inside = append(a.inside, s)
		return s, nil
	}
	a.waitQueue = append(a.waitQueue, s)
	defer func() { a.Stats.Waiting.Store(int64(len(a.waitQueue))) }()
	a.admitNext()
	if s.queuePosition > a.settings.MaxWaiting {
		last := a.crowding()
		if last == s {
			a.remove(s)
			return nil, ErrServerFull
		}
		a.evict(last, ErrGaveWay)
		a.number()
	}
	return s, nil
}

// goesAhead reports whether a session is let into a full server. others is how many other sessions its player has.
func (a *Admission) goesAhead(s *Slot, others int) bool {
	switch s.priority {
	case Awaited:
		return others == 0
	case Moderating, Reserved:
		reserved := 0
		for _, other := range a.inside {
			if other.priority == s.priority {
				reserved++
			}
		}
		return reserved < ReservedSessions
	default:
		return s.priority == Unlimited
	}
}

// crowding returns the session that has to go from a line that is too long: the last one of the network with the most
// places there, if that has more than a few, and the last one of all otherwise.
func (a *Admission) crowding() *Slot {
	places := map[string]int{}
	for _, s := range a.waitQueue {
		for _, n := range s.networks {
			places[n.Name]++
		}
	}
	load := func(s *Slot) (most int) {
		for _, n := range s.networks {
			most = max(most, (places[n.Name]+n.Times-1)/n.Times)
		}
		return max(most, fewInLine)
	}
	last := a.waitQueue[len(a.waitQueue)-1]
	for _, s := range slices.Backward(a.waitQueue) {
		if load(s) > load(last) {
			last = s
		}
	}
	return last
}

// evictionCandidate returns the session, of those that near reports true for, that can be spared most for a player who
// has a number of other sessions, or nil. Its player has more than that, and does not play there; see
// [Admission.playsAt]. Among those it is of a player with the most sessions, and the one that has gone without a match
// for longest. So an attacker's sessions push out each other.
func (a *Admission) evictionCandidate(others int, near func(*Slot) bool) *Slot {
	a.refreshSoon()
	for range maxSpareTries {
		var spare *Slot
		for _, all := range [...][]*Slot{a.inside, a.waitQueue} {
			for _, s := range all {
				if near(s) && !s.isPlaying && len(a.byPlayer[s.player]) > others && (spare == nil || a.evictFirst(s, spare)) {
					spare = s
				}
			}
		}
		if spare == nil || !a.playsAt(spare) {
			return spare
		}
		spare.isPlaying = true // since the last look
	}
	return nil
}

// playsAt reports whether a session is the one at which its player plays: a match keeps one session of a player from
// giving way, and not all that the player may have. It is the one that was active last, or the oldest.
func (a *Admission) playsAt(s *Slot) bool {
	latest := slices.MaxFunc(a.byPlayer[s.player], func(one, other *Slot) int { // the first of equals
		return cmp.Compare(one.typedAt.Load(), other.typedAt.Load())
	})
	return latest == s && a.playing(s.player)
}

// evictFirst reports whether one has to give way before other.
func (a *Admission) evictFirst(one, other *Slot) bool {
	if n := cmp.Compare(len(a.byPlayer[one.player]), len(a.byPlayer[other.player])); n != 0 {
		return n > 0
	}
	return one.idleSince.Before(other.idleSince)
}

// admitNext lets in from the line as many as there is room for, or as many as are given way to.
func (a *Admission) admitNext() {
	for len(a.waitQueue) > 0 && !a.closed {
		next := 0
		if len(a.inside) >= a.settings.MaxSessions {
			long := time.Now().Add(-giveWayAfter)
			spare := a.evictionCandidate(0, func(s *Slot) bool { return s.queuePosition == 0 && !s.idleSince.After(long) })
			if spare == nil {
				break
			}
			next = slices.IndexFunc(a.waitQueue, func(s *Slot) bool {
				return s.player != spare.player && len(a.byPlayer[s.player]) <= len(a.byPlayer[spare.player])
			})
			if next < 0 {
				break
			}
			a.evict(spare, ErrGaveWay)
		}
		s := a.waitQueue[next]
		a.waitQueue = slices.Delete(a.waitQueue, next, next+1)
		a.inside = append(a.inside, s)
		s.idleSince = time.Now()
		s.move(0)
	}
	a.number()
	if 2*len(a.inside) >= a.settings.MaxSessions {
		a.refreshSoon()
	}
}

// number gives each session in line its place.
func (a *Admission) number() {
	for i, s := range a.waitQueue {
		s.move(i + 1)
	}
	a.Stats.Waiting.Store(int64(len(a.waitQueue)))
}

// refreshSoon has refresh called once within matchCheckEvery.
func (a *Admission) refreshSoon() {
	if a.refreshing == nil && !a.closed {
		a.refreshing = time.AfterFunc(matchCheckEvery, a.refresh)
	}
}

// refresh finds out at which sessions players play, and lets in from the line those that a session now gives way to. It
// is called every matchCheckEvery while the server is half full.
func (a *Admission) refresh() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.refreshing = nil
	now := time.Now()
	for _, s := range a.inside {
		if s.isPlaying = a.playsAt(s); s.isPlaying {
			s.idleSince = now
		}
	}
	a.admitNext()
}

// remove takes a session out of the line or the server, and counts it no longer.
func (a *Admission) remove(s *Slot) {
	for _, n := range s.networks {
		if a.networks[n.Name]--; a.networks[n.Name] == 0 {
			delete(a.networks, n.Name)
		}
	}
	isIt := func(other *Slot) bool { return other == s }
	a.byPlayer[s.player] = slices.DeleteFunc(a.byPlayer[s.player], isIt)
	if len(a.byPlayer[s.player]) == 0 {
		delete(a.byPlayer, s.player)
		a.Stats.kindOf(s.player).Add(-1)
		a.addresses.remove(s.player)
	}
	at := &a.inside
	if s.queuePosition > 0 {
		at = &a.waitQueue
	}
	*at = slices.DeleteFunc(*at, isIt)
}

// evict has a session give way, for a reason that its player reads.
func (a *Admission) evict(s *Slot, why error) {
	a.remove(s)
	a.leaving++
	s.evicted = true
	s.end(why)
}

// Close refuses every session from now on and returns what is closed when the last one has left.
func (a *Admission) Close() <-chan struct{} {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.closed && a.count() == 0 {
		close(a.empty)
	}
	a.closed = true
	return a.empty
}

// Sessions returns how many sessions have not ended yet.
func (a *Admission) Sessions() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.count()
}

// Players returns who is inside, once for each session.
func (a *Admission) Players() []match.PlayerID {
	a.mu.Lock()
	defer a.mu.Unlock()
	all := make([]match.PlayerID, len(a.inside))
	for i, s := range a.inside {
		all[i] = s.player
	}
	return all
}

// count returns how many sessions there are, with those in line and those that give way. The caller holds the lock.
func (a *Admission) count() int { return len(a.inside) + len(a.waitQueue) + a.leaving }

// Slot is one session's place in the server, or in the line before it. It may be used from any goroutine.
type Slot struct {
	admission *Admission
	networks  []Account // of its address
	player    match.PlayerID
	priority  Priority
	end       context.CancelCauseFunc // ends the session
	Moved     chan struct{}           // has a value when the place has changed; only to be received from
	typedAt   atomic.Int64            // when the player last typed something, in Unix nanoseconds; 0 for never

	// The rest is guarded by the admission.
	queuePosition int       // in line, from 1 on; 0 inside
	isPlaying     bool      // the player, at this session, at the last look
	idleSince     time.Time // since when the player has not played here, as far as that was looked at
	evicted       bool      // it has given way, and is ending
}

// NoteTyped records that the player has typed something.
func (s *Slot) NoteTyped() { s.typedAt.Store(time.Now().UnixNano()) }

// TypedAt returns when the player last typed something; zero for never.
func (s *Slot) TypedAt() time.Time {
	if at := s.typedAt.Load(); at != 0 {
		return time.Unix(0, at)
	}
	return time.Time{}
}

// Position is the place in line, from 1 on, or 0 inside.
func (s *Slot) Position() int {
	s.admission.mu.Lock()
	defer s.admission.mu.Unlock()
	return s.queuePosition
}

// Leave counts the session out, and lets in who is next. A session that was not counted in has no slot, and may leave.
func (s *Slot) Leave() {
	if s == nil {
		return
	}
	a := s.admission
	a.mu.Lock()
	defer a.mu.Unlock()
	if s.evicted {
		a.leaving--
	} else {
		a.remove(s)
		a.admitNext()
	}
	if a.closed && a.count() == 0 {
		close(a.empty)
	}
}

// move gives a new place in line; the admission is locked.
func (s *Slot) move(place int) {
	if s.queuePosition == place {
		return
	}
	s.queuePosition = place
	select {
	case s.Moved <- struct{}{}:
	default: // it was not received since it moved before
	}
}

// SessionStats is what monitors read of an [Admission].
type SessionStats struct {
	Waiting, Limit         atomic.Int64
	PlayersWithKey, Guests atomic.Int64 // who have sessions
}

// guestPrefix begins the identity of a guest: see package names.
const guestPrefix = "guest:"

// kindOf returns the number that counts a player.
func (s *SessionStats) kindOf(p match.PlayerID) *atomic.Int64 {
	if strings.HasPrefix(string(p), guestPrefix) {
		return &s.Guests
	}
	return &s.PlayersWithKey
}

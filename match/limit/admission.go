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

// Refusals of a session. The client reads the text.
var (
	ErrServerFull    = errors.New("the server is full; please try again in a few minutes")
	ErrAddressFull   = errors.New("too many sessions from your address; close one and come back")
	ErrPlayerFull    = errors.New("you have too many sessions; close one and come back")
	ErrServerStopped = errors.New("the server is stopping; please come back in a moment")
	// ErrServerDraining also ends sessions that have begun.
	ErrServerDraining = errors.New("the server is about to stop; please come back later")
)

// Reasons for the end of a session that gives way to a newcomer. The player reads the text.
var (
	ErrGaveWay        = errors.New("the server is full, and another player wants to play; please come back later")
	ErrGaveWayAddress = errors.New("there are too many sessions from your address, and another player there had none")
)

const (
	// giveWayAfter is the time without a match after which a session in a full server gives way to a newcomer.
	giveWayAfter = time.Minute
	// matchCheckEvery is the time between two checks of which players play. The server checks while it is half full.
	matchCheckEvery = 5 * time.Second
	// maxSpareTries limits the players that one newcomer makes the server check.
	maxSpareTries = 8
	// fewInLine is the number of sessions in line up to which an address is no crowd. A network may have
	// Account.Times as many.
	fewInLine = 4
)

// ReservedSessions is the number of sessions of administrators, and of moderators, that enter a full server at once.
const ReservedSessions = 2

// Priority says which limits hold for a session.
type Priority uint8

const (
	// Waits is the priority of most sessions: they wait in line while the server is full.
	Waits Priority = iota
	// Awaited is the priority of a player who is expected at a match and could lose it in line. The session enters a
	// full server at once if its player has no other session.
	Awaited
	// Moderating is the priority of a moderator. It is like Reserved, with ReservedSessions of its own, which leaves the
	// others to administrators.
	Moderating
	// Reserved is the priority of an administrator. The limits of addresses do not apply. ReservedSessions of these
	// sessions enter a full server at once, and the player may have ReservedSessions more than others.
	Reserved
	// Unlimited sessions always enter.
	Unlimited
)

// Admission limits the sessions of a server. No player, address or network takes more than a fair share. A newcomer to
// a full server or network takes the place of a session whose player does not play there: see
// [Admission.evictionCandidate]. If every session plays, a full network refuses the newcomer, and in a full server the
// newcomer waits in line. Admission is safe for concurrent use.
type Admission struct {
	Stats SessionStats

	addresses *SourceTracker
	playing   func(match.PlayerID) bool // reports whether a player plays or waits for an opponent

	empty chan struct{} // closed once the admission is closed and no session is left

	mu         sync.Mutex
	settings   Settings
	closed     bool
	paused     bool // only Awaited sessions and higher priorities enter
	inside     []*Slot
	waitQueue  []*Slot                    // in line, the next to enter first
	leaving    int                        // sessions that gave way and have not ended yet
	networks   map[string]int             // sessions by network
	byPlayer   map[match.PlayerID][]*Slot // oldest first
	refreshDue bool                       // a timer will call refresh
}

// NewAdmission returns the admission of an empty server. It tells addresses where the players of its sessions are.
// playing reports whether a player plays or waits for an opponent.
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

// SetLimits changes the limits, ends no session, and lets sessions in from the line if there is room for them now.
func (a *Admission) SetLimits(settings Settings) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.settings = settings
	a.Stats.Limit.Store(int64(settings.MaxSessions))
	a.admitNext()
}

// SetPaused sets whether only sessions of the priority Awaited or higher may enter. Sessions inside stay.
func (a *Admission) SetPaused(is bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.paused = is
}

// Enter counts a session, which may have to wait in line, or returns the reason for the refusal. The caller calls
// [Slot.Leave] once, when the session has ended. The session has to end soon after Admission calls end.
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
	if len(a.inside) >= a.settings.MaxSessions && a.entersFullServer(s, others) {
		a.inside = append(a.inside, s)
		return s, nil
	}
	a.waitQueue = append(a.waitQueue, s)
	defer func() { a.Stats.Waiting.Store(int64(len(a.waitQueue))) }()
	a.admitNext()
	if s.queuePosition > a.settings.MaxWaiting {
		last := a.lineEvictionCandidate()
		if last == s {
			a.remove(s)
			return nil, ErrServerFull
		}
		a.evict(last, ErrGaveWay)
		a.numberLine()
	}
	return s, nil
}

// entersFullServer reports whether a session enters a full server at once. others is the number of other sessions
// of its player.
func (a *Admission) entersFullServer(s *Slot, others int) bool {
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

// lineEvictionCandidate returns the session that leaves a line that is too long. It is the last session of the
// network with the most places in line. Networks with at most fewInLine places count as equal.
func (a *Admission) lineEvictionCandidate() *Slot {
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

// evictionCandidate returns a session that gives way to a newcomer, or nil. near selects the sessions that may
// give way. others is the number of other sessions of the newcomer's player. A session gives way only if its
// player has more than others sessions and does not play at this one: see [Admission.playsAt]. The player with the
// most sessions loses one first, the one that has gone without a match for longest. An attacker's sessions then
// push out each other.
func (a *Admission) evictionCandidate(others int, near func(*Slot) bool) *Slot {
	a.refreshSoon()
	sessions := func(s *Slot) int { return len(a.byPlayer[s.player]) }
	for range maxSpareTries {
		var spare *Slot
		for _, all := range [...][]*Slot{a.inside, a.waitQueue} {
			for _, s := range all {
				switch {
				case s.isPlaying || sessions(s) <= others || !near(s):
				case spare == nil || sessions(s) > sessions(spare),
					sessions(s) == sessions(spare) && s.idleSince.Before(spare.idleSince):
					spare = s
				}
			}
		}
		if spare == nil || !a.playsAt(spare) {
			return spare
		}
		spare.isPlaying = true // since the last check
	}
	return nil
}

// playsAt reports whether s is the session at which its player plays: the one at which the player typed last, or the
// oldest. A match protects this session from giving way, and no other session of its player.
func (a *Admission) playsAt(s *Slot) bool {
	latest := slices.MaxFunc(a.byPlayer[s.player], func(one, other *Slot) int { // the first of equals
		return cmp.Compare(one.typedAt.Load(), other.typedAt.Load())
	})
	return latest == s && a.playing(s.player)
}

// admitNext lets sessions in from the line while there is room or a session gives way.
func (a *Admission) admitNext() {
	for len(a.waitQueue) > 0 && !a.closed {
		next := 0
		if len(a.inside) >= a.settings.MaxSessions {
			idleBefore := time.Now().Add(-giveWayAfter)
			spare := a.evictionCandidate(0, func(s *Slot) bool { return s.queuePosition == 0 && !s.idleSince.After(idleBefore) })
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
	a.numberLine()
	if 2*len(a.inside) >= a.settings.MaxSessions {
		a.refreshSoon()
	}
}

// numberLine tells each session in line its place.
func (a *Admission) numberLine() {
	for i, s := range a.waitQueue {
		s.move(i + 1)
	}
	a.Stats.Waiting.Store(int64(len(a.waitQueue)))
}

// refreshSoon starts a timer for refresh, if none runs.
func (a *Admission) refreshSoon() {
	if !a.refreshDue && !a.closed {
		a.refreshDue = true
		time.AfterFunc(matchCheckEvery, a.refresh)
	}
}

// refresh checks at which sessions players play, and lets sessions in from the line if others give way now.
func (a *Admission) refresh() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.refreshDue = false
	now := time.Now()
	for _, s := range a.inside {
		if s.isPlaying = a.playsAt(s); s.isPlaying {
			s.idleSince = now
		}
	}
	a.admitNext()
}

// remove takes a session out of the server or the line, and no longer counts it.
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

// evict removes and ends a session. Its player reads why.
func (a *Admission) evict(s *Slot, why error) {
	a.remove(s)
	a.leaving++
	s.evicted = true
	s.end(why)
}

// Close refuses all further sessions. It returns a channel that is closed once the last session has left.
func (a *Admission) Close() <-chan struct{} {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.closed && a.count() == 0 {
		close(a.empty)
	}
	a.closed = true
	return a.empty
}

// Sessions returns the number of sessions that have not ended, with those in line.
func (a *Admission) Sessions() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.count()
}

// Players returns the player of each session that does not wait in line.
func (a *Admission) Players() []match.PlayerID {
	a.mu.Lock()
	defer a.mu.Unlock()
	all := make([]match.PlayerID, len(a.inside))
	for i, s := range a.inside {
		all[i] = s.player
	}
	return all
}

// count returns the number of sessions, with those in line and those that are giving way. The caller holds the lock.
func (a *Admission) count() int { return len(a.inside) + len(a.waitQueue) + a.leaving }

// Slot is the place of one session in the server or in line. Any goroutine may use it.
type Slot struct {
	admission *Admission
	networks  []Account // of its address
	player    match.PlayerID
	priority  Priority
	end       context.CancelCauseFunc // ends the session
	Moved     chan struct{}           // receives a value after a change of Position, and holds one
	typedAt   atomic.Int64            // Unix nanoseconds when the player last typed, 0 for never

	// The admission's lock guards the rest.
	queuePosition int       // in line, from 1 on, or 0 inside
	isPlaying     bool      // the player played at this session at the last check
	idleSince     time.Time // when the last check found the player playing here, or when the session entered
	evicted       bool      // has given way, but has not ended
}

// NoteTyped records that the player types.
func (s *Slot) NoteTyped() { s.typedAt.Store(time.Now().UnixNano()) }

// TypedAt returns when the player last typed, or zero for never.
func (s *Slot) TypedAt() time.Time {
	if at := s.typedAt.Load(); at != 0 {
		return time.Unix(0, at)
	}
	return time.Time{}
}

// Position returns the place in line, from 1 on, or 0 inside.
func (s *Slot) Position() int {
	s.admission.mu.Lock()
	defer s.admission.mu.Unlock()
	return s.queuePosition
}

// Leave no longer counts the session and lets the next one in from the line. A nil Slot may leave.
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

// move changes the place in line. The caller holds the admission's lock.
func (s *Slot) move(place int) {
	if s.queuePosition == place {
		return
	}
	s.queuePosition = place
	select {
	case s.Moved <- struct{}{}:
	default: // the session has yet to receive an earlier move
	}
}

// SessionStats are the figures of an [Admission] for monitors.
type SessionStats struct {
	Waiting, Limit         atomic.Int64 // sessions
	PlayersWithKey, Guests atomic.Int64 // players with a session
}

// guestPrefix begins the identity of a guest, as in package names.
const guestPrefix = "guest:"

// kindOf returns the counter for players like p.
func (s *SessionStats) kindOf(p match.PlayerID) *atomic.Int64 {
	if strings.HasPrefix(string(p), guestPrefix) {
		return &s.Guests
	}
	return &s.PlayersWithKey
}

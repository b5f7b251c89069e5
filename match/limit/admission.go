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
	ErrGaveWayAddress = errors.New("there are too many sessions from your address, and another player there has fewer")
)

const (
	// giveWayAfter is the time without a match after which a session in a full server gives way to a newcomer.
	giveWayAfter = time.Minute
	// refreshDelay is the delay of refresh. admitNext repeats refresh while the server is at least half full.
	refreshDelay = 5 * time.Second
	// maxEvictionChecks limits the calls of engagement in one evictionCandidate.
	maxEvictionChecks = 8
	// fewWaiting is the load up to which queueEvictionCandidate treats networks alike.
	fewWaiting = 4
	// fewSessions is the least share of a network in a full server.
	fewSessions = 8
)

// ReservedSessions is the number of Moderating sessions that enter a full server without waiting. As many Reserved
// sessions may enter in addition. A player with one of these priorities may have ReservedSessions more sessions than
// others.
const ReservedSessions = 2

// Priority selects the limits that hold for a session.
type Priority uint8

const (
	// Ordinary is the priority of most sessions. An Ordinary session waits while the server is full.
	Ordinary Priority = iota
	// Expected is the priority of a player with a match against another player. The player could lose it by waiting. The
	// session enters a full server without waiting if its player has no other session.
	Expected
	// Moderating is the priority of a moderator. The limits of addresses do not apply, and up to ReservedSessions enter a
	// full server.
	Moderating
	// Reserved is the priority of an administrator, with the rights of Moderating. Moderators cannot use up the
	// ReservedSessions of administrators.
	Reserved
	// Unlimited is the priority of the operator. The session never waits, and Enter refuses it only after
	// [Admission.Close].
	Unlimited
)

// Engagement says how much a player would lose with a session that gives way.
type Engagement uint8

// The engagements of a player, the weakest first.
const (
	NotPlaying Engagement = iota
	// Alone is the engagement of a player with a match against the computer only, or with a seek.
	Alone
	// WithOthers is the engagement of a player with a match against another player.
	WithOthers
)

// Admission limits the sessions of a server, by player, by network, and in all. Where there is no place for a newcomer,
// another session can give way:
//   - In a full network, Enter ends the session that evictionCandidate returns. Without one, the newcomer gets
//     [ErrAddressFull].
//   - In a full server, the newcomer waits until a session ends. admitNext also ends a session that has had no match
//     for giveWayAfter. In a network with more than its share of the server, only a match against another player
//     counts.
//   - In a full wait queue, Enter ends the session that queueEvictionCandidate returns. If that is the newcomer, it
//     gets [ErrServerFull].
//
// A match protects one session of its player from evictionCandidate, but not from queueEvictionCandidate. A player that
// waits for an opponent counts as one with a match. Admission is safe for concurrent use.
//
// The exported methods and refresh take the lock. The other methods need it.
type Admission struct {
	Stats SessionStats

	addresses *SourceTracker
	playing   func(match.PlayerID) Engagement

	emptied chan struct{}

	mu         sync.Mutex
	settings   Settings
	closed     bool
	paused     bool
	inside     []*Slot                    // sessions that do not wait
	waitQueue  []*Slot                    // the next one first
	leaving    int                        // sessions that gave way and have not ended yet
	sessionsIn map[string]int             // sessions by network
	networks   int                        // largest networks with a session
	byPlayer   map[match.PlayerID][]*Slot // oldest first
	refreshDue bool
}

// NewAdmission returns the admission of an empty server. The Admission keeps the address of each player with a session
// in addresses. The Admission calls playing under its lock.
func NewAdmission(settings Settings, addresses *SourceTracker, playing func(match.PlayerID) Engagement) *Admission {
	a := &Admission{
		settings:   settings,
		addresses:  addresses,
		playing:    playing,
		emptied:    make(chan struct{}),
		sessionsIn: map[string]int{},
		byPlayer:   map[match.PlayerID][]*Slot{},
	}
	a.Stats.Limit.Store(int64(settings.MaxSessions))
	return a
}

// SetLimits changes the limits and lets waiting sessions in if there is room for them now. A lower limit ends no
// session.
func (a *Admission) SetLimits(settings Settings) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.settings = settings
	a.Stats.Limit.Store(int64(settings.MaxSessions))
	a.admitNext()
}

// SetPaused sets whether only sessions of the priority Expected or higher may enter. Sessions inside stay.
func (a *Admission) SetPaused(paused bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.paused = paused
}

// Enter counts a session and lets it in or makes it wait, or returns the reason for the refusal. Admission calls end,
// under its lock, when the session has to give way and must end soon. The caller calls [Slot.Leave] once, after the
// session has ended.
func (a *Admission) Enter(
	address netip.Prefix, player match.PlayerID, priority Priority, end context.CancelCauseFunc,
) (*Slot, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	earlierSessions, maxSessions := len(a.byPlayer[player]), a.settings.MaxSessionsPerKey
	if priority >= Moderating {
		maxSessions += ReservedSessions
	}
	switch {
	case a.closed:
		return nil, ErrServerStopped
	case a.paused && priority < Expected:
		return nil, ErrServerDraining
	case earlierSessions >= maxSessions && priority < Unlimited:
		return nil, ErrPlayerFull
	}
	networks := networkPayers(address)
	isFull := func(n Payer) bool { return a.sessionsIn[n.Name] >= n.Multiple*a.settings.MaxSessionsPerAddress }
	if full := slices.IndexFunc(networks, isFull); full >= 0 && priority < Moderating {
		candidate := a.evictionCandidate(earlierSessions+1, func(s *Slot) bool {
			return s.engaged == NotPlaying && slices.Contains(s.networks, networks[full])
		})
		if candidate == nil {
			return nil, ErrAddressFull
		}
		a.evict(candidate, ErrGaveWayAddress)
	}
	s := &Slot{
		admission: a, address: address, networks: networks, player: player, priority: priority, end: end,
		idleSince: time.Now(), Moved: make(chan struct{}, 1),
	}
	for i, n := range networks {
		if a.sessionsIn[n.Name]++; a.sessionsIn[n.Name] == 1 && i == len(networks)-1 {
			a.networks++
		}
	}
	if earlierSessions == 0 {
		a.Stats.counterOf(player).Add(1)
	}
	a.byPlayer[player] = append(a.byPlayer[player], s)
	a.addresses.set(player, address)
	defer a.updatePositions()
	if len(a.inside) >= a.settings.MaxSessions && a.entersFullServer(s) {
		a.inside = append(a.inside, s)
		return s, nil
	}
	a.waitQueue = append(a.waitQueue, s)
	a.admitNext()
	if s.queuePosition > a.settings.MaxWaiting {
		last := a.queueEvictionCandidate()
		if last == s {
			a.remove(s)
			return nil, ErrServerFull
		}
		a.evict(last, ErrGaveWay)
	}
	return s, nil
}

func (a *Admission) entersFullServer(s *Slot) bool {
	switch s.priority {
	case Expected:
		return len(a.byPlayer[s.player]) == 1
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

// queueEvictionCandidate returns the last waiting session of the network with the highest load. The load is the number
// of waiting sessions divided by Payer.Multiple. If no load exceeds fewWaiting, the candidate is the last session of
// the queue.
func (a *Admission) queueEvictionCandidate() *Slot {
	waiting := map[string]int{}
	for _, s := range a.waitQueue {
		for _, n := range s.networks {
			waiting[n.Name]++
		}
	}
	load := func(s *Slot) (highest int) {
		for _, n := range s.networks {
			highest = max(highest, n.load(waiting[n.Name]))
		}
		return max(highest, fewWaiting)
	}
	last := a.waitQueue[len(a.waitQueue)-1]
	for _, s := range slices.Backward(a.waitQueue) {
		if load(s) > load(last) {
			last = s
		}
	}
	return last
}

// evictionCandidate returns the session that gives way to a newcomer, or nil. The candidate's player has minSessions or
// more sessions, and mayGiveWay is true for the candidate with its present engagement.
//
// evictionCandidate prefers a session of a player with more sessions, and else the session with the earlier idleSince.
// An attacker's sessions then push out each other.
func (a *Admission) evictionCandidate(minSessions int, mayGiveWay func(*Slot) bool) *Slot {
	a.scheduleRefresh()
	sessions := func(s *Slot) int { return len(a.byPlayer[s.player]) }
	for range maxEvictionChecks {
		var candidate *Slot
		for _, slots := range [...][]*Slot{a.inside, a.waitQueue} {
			for _, s := range slots {
				switch {
				case s.engaged == WithOthers || sessions(s) < minSessions || !mayGiveWay(s):
				case candidate == nil || sessions(s) > sessions(candidate),
					sessions(s) == sessions(candidate) && s.idleSince.Before(candidate.idleSince):
					candidate = s
				}
			}
		}
		if candidate == nil {
			return nil
		}
		engaged := a.engagement(candidate)
		if engaged <= candidate.engaged {
			return candidate
		}
		candidate.engaged = engaged // the match began after the last check
	}
	return nil
}

// engagement returns the engagement of the player of s for the session where the player typed last, in a tie the
// oldest. For the player's other sessions the result is NotPlaying, because a match protects only one session from
// giving way.
func (a *Admission) engagement(s *Slot) Engagement {
	// MaxFunc returns the first of equals.
	latest := slices.MaxFunc(a.byPlayer[s.player], func(one, other *Slot) int {
		return cmp.Compare(one.typedAt.Load(), other.typedAt.Load())
	})
	if latest != s {
		return NotPlaying
	}
	return a.playing(s.player)
}

// isOverShare reports whether the largest network of s has more sessions than its share. Networks with a session have
// equal shares, of fewSessions at least. Without shares, four networks with slow matches against the computer could
// keep a server full for ever.
func (a *Admission) isOverShare(s *Slot) bool {
	share := max(fewSessions, a.settings.MaxSessions/a.networks)
	return a.sessionsIn[s.networks[len(s.networks)-1].Name] > share
}

// isIdle reports whether s may give way in a full server if it stays as it is for giveWayAfter.
func (a *Admission) isIdle(s *Slot) bool {
	return s.engaged == NotPlaying || s.engaged == Alone && a.isOverShare(s)
}

// admitNext lets waiting sessions in, in their order, while there is a place. In a full server, a session gives way
// after giveWayAfter without a match. Its place goes to the first waiting session of another player with at most as
// many sessions. A session that is Alone gives way only to a network within its share.
func (a *Admission) admitNext() {
	for len(a.waitQueue) > 0 && !a.closed {
		next := 0
		if len(a.inside) >= a.settings.MaxSessions {
			idleBefore := time.Now().Add(-giveWayAfter)
			candidate := a.evictionCandidate(1, func(s *Slot) bool {
				return s.queuePosition == 0 && !s.idleSince.After(idleBefore) && a.isIdle(s)
			})
			if candidate == nil {
				break
			}
			next = slices.IndexFunc(a.waitQueue, func(s *Slot) bool {
				return s.player != candidate.player && len(a.byPlayer[s.player]) <= len(a.byPlayer[candidate.player]) &&
					(candidate.engaged == NotPlaying || !a.isOverShare(s))
			})
			if next < 0 {
				break
			}
			a.evict(candidate, ErrGaveWay)
		}
		s := a.waitQueue[next]
		a.waitQueue = slices.Delete(a.waitQueue, next, next+1)
		a.inside = append(a.inside, s)
		s.idleSince = time.Now()
		s.setPosition(0)
	}
	a.updatePositions()
	if 2*len(a.inside) >= a.settings.MaxSessions {
		a.scheduleRefresh()
	}
}

func (a *Admission) updatePositions() {
	for i, s := range a.waitQueue {
		s.setPosition(i + 1)
	}
	a.Stats.Waiting.Store(int64(len(a.waitQueue)))
}

func (a *Admission) scheduleRefresh() {
	if !a.refreshDue && !a.closed {
		a.refreshDue = true
		time.AfterFunc(refreshDelay, a.refresh)
	}
}

// refresh updates engaged of the sessions inside, and lets waiting sessions in. A timer calls refresh.
func (a *Admission) refresh() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.refreshDue = false
	now := time.Now()
	for _, s := range a.inside {
		if s.engaged = a.engagement(s); !a.isIdle(s) {
			s.idleSince = now
		}
	}
	a.admitNext()
}

func (a *Admission) remove(s *Slot) {
	for i, n := range s.networks {
		if a.sessionsIn[n.Name]--; a.sessionsIn[n.Name] == 0 {
			delete(a.sessionsIn, n.Name)
			if i == len(s.networks)-1 {
				a.networks--
			}
		}
	}
	isSame := func(other *Slot) bool { return other == s }
	if rest := slices.DeleteFunc(a.byPlayer[s.player], isSame); len(rest) > 0 {
		a.byPlayer[s.player] = rest
		a.addresses.set(s.player, rest[len(rest)-1].address)
	} else {
		delete(a.byPlayer, s.player)
		a.Stats.counterOf(s.player).Add(-1)
		a.addresses.remove(s.player)
	}
	at := &a.inside
	if s.queuePosition > 0 {
		at = &a.waitQueue
	}
	*at = slices.DeleteFunc(*at, isSame)
}

func (a *Admission) evict(s *Slot, why error) {
	a.remove(s)
	a.leaving++
	s.evicted = true
	s.end(why)
}

// Close refuses all further sessions. The returned channel is closed once the last session has left.
func (a *Admission) Close() <-chan struct{} {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.closed && a.count() == 0 {
		close(a.emptied)
	}
	a.closed = true
	return a.emptied
}

// Sessions returns the number of sessions that have not ended, with the waiting ones.
func (a *Admission) Sessions() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.count()
}

// Players returns the player of each session that does not wait.
func (a *Admission) Players() []match.PlayerID {
	a.mu.Lock()
	defer a.mu.Unlock()
	players := make([]match.PlayerID, len(a.inside))
	for i, s := range a.inside {
		players[i] = s.player
	}
	return players
}

// count includes sessions that wait or give way.
func (a *Admission) count() int { return len(a.inside) + len(a.waitQueue) + a.leaving }

// Slot is the place of one session in the server or its wait queue. Any goroutine may use it.
type Slot struct {
	Moved chan struct{} // gets a value after a change of Position, unless the last value is still there

	admission *Admission
	address   netip.Prefix
	networks  []Payer // of address
	player    match.PlayerID
	priority  Priority
	end       context.CancelCauseFunc
	typedAt   atomic.Int64 // Unix nanoseconds of the player's last input, 0 for never

	// The admission's lock guards the fields below.
	queuePosition int        // as Position returns it
	engaged       Engagement // as engagement returned it at the last check
	idleSince     time.Time  // when isIdle was last false, or when the session entered
	evicted       bool       // has given way, and Leave has yet to be called
}

// NoteTyped records input of the player.
func (s *Slot) NoteTyped() { s.typedAt.Store(time.Now().UnixNano()) }

// TypedAt returns the time of the player's last input, or zero for never.
func (s *Slot) TypedAt() time.Time {
	if at := s.typedAt.Load(); at != 0 {
		return time.Unix(0, at)
	}
	return time.Time{}
}

// Position returns the place in the wait queue, from 1 on, or 0 inside.
func (s *Slot) Position() int {
	s.admission.mu.Lock()
	defer s.admission.mu.Unlock()
	return s.queuePosition
}

// Leave ends the count of the session and lets the next one in. s may be nil.
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
		close(a.emptied)
	}
}

func (s *Slot) setPosition(place int) {
	if s.queuePosition == place {
		return
	}
	s.queuePosition = place
	select {
	case s.Moved <- struct{}{}:
	default: // the session has yet to receive an earlier value
	}
}

// SessionStats are the figures of an [Admission] for monitors.
type SessionStats struct {
	Waiting, Limit         atomic.Int64
	PlayersWithKey, Guests atomic.Int64 // players with a session
}

// guestPrefix begins the identity of a guest, as in package sshapp/names.
const guestPrefix = "guest:"

func (s *SessionStats) counterOf(p match.PlayerID) *atomic.Int64 {
	if strings.HasPrefix(string(p), guestPrefix) {
		return &s.Guests
	}
	return &s.PlayersWithKey
}

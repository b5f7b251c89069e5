package limit

import (
	"cmp"
	"context"
	"errors"
	"net"
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
	paused     bool    // only players who are awaited at a match, and administrators, may enter
	inside     []*Slot // without those in line
	waitQueue  []*Slot // who is next comes first
	leaving    int     // sessions that gave way and have not ended yet
	networks   map[netip.Prefix]int
	byPlayer   map[match.PlayerID][]*Slot // the oldest first
	refreshing *time.Timer                // until the next look at who plays; nil for none
}

// NewAdmission is that of an empty server. Which players have sessions is reported to addresses; playing reports
// whether a player plays, or waits for an opponent.
func NewAdmission(settings Settings, addresses *SourceTracker, playing func(match.PlayerID) bool) *Admission {
	c := &Admission{
		settings:  settings,
		addresses: addresses,
		playing:   playing,
		empty:     make(chan struct{}),
		networks:  map[netip.Prefix]int{},
		byPlayer:  map[match.PlayerID][]*Slot{},
	}
	c.Stats.Limit.Store(int64(settings.MaxSessions))
	return c
}

// SetLimits changes the limits, and admits from the line as many as there is room for now. It ends no session.
func (c *Admission) SetLimits(settings Settings) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.settings = settings
	c.Stats.Limit.Store(int64(settings.MaxSessions))
	c.admitNext()
}

// SetPaused sets whether only players who are awaited at a match, and administrators, may enter. It ends no session.
func (c *Admission) SetPaused(is bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.paused = is
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
func (c *Admission) Enter(
	address netip.Prefix, player match.PlayerID, priority Priority, end context.CancelCauseFunc,
) (*Slot, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	others, most := len(c.byPlayer[player]), c.settings.MaxSessionsPerKey
	if priority >= Moderating {
		most += ReservedSessions
	}
	switch {
	case c.closed:
		return nil, ErrServerStopped
	case c.paused && priority < Awaited:
		return nil, ErrServerDraining
	case others >= most && priority < Unlimited:
		return nil, ErrPlayerFull
	}
	now := time.Now()
	if full, ok := c.fullNetwork(address); ok && priority < Moderating {
		spare := c.evictionCandidate(others, func(v *Slot) bool { return full.Contains(v.address.Addr()) })
		if spare == nil {
			return nil, ErrAddressFull
		}
		c.evict(spare, ErrGaveWayAddress)
	}
	v := &Slot{
		admission: c, address: address, player: player, priority: priority, end: end, idleSince: now,
		Moved: make(chan struct{}, 1),
	}
	c.add(v)
	if len(c.inside) >= c.settings.MaxSessions && c.goesAhead(v, others) {
		c.inside = append(c.inside, v)
		return v, nil
	}
	c.waitQueue = append(c.waitQueue, v)
	defer func() { c.Stats.Waiting.Store(int64(len(c.waitQueue))) }()
	c.admitNext()
	if v.queuePosition > c.settings.MaxWaiting {
		last := c.crowding()
		if last == v {
			c.remove(v)
			return nil, ErrServerFull
		}
		c.evict(last, ErrGaveWay)
		c.number()
	}
	return v, nil
}

// goesAhead reports whether a session is let into a full server. others is how many other sessions its player has.
func (c *Admission) goesAhead(v *Slot, others int) bool {
	switch v.priority {
	case Awaited:
		return others == 0
	case Moderating, Reserved:
		reserved := 0
		for _, other := range c.inside {
			if other.priority == v.priority {
				reserved++
			}
		}
		return reserved < ReservedSessions
	default:
		return v.priority == Unlimited
	}
}

// crowding returns the session that has to go from a line that is too long: the last one of the network with the most
// places there, if that has more than a few, and the last one of all otherwise.
func (c *Admission) crowding() *Slot {
	places := map[netip.Prefix]int{}
	for _, v := range c.waitQueue {
		for _, n := range networksOf(v.address) {
			places[n.prefix]++
		}
	}
	load := func(v *Slot) (most int) {
		for _, n := range networksOf(v.address) {
			most = max(most, (places[n.prefix]+n.times-1)/n.times)
		}
		return max(most, fewInLine)
	}
	last := c.waitQueue[len(c.waitQueue)-1]
	for _, v := range slices.Backward(c.waitQueue) {
		if load(v) > load(last) {
			last = v
		}
	}
	return last
}

// fullNetwork returns the smallest network of an address that has as many sessions as it may.
func (c *Admission) fullNetwork(address netip.Prefix) (_ netip.Prefix, ok bool) {
	for _, n := range networksOf(address) {
		if c.networks[n.prefix] >= n.times*c.settings.MaxSessionsPerAddress {
			return n.prefix, true
		}
	}
	return netip.Prefix{}, false
}

// evictionCandidate returns the session, of those that near reports true for, that can be spared most for a player who
// has a number of other sessions, or nil. Its player has more than that, and does not play there; see
// [Admission.playsAt]. Among those it is of a player with the most sessions, and the one that has gone without a match
// for longest. So an attacker's sessions push out each other.
func (c *Admission) evictionCandidate(others int, near func(*Slot) bool) *Slot {
	c.refreshSoon()
	for range maxSpareTries {
		var spare *Slot
		for _, all := range [...][]*Slot{c.inside, c.waitQueue} {
			for _, v := range all {
				if near(v) && !v.isPlaying && len(c.byPlayer[v.player]) > others && (spare == nil || c.evictFirst(v, spare)) {
					spare = v
				}
			}
		}
		if spare == nil || !c.playsAt(spare) {
			return spare
		}
		spare.isPlaying = true // since the last look
	}
	return nil
}

// playsAt reports whether a session is the one at which its player plays: a match keeps one session of a player from
// giving way, and not all that the player may have. It is the one that was active last, or the oldest.
func (c *Admission) playsAt(v *Slot) bool {
	latest := slices.MaxFunc(c.byPlayer[v.player], func(a, b *Slot) int { // the first of equals
		return cmp.Compare(a.typedAt.Load(), b.typedAt.Load())
	})
	return latest == v && c.playing(v.player)
}

// evictFirst reports whether a has to give way before b.
func (c *Admission) evictFirst(a, b *Slot) bool {
	if n := cmp.Compare(len(c.byPlayer[a.player]), len(c.byPlayer[b.player])); n != 0 {
		return n > 0
	}
	return a.idleSince.Before(b.idleSince)
}

// admitNext lets in from the line as many as there is room for, or as many as are given way to.
func (c *Admission) admitNext() {
	for len(c.waitQueue) > 0 && !c.closed {
		next := 0
		if len(c.inside) >= c.settings.MaxSessions {
			long := time.Now().Add(-giveWayAfter)
			spare := c.evictionCandidate(0, func(v *Slot) bool { return v.queuePosition == 0 && !v.idleSince.After(long) })
			if spare == nil {
				break
			}
			next = slices.IndexFunc(c.waitQueue, func(v *Slot) bool {
				return v.player != spare.player && len(c.byPlayer[v.player]) <= len(c.byPlayer[spare.player])
			})
			if next < 0 {
				break
			}
			c.evict(spare, ErrGaveWay)
		}
		v := c.waitQueue[next]
		c.waitQueue = slices.Delete(c.waitQueue, next, next+1)
		c.inside = append(c.inside, v)
		v.idleSince = time.Now()
		v.move(0)
	}
	c.number()
	if 2*len(c.inside) >= c.settings.MaxSessions {
		c.refreshSoon()
	}
}

// number gives each session in line its place.
func (c *Admission) number() {
	for i, v := range c.waitQueue {
		v.move(i + 1)
	}
	c.Stats.Waiting.Store(int64(len(c.waitQueue)))
}

// refreshSoon has look called once within matchCheckEvery.
func (c *Admission) refreshSoon() {
	if c.refreshing == nil && !c.closed {
		c.refreshing = time.AfterFunc(matchCheckEvery, c.refresh)
	}
}

// refresh finds out at which sessions players play, and lets in from the line those that a session now gives way to. It
// is called every matchCheckEvery while the server is half full.
func (c *Admission) refresh() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refreshing = nil
	now := time.Now()
	for _, v := range c.inside {
		if v.isPlaying = c.playsAt(v); v.isPlaying {
			v.idleSince = now
		}
	}
	c.admitNext()
}

// add counts a session.
func (c *Admission) add(v *Slot) {
	for _, n := range networksOf(v.address) {
		c.networks[n.prefix]++
	}
	if len(c.byPlayer[v.player]) == 0 {
		c.Stats.kindOf(v.player).Add(1)
	}
	c.byPlayer[v.player] = append(c.byPlayer[v.player], v)
	c.addresses.add(v.player, v.address)
}

// remove takes a session out of the line or the server, and counts it no longer.
func (c *Admission) remove(v *Slot) {
	for _, n := range networksOf(v.address) {
		decrease(c.networks, n.prefix)
	}
	isV := func(other *Slot) bool { return other == v }
	c.byPlayer[v.player] = slices.DeleteFunc(c.byPlayer[v.player], isV)
	if len(c.byPlayer[v.player]) == 0 {
		delete(c.byPlayer, v.player)
		c.Stats.kindOf(v.player).Add(-1)
		c.addresses.remove(v.player)
	}
	at := &c.inside
	if v.queuePosition > 0 {
		at = &c.waitQueue
	}
	*at = slices.DeleteFunc(*at, isV)
}

// evict has a session give way, for a reason that its player reads.
func (c *Admission) evict(v *Slot, why error) {
	c.remove(v)
	c.leaving++
	v.evicted = true
	v.end(why)
}

// Close refuses every session from now on and returns what is closed when the last one has left.
func (c *Admission) Close() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed && c.count() == 0 {
		close(c.empty)
	}
	c.closed = true
	return c.empty
}

// Sessions returns how many sessions have not ended yet.
func (c *Admission) Sessions() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.count()
}

// Players returns who is inside, once for each session.
func (c *Admission) Players() []match.PlayerID {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := make([]match.PlayerID, len(c.inside))
	for i, v := range c.inside {
		all[i] = v.player
	}
	return all
}

// count returns how many sessions there are, with those in line and those that give way. The caller holds the lock.
func (c *Admission) count() int { return len(c.inside) + len(c.waitQueue) + c.leaving }

func decrease[K comparable](counts map[K]int, key K) {
	if counts[key]--; counts[key] == 0 {
		delete(counts, key)
	}
}

// ipv6Share is the part of an IPv6 address that one customer of a provider gets.
const ipv6Share = 64

// IPOf returns the IP of a client's address; the zero value, which no network contains, if it has none.
func IPOf(addr net.Addr) netip.Addr {
	if at, ok := addr.(interface{ AddrPort() netip.AddrPort }); ok { // of the package net
		return at.AddrPort().Addr().Unmap().WithZone("")
	}
	return netip.Addr{}
}

// AddressOf is the address that counts as one source of sessions.
func AddressOf(addr net.Addr) netip.Prefix {
	ip := IPOf(addr)
	bits := ip.BitLen()
	if ip.Is6() {
		bits = ipv6Share
	}
	return netip.PrefixFrom(ip, bits).Masked()
}

// Slot is one session's place in the server, or in the line before it. It may be used from any goroutine.
type Slot struct {
	admission *Admission
	address   netip.Prefix
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
func (v *Slot) NoteTyped() { v.typedAt.Store(time.Now().UnixNano()) }

// TypedAt returns when the player last typed something; zero for never.
func (v *Slot) TypedAt() time.Time {
	if at := v.typedAt.Load(); at != 0 {
		return time.Unix(0, at)
	}
	return time.Time{}
}

// HasTyped reports whether the player has typed something.
func (v *Slot) HasTyped() bool { return v.typedAt.Load() != 0 }

// Position is the place in line, from 1 on, or 0 inside.
func (v *Slot) Position() int {
	v.admission.mu.Lock()
	defer v.admission.mu.Unlock()
	return v.queuePosition
}

// Leave counts the session out, and lets in who is next. A session that was not counted in has no slot, and may leave.
func (v *Slot) Leave() {
	if v == nil {
		return
	}
	c := v.admission
	c.mu.Lock()
	defer c.mu.Unlock()
	if v.evicted {
		c.leaving--
	} else {
		c.remove(v)
		c.admitNext()
	}
	if c.closed && c.count() == 0 {
		close(c.empty)
	}
}

// move gives a new place in line; the admission is locked.
func (v *Slot) move(place int) {
	if v.queuePosition == place {
		return
	}
	v.queuePosition = place
	select {
	case v.Moved <- struct{}{}:
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

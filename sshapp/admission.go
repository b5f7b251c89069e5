package sshapp

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"notakto/match"
)

// The refusals of a session, as the client reads them.
var (
	errServerFull    = errors.New("every seat in the house is taken; please come back in a few minutes")
	errAddressFull   = errors.New("too many sessions from your address; close one and come back")
	errAddressBusy   = errors.New("too many sessions from your address just now; wait a few seconds")
	errPlayerFull    = errors.New("you have too many sessions; close one and come back")
	errChannelsFull  = errors.New("too many sessions on this connection; close one first")
	errSmallPackets  = errors.New("your client takes packets of a few bytes only; it takes one with 512 or more")
	errServerStopped = errors.New("the server is stopping; please come back in a moment")
)

// What a player reads whose session is ended for a newcomer's.
var (
	errGaveWay        = errors.New("the server is full, and another player wants to play; please come back later")
	errGaveWayAddress = errors.New("there are too many sessions from your address, and another player there had none")
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
// other; see [admission.crowding].
const fewInLine = 4

// admission counts the sessions, so that no player, address or network takes more than a fair share of them. When one
// is full, a newcomer takes the place of a session at which its player does not play; see
// [admission.evictionCandidate]. When there is none, a network refuses the newcomer, who in a full server waits in
// line. Its methods may be called from any goroutine.
type admission struct {
	settings  Settings
	addresses *SourceTracker
	playing   func(match.PlayerID) bool // reports whether a player plays, or waits for an opponent

	empty chan struct{} // closed when the server is closed and the last session has left

	mu         sync.Mutex
	closed     bool
	inside     []*slot // without those in line
	waitQueue  []*slot // who is next comes first
	leaving    int     // sessions that gave way and have not ended yet
	networks   map[netip.Prefix]int
	byPlayer   map[match.PlayerID][]*slot // the oldest first
	refreshing *time.Timer                // until the next look at who plays; nil for none
}

func newAdmission(settings Settings, addresses *SourceTracker, playing func(match.PlayerID) bool) *admission {
	return &admission{
		settings:  settings,
		addresses: addresses,
		playing:   playing,
		empty:     make(chan struct{}),
		networks:  map[netip.Prefix]int{},
		byPlayer:  map[match.PlayerID][]*slot{},
	}
}

// enter counts a session in, if only to wait in line, or says why it may not begin. A player who is awaited, at a
// match, and has no other session does not wait: the match might be lost in that time. Call [slot.leave] once, when
// the session has ended; it has to end soon after end is called.
func (c *admission) enter(
	address netip.Prefix, player match.PlayerID, awaited bool, end context.CancelCauseFunc,
) (*slot, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	others := len(c.byPlayer[player])
	switch {
	case c.closed:
		return nil, errServerStopped
	case others >= c.settings.MaxSessionsPerKey:
		return nil, errPlayerFull
	}
	now := time.Now()
	if full, ok := c.fullNetwork(address); ok {
		spare := c.evictionCandidate(others, func(v *slot) bool { return full.Contains(v.address.Addr()) })
		if spare == nil {
			return nil, errAddressFull
		}
		c.evict(spare, errGaveWayAddress)
	}
	v := &slot{admission: c, address: address, player: player, end: end, idleSince: now, moved: make(chan struct{}, 1)}
	c.add(v)
	if len(c.inside) >= c.settings.MaxSessions && awaited && others == 0 {
		c.inside = append(c.inside, v)
		return v, nil
	}
	c.waitQueue = append(c.waitQueue, v)
	c.admitNext()
	if v.queuePosition > c.settings.MaxWaiting {
		last := c.crowding()
		if last == v {
			c.remove(v)
			return nil, errServerFull
		}
		c.evict(last, errGaveWay)
		c.number()
	}
	return v, nil
}

// crowding returns the session that has to go from a line that is too long: the last one of the network with the most
// places there, if that has more than a few, and the last one of all otherwise.
func (c *admission) crowding() *slot {
	places := map[netip.Prefix]int{}
	for _, v := range c.waitQueue {
		for _, n := range networksOf(v.address) {
			places[n.prefix]++
		}
	}
	load := func(v *slot) (most int) {
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
func (c *admission) fullNetwork(address netip.Prefix) (_ netip.Prefix, ok bool) {
	for _, n := range networksOf(address) {
		if c.networks[n.prefix] >= n.times*c.settings.MaxSessionsPerAddress {
			return n.prefix, true
		}
	}
	return netip.Prefix{}, false
}

// evictionCandidate returns the session, of those that near reports true for, that can be spared most for a player who
// has a number of other sessions, or nil. Its player has more than that, and does not play there; see
// [admission.playsAt]. Among those it is of a player with the most sessions, and the one that has gone without a match
// for longest. So an attacker's sessions push out each other.
func (c *admission) evictionCandidate(others int, near func(*slot) bool) *slot {
	c.refreshSoon()
	for range maxSpareTries {
		var spare *slot
		for _, all := range [...][]*slot{c.inside, c.waitQueue} {
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
// giving way, and not all that the player may have. It is the one that was heard from last, or the oldest.
func (c *admission) playsAt(v *slot) bool {
	latest := slices.MaxFunc(c.byPlayer[v.player], func(a, b *slot) int { // the first of equals
		return cmp.Compare(a.lastTyped.Load(), b.lastTyped.Load())
	})
	return latest == v && c.playing(v.player)
}

// evictFirst reports whether a has to give way before b.
func (c *admission) evictFirst(a, b *slot) bool {
	if n := cmp.Compare(len(c.byPlayer[a.player]), len(c.byPlayer[b.player])); n != 0 {
		return n > 0
	}
	return a.idleSince.Before(b.idleSince)
}

// admitNext lets in from the line as many as there is room for, or as many as are given way to.
func (c *admission) admitNext() {
	for len(c.waitQueue) > 0 && !c.closed {
		next := 0
		if len(c.inside) >= c.settings.MaxSessions {
			long := time.Now().Add(-giveWayAfter)
			spare := c.evictionCandidate(0, func(v *slot) bool { return v.queuePosition == 0 && !v.idleSince.After(long) })
			if spare == nil {
				break
			}
			next = slices.IndexFunc(c.waitQueue, func(v *slot) bool {
				return v.player != spare.player && len(c.byPlayer[v.player]) <= len(c.byPlayer[spare.player])
			})
			if next < 0 {
				break
			}
			c.evict(spare, errGaveWay)
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
func (c *admission) number() {
	for i, v := range c.waitQueue {
		v.move(i + 1)
	}
}

// refreshSoon has look called once within matchCheckEvery.
func (c *admission) refreshSoon() {
	if c.refreshing == nil && !c.closed {
		c.refreshing = time.AfterFunc(matchCheckEvery, c.refresh)
	}
}

// refresh finds out at which sessions players play, and lets in from the line those that a session now gives way to. It
// is called every matchCheckEvery while the server is half full.
func (c *admission) refresh() {
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
func (c *admission) add(v *slot) {
	for _, n := range networksOf(v.address) {
		c.networks[n.prefix]++
	}
	c.byPlayer[v.player] = append(c.byPlayer[v.player], v)
	c.addresses.add(v.player, v.address)
}

// remove takes a session out of the line or the server, and counts it no longer.
func (c *admission) remove(v *slot) {
	for _, n := range networksOf(v.address) {
		decrease(c.networks, n.prefix)
	}
	isV := func(other *slot) bool { return other == v }
	c.byPlayer[v.player] = slices.DeleteFunc(c.byPlayer[v.player], isV)
	if len(c.byPlayer[v.player]) == 0 {
		delete(c.byPlayer, v.player)
		c.addresses.remove(v.player)
	}
	at := &c.inside
	if v.queuePosition > 0 {
		at = &c.waitQueue
	}
	*at = slices.DeleteFunc(*at, isV)
}

// evict has a session give way, for a reason that its player is told.
func (c *admission) evict(v *slot, why error) {
	c.remove(v)
	c.leaving++
	v.evicted = true
	v.end(why)
}

// close refuses every session from now on and returns what is closed when the last one has left.
func (c *admission) close() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed && c.count() == 0 {
		close(c.empty)
	}
	c.closed = true
	return c.empty
}

// count returns how many sessions there are, with those in line and those that give way. The caller holds the lock.
func (c *admission) count() int { return len(c.inside) + len(c.waitQueue) + c.leaving }

func decrease[K comparable](counts map[K]int, key K) {
	if counts[key]--; counts[key] == 0 {
		delete(counts, key)
	}
}

// ipv6Share is the part of an IPv6 address that one customer of a provider gets.
const ipv6Share = 64

// addressOf is the address that counts as one source of sessions.
func addressOf(addr net.Addr) netip.Prefix {
	port, err := netip.ParseAddrPort(addr.String())
	if err != nil {
		return netip.Prefix{}
	}
	ip := port.Addr().Unmap().WithZone("")
	bits := ip.BitLen()
	if ip.Is6() {
		bits = ipv6Share
	}
	return netip.PrefixFrom(ip, bits).Masked()
}

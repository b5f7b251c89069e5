package sshapp

import (
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// While no network holds more than fewPreauthConns for each address that it counts as, no connection has to go yet:
// players come back all at once after a restart. The limit is then returnFactor times what it is, if there are
// descriptors for as many.
const (
	fewPreauthConns = 4
	returnFactor    = 8
)

// latestPart is which part of the limit the latest arrivals are that nobody expects to have said anything.
const latestPart = 4

// step is how far a client without a session has come.
type step int32

const (
	turnedAway step = iota - 1 // is only given time to read so
	silent
	talking    // has sent something, which costs it nothing
	exchanging // has its turn to exchange keys, of which an address has few; or has had it
)

// evicter is what has a connection without a session.
type evicter interface {
	// evict hangs up on a client for whom there is no room.
	evict()
}

// preauthConn is a connection without a session, as preauthConns see it.
type preauthConn struct {
	source  netip.Prefix // all connections from there count as one client's
	owner   evicter
	reached atomic.Int32 // the step that the client has come to

	// The rest belongs to the preauthConns.
	arrival uint64
	arrived time.Time
	counts  []*preauthCount // it is one of
}

// step returns how far the client has come.
func (c *preauthConn) step() step { return step(c.reached.Load()) }

// load returns the load of the network that holds most of those the connection comes from.
func (c *preauthConn) load() (most int) {
	for _, one := range c.counts {
		most = max(most, one.load())
	}
	return most
}

// setStep says how far the client has come. Only the one goroutine that reads does.
func (c *preauthConn) setStep(s step) { c.reached.Store(int32(s)) }

// preauthConns are the connections without a session: their clients have not logged in yet, or not asked for one, or
// have left the last one. When there are too many, the oldest connection of the network that holds most gives way to
// the newcomer. However many connections an attacker opens, they push out each other, and not the one that a player
// has just made from elsewhere. All networks with fewPreauthConns or less count as equals: a household that logs in
// twice at once is no better target than an attacker who has one connection from each of many addresses. Its methods
// may be called from any goroutine.
type preauthConns struct {
	limit     int
	returning int // the limit when no network holds more than a few

	mu     sync.Mutex
	all    []*preauthConn // the oldest first
	counts map[netip.Prefix]*preauthCount
	total  preauthCount // all of them; half of the limit is a crowd
	next   uint64       // the number of the next arrival
}

// preauthCount counts the handshakes from one network.
type preauthCount struct {
	prefix  netip.Prefix
	times   int // how many times as many as one address it may hold
	count   int
	crowded time.Time // when it last held more than few; zero for never
	few     int
}

// load returns how much the network holds, as a number of connections of one address.
func (c *preauthCount) load() int { return (c.count + c.times - 1) / c.times }

// add counts n more.
func (c *preauthCount) add(n int) {
	if c.count += n; max(c.count, c.count-n) > c.few {
		c.crowded = time.Now()
	}
}

func newPreauthConns(limit, returning int) *preauthConns {
	return &preauthConns{
		limit: limit, returning: returning,
		counts: map[netip.Prefix]*preauthCount{}, total: preauthCount{times: 1, few: limit / 2},
	}
}

// enter counts c in and returns the connection that has to go for it, which is counted out already, or nil.
func (h *preauthConns) enter(c *preauthConn) (evicted *preauthConn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c.arrival, c.arrived = h.next, time.Now()
	h.next++
	c.counts = c.counts[:0]
	for _, n := range networksOf(c.source) {
		one := h.counts[n.prefix]
		if one == nil {
			one = &preauthCount{prefix: n.prefix, times: n.times, few: n.times * fewPreauthConns}
			h.counts[n.prefix] = one
		}
		one.add(1)
		c.counts = append(c.counts, one)
	}
	h.total.add(1)
	if h.all = append(h.all, c); len(h.all) <= h.limit {
		return nil
	}
	spare, most := h.evictionCandidate()
	if most <= fewPreauthConns && len(h.all) <= h.returning {
		return nil
	}
	h.drop(spare)
	return spare
}

// leave counts c out, if it is still in.
func (h *preauthConns) leave(c *preauthConn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drop(c)
}

func (h *preauthConns) drop(c *preauthConn) {
	i := slices.Index(h.all, c)
	if i < 0 {
		return
	}
	h.all = slices.Delete(h.all, i, i+1)
	h.total.add(-1)
	for _, one := range c.counts {
		if one.add(-1); one.count == 0 {
			delete(h.counts, one.prefix)
		}
	}
}

// hasRoom reports whether c may take its time: since it came there has been no crowd, neither from a network of its
// own nor in all.
func (h *preauthConns) hasRoom(c *preauthConn) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, one := range append([]*preauthCount{&h.total}, c.counts...) {
		if !one.crowded.Before(c.arrived) {
			return false
		}
	}
	return true
}

// evictionCandidate returns the connection that can be spared most, and the load of its network, which is no less than
// that of any other. Among equals it is the oldest of those that have come least far. But those who exchange keys, or
// have, never fill more than half of the room: they may take their time, and newcomers need some to come as far.
func (h *preauthConns) evictionCandidate() (spare *preauthConn, most int) {
	for _, c := range h.all {
		most = max(most, c.load())
	}
	var ahead, behind *preauthConn
	balance := 0
	for _, c := range h.all {
		switch {
		case most > fewPreauthConns && c.load() < most:
		case c.step() == exchanging:
			ahead = h.evictFirst(c, ahead)
			balance++
		default:
			behind = h.evictFirst(c, behind)
			balance--
		}
	}
	if balance >= 0 {
		return ahead, most
	}
	return behind, most
}

// evictFirst is which of two has to go first; there may be no other.
func (h *preauthConns) evictFirst(c, other *preauthConn) *preauthConn {
	if other == nil {
		return c
	}
	a, b := h.position(c), h.position(other)
	if a < b || a == b && c.arrival < other.arrival {
		return c
	}
	return other
}

// position is the step that a connection has come to. The latest few have not had the time to say anything, or nobody
// has had the time to hear it: they count as if they had.
func (h *preauthConns) position(c *preauthConn) step {
	at := c.step()
	if latest := uint64(max(1, h.limit/latestPart)); at == silent && c.arrival+latest >= h.next {
		return talking
	}
	return at
}

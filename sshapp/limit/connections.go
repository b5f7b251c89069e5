package limit

import (
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// ConnSlots counts connections up to a limit that can change. One goroutine acquires slots; any may do the rest.
type ConnSlots struct {
	freed chan struct{} // has a value when there may be a free slot

	mu          sync.Mutex
	used, limit int
}

// NewConnSlots returns a number of free slots.
func NewConnSlots(limit int) *ConnSlots {
	return &ConnSlots{freed: make(chan struct{}, 1), limit: limit}
}

// Acquire waits for a free slot and takes it. It takes none, and reports false, if stopped is closed first.
func (s *ConnSlots) Acquire(stopped <-chan struct{}) bool {
	for !s.take() {
		select {
		case <-s.freed:
		case <-stopped:
			return false
		}
	}
	return true
}

func (s *ConnSlots) take() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.used >= s.limit {
		return false
	}
	s.used++
	return true
}

// Release frees a slot.
func (s *ConnSlots) Release() { s.change(func() { s.used-- }) }

// SetLimit changes the number of slots. It closes no connection.
func (s *ConnSlots) SetLimit(limit int) { s.change(func() { s.limit = limit }) }

// Used returns how many slots are taken.
func (s *ConnSlots) Used() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.used
}

func (s *ConnSlots) change(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
	select {
	case s.freed <- struct{}{}:
	default: // the goroutine that waits will look anyway
	}
}

// While no network holds more than FewPreauthConns for each address that it counts as, no connection has to go yet:
// players come back all at once after a restart. The limit is then returnFactor times what it is, if there are
// descriptors for as many.
const (
	FewPreauthConns = 4
	returnFactor    = 8
)

// latestPart is which part of the limit the latest arrivals are that need not have sent anything yet.
const latestPart = 4

// Step is how far a client without a session has come.
type Step int32

// The steps, in their order.
const (
	TurnedAway Step = iota - 1 // is only given time to read so
	Silent
	Talking    // has sent something, which costs it nothing
	Exchanging // has its turn to exchange keys, of which an address has few; or has had it
)

// Evicter is what has a connection without a session.
type Evicter interface {
	// Evict hangs up on a client for which there is no room.
	Evict()
}

// PreauthConn is a connection without a session, as PreauthConns see it.
type PreauthConn struct {
	Source  netip.Prefix // all connections from there count as one client's
	Owner   Evicter
	reached atomic.Int32 // the step that the client has come to

	// The rest belongs to the PreauthConns.
	arrival uint64
	arrived time.Time
	counts  []*preauthCount // it is one of
}

// Step returns how far the client has come.
func (c *PreauthConn) Step() Step { return Step(c.reached.Load()) }

// load returns the load of the network that holds most of those the connection comes from.
func (c *PreauthConn) load() (most int) {
	for _, one := range c.counts {
		most = max(most, one.load())
	}
	return most
}

// SetStep says how far the client has come. Only the one goroutine that reads does.
func (c *PreauthConn) SetStep(s Step) { c.reached.Store(int32(s)) }

// PreauthConns are the connections without a session: their clients have not logged in yet, or not asked for one, or
// have left the last one. When there are too many, the oldest connection of the network that holds most gives way to
// the newcomer. However many connections an attacker opens, they push out each other, and not the one that a player
// has just made from elsewhere. All networks with FewPreauthConns or less count as equals: a household that logs in
// twice at once is no better target than an attacker who has one connection from each of many addresses. Its methods
// may be called from any goroutine.
type PreauthConns struct {
	Mu        sync.Mutex
	limit     int
	returning int            // the limit when no network holds more than a few
	All       []*PreauthConn // the oldest first
	counts    map[netip.Prefix]*preauthCount
	total     preauthCount // all of them; half of the limit is a crowd
	next      uint64       // the number of the next arrival
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

// NewPreauthConns counts up to limit connections, or up to returning while no network holds more than a few.
func NewPreauthConns(limit, returning int) *PreauthConns {
	return &PreauthConns{
		limit: limit, returning: returning,
		counts: map[netip.Prefix]*preauthCount{}, total: preauthCount{times: 1, few: limit / 2},
	}
}

// SetLimits changes the limits, as of [NewPreauthConns], for the connections that come from now on.
func (h *PreauthConns) SetLimits(limit, returning int) {
	h.Mu.Lock()
	defer h.Mu.Unlock()
	h.limit, h.returning, h.total.few = limit, returning, limit/2
}

// Enter counts c in and returns the connection that has to go for it, which is counted out already, or nil.
func (h *PreauthConns) Enter(c *PreauthConn) (evicted *PreauthConn) {
	h.Mu.Lock()
	defer h.Mu.Unlock()
	c.arrival, c.arrived = h.next, time.Now()
	h.next++
	c.counts = c.counts[:0]
	for _, n := range networksOf(c.Source) {
		one := h.counts[n.prefix]
		if one == nil {
			one = &preauthCount{prefix: n.prefix, times: n.times, few: n.times * FewPreauthConns}
			h.counts[n.prefix] = one
		}
		one.add(1)
		c.counts = append(c.counts, one)
	}
	h.total.add(1)
	if h.All = append(h.All, c); len(h.All) <= h.limit {
		return nil
	}
	spare, most := h.evictionCandidate()
	if most <= FewPreauthConns && len(h.All) <= h.returning {
		return nil
	}
	h.drop(spare)
	return spare
}

// Conns returns those that are counted, the oldest first.
func (h *PreauthConns) Conns() []*PreauthConn {
	h.Mu.Lock()
	defer h.Mu.Unlock()
	return slices.Clone(h.All)
}

// Leave counts c out, if it is still in.
func (h *PreauthConns) Leave(c *PreauthConn) {
	h.Mu.Lock()
	defer h.Mu.Unlock()
	h.drop(c)
}

func (h *PreauthConns) drop(c *PreauthConn) {
	i := slices.Index(h.All, c)
	if i < 0 {
		return
	}
	h.All = slices.Delete(h.All, i, i+1)
	h.total.add(-1)
	for _, one := range c.counts {
		if one.add(-1); one.count == 0 {
			delete(h.counts, one.prefix)
		}
	}
}

// HasRoom reports whether c may take its time: since it came there has been no crowd, neither from a network of its
// own nor in all.
func (h *PreauthConns) HasRoom(c *PreauthConn) bool {
	h.Mu.Lock()
	defer h.Mu.Unlock()
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
func (h *PreauthConns) evictionCandidate() (spare *PreauthConn, most int) {
	for _, c := range h.All {
		most = max(most, c.load())
	}
	var ahead, behind *PreauthConn
	balance := 0
	for _, c := range h.All {
		switch {
		case most > FewPreauthConns && c.load() < most:
		case c.Step() == Exchanging:
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
func (h *PreauthConns) evictFirst(c, other *PreauthConn) *PreauthConn {
	if other == nil {
		return c
	}
	a, b := h.position(c), h.position(other)
	if a < b || a == b && c.arrival < other.arrival {
		return c
	}
	return other
}

// position is the step that a connection has come to. The latest few have not had the time to send anything, or the
// server has not had the time to read it: they count as if they had.
func (h *PreauthConns) position(c *PreauthConn) Step {
	at := c.Step()
	if latest := uint64(max(1, h.limit/latestPart)); at == Silent && c.arrival+latest >= h.next {
		return Talking
	}
	return at
}

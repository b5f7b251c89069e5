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
func (c *ConnSlots) Acquire(stopped <-chan struct{}) bool {
	for !c.take() {
		select {
		case <-c.freed:
		case <-stopped:
			return false
		}
	}
	return true
}

func (c *ConnSlots) take() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.used >= c.limit {
		return false
	}
	c.used++
	return true
}

// Release frees a slot.
func (c *ConnSlots) Release() { c.change(func() { c.used-- }) }

// SetLimit changes the number of slots. It closes no connection.
func (c *ConnSlots) SetLimit(limit int) { c.change(func() { c.limit = limit }) }

// Used returns how many slots are taken.
func (c *ConnSlots) Used() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.used
}

func (c *ConnSlots) change(do func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	do()
	select {
	case c.freed <- struct{}{}:
	default: // the goroutine that waits will look anyway
	}
}

// While no network holds more than fewPreauthConns for each address that it counts as, no connection has to go yet:
// players come back all at once after a restart. The limit is then returnFactor times what it is, if there are
// descriptors for as many.
const (
	fewPreauthConns = 4
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
func (p *PreauthConn) Step() Step { return Step(p.reached.Load()) }

// load returns the load of the network that holds most of those the connection comes from.
func (p *PreauthConn) load() (most int) {
	for _, one := range p.counts {
		most = max(most, one.load())
	}
	return most
}

// SetStep says how far the client has come. Only the one goroutine that reads does.
func (p *PreauthConn) SetStep(s Step) { p.reached.Store(int32(s)) }

// PreauthConns are the connections without a session: their clients have not logged in yet, or not asked for one, or
// have left the last one. When there are too many, the oldest connection of the network that holds most gives way to
// the newcomer. However many connections an attacker opens, they push out each other, and not the one that a player
// has just made from elsewhere. All networks with fewPreauthConns or less count as equals: a household that logs in
// twice at once is no better target than an attacker who has one connection from each of many addresses. Its methods
// may be called from any goroutine.
type PreauthConns struct {
	mu        sync.Mutex
	limit     int
	returning int                      // the limit when no network holds more than a few
	all       []*PreauthConn           // the oldest first
	counts    map[string]*preauthCount // by network
	total     preauthCount             // all of them; half of the limit is a crowd
	next      uint64                   // the number of the next arrival
}

// preauthCount counts the handshakes from one network.
type preauthCount struct {
	Account
	count   int
	crowded time.Time // when it last held more than few; zero for never
	few     int
}

// load returns how much the network holds, as a number of connections of one address.
func (p *preauthCount) load() int { return (p.count + p.Times - 1) / p.Times }

// add counts n more.
func (p *preauthCount) add(n int) {
	if p.count += n; max(p.count, p.count-n) > p.few {
		p.crowded = time.Now()
	}
}

// NewPreauthConns counts up to limit connections, or up to returning while no network holds more than a few.
func NewPreauthConns(limit, returning int) *PreauthConns {
	return &PreauthConns{
		limit: limit, returning: returning,
		counts: map[string]*preauthCount{}, total: preauthCount{few: limit / 2},
	}
}

// SetLimits changes the limits, as of [NewPreauthConns], for the connections that come from now on.
func (p *PreauthConns) SetLimits(limit, returning int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.limit, p.returning, p.total.few = limit, returning, limit/2
}

// Enter counts c in and returns the connection that has to go for it, which is counted out already, or nil.
func (p *PreauthConns) Enter(c *PreauthConn) (evicted *PreauthConn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c.arrival, c.arrived = p.next, time.Now()
	p.next++
	c.counts = c.counts[:0]
	for _, n := range networks(c.Source) {
		one := p.counts[n.Name]
		if one == nil {
			one = &preauthCount{Account: n, few: n.Times * fewPreauthConns}
			p.counts[n.Name] = one
		}
		one.add(1)
		c.counts = append(c.counts, one)
	}
	p.total.add(1)
	if p.all = append(p.all, c); len(p.all) <= p.limit {
		return nil
	}
	spare, most := p.evictionCandidate()
	if most <= fewPreauthConns && len(p.all) <= p.returning {
		return nil
	}
	p.drop(spare)
	return spare
}

// Conns returns those that are counted, the oldest first.
func (p *PreauthConns) Conns() []*PreauthConn {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.all)
}

// Leave counts c out, if it is still in.
func (p *PreauthConns) Leave(c *PreauthConn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drop(c)
}

func (p *PreauthConns) drop(c *PreauthConn) {
	i := slices.Index(p.all, c)
	if i < 0 {
		return
	}
	p.all = slices.Delete(p.all, i, i+1)
	p.total.add(-1)
	for _, one := range c.counts {
		if one.add(-1); one.count == 0 {
			delete(p.counts, one.Name)
		}
	}
}

// HasRoom reports whether c may take its time: since it came there has been no crowd, neither from a network of its
// own nor in all.
func (p *PreauthConns) HasRoom(c *PreauthConn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, one := range append([]*preauthCount{&p.total}, c.counts...) {
		if !one.crowded.Before(c.arrived) {
			return false
		}
	}
	return true
}

// evictionCandidate returns the connection that can be spared most, and the load of its network, which is no less than
// that of any other. Among equals it is the oldest of those that have come least far. But those who exchange keys, or
// have, never fill more than half of the room: they may take their time, and newcomers need some to come as far.
func (p *PreauthConns) evictionCandidate() (spare *PreauthConn, most int) {
	for _, c := range p.all {
		most = max(most, c.load())
	}
	var ahead, behind *PreauthConn
	balance := 0
	for _, c := range p.all {
		switch {
		case most > fewPreauthConns && c.load() < most:
		case c.Step() == Exchanging:
			ahead = p.evictFirst(c, ahead)
			balance++
		default:
			behind = p.evictFirst(c, behind)
			balance--
		}
	}
	if balance >= 0 {
		return ahead, most
	}
	return behind, most
}

// evictFirst returns the connection to close first: the one at the earlier step, of two at one step the older.
// other may be nil.
func (p *PreauthConns) evictFirst(c, other *PreauthConn) *PreauthConn {
	if other == nil {
		return c
	}
	a, b := p.position(c), p.position(other)
	if a < b || a == b && c.arrival < other.arrival {
		return c
	}
	return other
}

// position is the step that a connection has come to. The latest few have not had the time to send anything, or the
// server has not had the time to read it: they count as if they had.
func (p *PreauthConns) position(c *PreauthConn) Step {
	at := c.Step()
	if latest := uint64(max(1, p.limit/latestPart)); at == Silent && c.arrival+latest >= p.next {
		return Talking
	}
	return at
}

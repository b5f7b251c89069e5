package limit

import (
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// ConnSlots counts connections up to a limit that can change. One goroutine calls Acquire. Any goroutine may call the
// other methods.
type ConnSlots struct {
	freed chan struct{} // holds a value when there may be a free slot

	mu          sync.Mutex
	used, limit int
}

// NewConnSlots returns limit free slots.
func NewConnSlots(limit int) *ConnSlots {
	return &ConnSlots{freed: make(chan struct{}, 1), limit: limit}
}

// Acquire waits for a free slot and takes it. If stopped is closed first, it reports false.
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

// Used returns the number of taken slots.
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
	default: // the goroutine in Acquire will look anyway
	}
}

const (
	// fewPreauthConns is the number of connections up to which an address is no crowd. A network may have
	// Account.Times as many.
	fewPreauthConns = 4
	// While no network has a crowd, the limit is returnFactor times as high if there are enough file descriptors.
	// After a restart, all players come back at once.
	returnFactor = 8
	// The last limit/latestPart arrivals need not have sent anything yet.
	latestPart = 4
)

// Step says how far a client without a session has come.
type Step int32

// The steps in their order.
const (
	TurnedAway Step = iota - 1 // is given time to read the reason
	Silent
	Talking    // has sent something, which even an attacker can do at no cost
	Exchanging // has or had one of the few turns of its address to exchange keys
)

// Evicter is a connection without a session.
type Evicter interface {
	// Evict hangs up on the client because there is no room.
	Evict()
}

// PreauthConn is a connection without a session, as PreauthConns count it.
type PreauthConn struct {
	Source  netip.Prefix // the address; its connections count together
	Owner   Evicter
	reached atomic.Int32 // a Step

	// The rest belongs to the PreauthConns.
	arrival uint64
	arrived time.Time
	counts  []*preauthCount // of its networks
}

// Step returns how far the client has come.
func (p *PreauthConn) Step() Step { return Step(p.reached.Load()) }

// load returns the highest load of the connection's networks.
func (p *PreauthConn) load() (most int) {
	for _, one := range p.counts {
		most = max(most, one.load())
	}
	return most
}

// SetStep records how far the client has come. Only the goroutine that reads from the client calls it.
func (p *PreauthConn) SetStep(s Step) { p.reached.Store(int32(s)) }

// PreauthConns limits the connections without a session. Their clients have not logged in, have not asked for a
// session, or have left their last one. When there are too many, the oldest connection of the network with the most
// gives way to the newcomer. So an attacker's connections push out each other, however many there are, and not the one
// that a player has just opened from elsewhere. All networks without a crowd count as equal: a household that logs in
// twice at once is no better target than an attacker with one connection from each of many addresses. PreauthConns is
// safe for concurrent use.
type PreauthConns struct {
	mu        sync.Mutex
	limit     int
	returning int                      // the limit while no network has a crowd
	all       []*PreauthConn           // oldest first
	counts    map[string]*preauthCount // by network
	total     preauthCount             // of all; more than half of the limit is a crowd
	next      uint64                   // the number of the next arrival
}

// preauthCount counts the connections from one network.
type preauthCount struct {
	Account
	count   int
	crowded time.Time // when count last exceeded few; zero for never
	few     int       // the highest count that is no crowd
}

// load returns count divided by Times, rounded up, to compare networks of different sizes.
func (p *preauthCount) load() int { return (p.count + p.Times - 1) / p.Times }

// add changes count by n.
func (p *preauthCount) add(n int) {
	if p.count += n; max(p.count, p.count-n) > p.few {
		p.crowded = time.Now()
	}
}

// NewPreauthConns allows limit connections, or returning connections while no network has a crowd.
func NewPreauthConns(limit, returning int) *PreauthConns {
	return &PreauthConns{
		limit: limit, returning: returning,
		counts: map[string]*preauthCount{}, total: preauthCount{few: limit / 2},
	}
}

// SetLimits changes the limits for the connections that come from now on, as in [NewPreauthConns].
func (p *PreauthConns) SetLimits(limit, returning int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.limit, p.returning, p.total.few = limit, returning, limit/2
}

// Enter counts c. It returns the connection that has to be closed for c, which no longer counts, or nil.
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

// Conns returns the connections, oldest first.
func (p *PreauthConns) Conns() []*PreauthConn {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.all)
}

// Leave no longer counts c. A connection that does not count may leave.
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

// HasRoom reports whether c may take its time to log in. It reports false if since the arrival of c there was a
// crowd among all connections or in a network of c.
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

// evictionCandidate returns the connection to close, and the highest load of all networks. The connection is the
// oldest one at the earliest step from a network with that load. If half or more of these connections exchange
// keys, one of them is closed. Clients that exchange keys may take their time, and newcomers need room to come as
// far.
func (p *PreauthConns) evictionCandidate() (spare *PreauthConn, most int) {
	for _, c := range p.all {
		most = max(most, c.load())
	}
	var exchanging, earlier *PreauthConn
	balance := 0
	for _, c := range p.all {
		switch {
		case most > fewPreauthConns && c.load() < most:
		case c.Step() == Exchanging:
			exchanging = p.evictFirst(c, exchanging)
			balance++
		default:
			earlier = p.evictFirst(c, earlier)
			balance--
		}
	}
	if balance >= 0 {
		return exchanging, most
	}
	return earlier, most
}

// evictFirst returns the connection to close first: the one at the earlier step, or the older of two at one step. other
// may be nil.
func (p *PreauthConns) evictFirst(c, other *PreauthConn) *PreauthConn {
	if other == nil {
		return c
	}
	a, b := p.effectiveStep(c), p.effectiveStep(other)
	if a < b || a == b && c.arrival < other.arrival {
		return c
	}
	return other
}

// effectiveStep returns the step of c, but Talking for the latest arrivals that are Silent. These had no time to
// send anything, or the server had no time to read it.
func (p *PreauthConns) effectiveStep(c *PreauthConn) Step {
	at := c.Step()
	if latest := uint64(max(1, p.limit/latestPart)); at == Silent && c.arrival+latest >= p.next {
		return Talking
	}
	return at
}

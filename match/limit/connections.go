package limit

import (
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// ConnSlots counts connections up to a limit that can change. Only one goroutine may call Acquire. ConnSlots is
// otherwise safe for concurrent use.
type ConnSlots struct {
	freed chan struct{} // holds a value when there may be a free slot

	mu          sync.Mutex
	used, limit int
}

// NewConnSlots returns limit free slots.
func NewConnSlots(limit int) *ConnSlots {
	return &ConnSlots{freed: make(chan struct{}, 1), limit: limit}
}

// Acquire waits for a free slot and takes it. If stopped is closed first, Acquire reports false.
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

// SetLimit changes the number of slots. SetLimit closes no connection.
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
	// crowdLoad is the highest load of a network without a crowd. The load is the number of connections without a session
	// divided by Payer.Multiple.
	crowdLoad = 4
	// returnFactor times MaxLogins connections may be without a session while no network has a crowd. After a restart, all
	// players come back at once.
	returnFactor = 8
	// latestDivisor divides MaxLogins. The quotient is the number of latest connections that effectiveStep treats as
	// Talking.
	latestDivisor = 4
)

// Step orders the connections without a session for eviction. [PreauthConns] evicts a connection at a smaller step
// first. A client passes Silent, Talking and Exchanging in this order, or ends at TurnedAway.
type Step int32

// The steps of a connection on its way to a session.
const (
	TurnedAway Step = iota - 1 // refused, and the client still reads the reason
	Silent
	Talking    // has sent something, as even an attacker can at no cost
	Exchanging // has one of the few key exchanges that its address may make
)

// PreauthConn is a connection without a session, as [PreauthConns] counts it.
type PreauthConn struct {
	Source  netip.Prefix         // an address
	Owner   interface{ Evict() } // Evict hangs up on the client because there is no room
	reached atomic.Int32         // a Step

	// PreauthConns sets the fields below under its lock.
	arrival uint64 // number of the arrival, from 0 on
	arrived time.Time
	counts  []*connCount // of the networks of Source
}

// Step returns the step that the client has reached.
func (p *PreauthConn) Step() Step { return Step(p.reached.Load()) }

// SetStep records the step that the client has reached. Only the goroutine that reads from the client calls SetStep.
func (p *PreauthConn) SetStep(s Step) { p.reached.Store(int32(s)) }

// load returns the highest load of a network of p.
func (p *PreauthConn) load() (highest int) {
	for _, c := range p.counts {
		highest = max(highest, c.payer.load(c.conns))
	}
	return highest
}

// PreauthConns limits the connections without a session. Their clients have not logged in, have not asked for a
// session, or have left their last one. PreauthConns is safe for concurrent use.
//
// At the limit, a newcomer evicts a connection of the network with the highest load. An attacker's connections then
// push out each other, and not a connection that a player has just opened from elsewhere. If no network has a crowd, a
// newcomer can evict any connection. Without this exception, two logins of a household would give way before an
// attacker's single connections from many addresses.
type PreauthConns struct {
	mu             sync.Mutex
	limit          int
	uncrowdedLimit int
	conns          []*PreauthConn        // oldest first
	counts         map[string]*connCount // by network
	total          connCount             // of all networks, crowded above half of limit
	nextArrival    uint64
}

type connCount struct {
	payer        Payer
	conns        int
	maxUncrowded int       // more are a crowd
	crowdedAt    time.Time // when conns last exceeded maxUncrowded, zero for never
}

func (p *connCount) add(n int) {
	before := p.conns
	p.conns += n
	if max(before, p.conns) > p.maxUncrowded {
		p.crowdedAt = time.Now()
	}
}

// NewPreauthConns allows limit connections, or uncrowdedLimit connections while no network has a crowd.
func NewPreauthConns(limit, uncrowdedLimit int) *PreauthConns {
	return &PreauthConns{
		limit: limit, uncrowdedLimit: uncrowdedLimit,
		counts: map[string]*connCount{}, total: connCount{maxUncrowded: limit / 2},
	}
}

// SetLimits changes the limits for the connections that come from now on, as in [NewPreauthConns].
func (p *PreauthConns) SetLimits(limit, uncrowdedLimit int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.limit, p.uncrowdedLimit, p.total.maxUncrowded = limit, uncrowdedLimit, limit/2
}

// Enter counts c. If another connection has to make room for c, Enter no longer counts that connection and returns it
// for the caller to close.
func (p *PreauthConns) Enter(c *PreauthConn) (evicted *PreauthConn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c.arrival, c.arrived = p.nextArrival, time.Now()
	p.nextArrival++
	c.counts = c.counts[:0]
	for _, n := range networkPayers(c.Source) {
		count := p.counts[n.Name]
		if count == nil {
			count = &connCount{payer: n, maxUncrowded: n.Multiple * crowdLoad}
			p.counts[n.Name] = count
		}
		count.add(1)
		c.counts = append(c.counts, count)
	}
	p.total.add(1)
	if p.conns = append(p.conns, c); len(p.conns) <= p.limit {
		return nil
	}
	maxLoad := p.maxLoad()
	if maxLoad <= crowdLoad && len(p.conns) <= p.uncrowdedLimit {
		return nil
	}
	evicted = p.evictionCandidate(maxLoad)
	p.remove(evicted)
	return evicted
}

// Conns returns the connections, oldest first.
func (p *PreauthConns) Conns() []*PreauthConn {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.conns)
}

// Leave ends the count of c. The caller may also call it after an eviction of c.
func (p *PreauthConns) Leave(c *PreauthConn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.remove(c)
}

func (p *PreauthConns) remove(c *PreauthConn) {
	i := slices.Index(p.conns, c)
	if i < 0 {
		return
	}
	p.conns = slices.Delete(p.conns, i, i+1)
	p.total.add(-1)
	for _, count := range c.counts {
		if count.add(-1); count.conns == 0 {
			delete(p.counts, count.payer.Name)
		}
	}
}

// IsUncrowdedSince reports whether c may take its time to log in. The result is false if there was a crowd since the
// arrival of c, among all connections or in a network of c.
func (p *PreauthConns) IsUncrowdedSince(c *PreauthConn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, count := range append([]*connCount{&p.total}, c.counts...) {
		if !count.crowdedAt.Before(c.arrived) {
			return false
		}
	}
	return true
}

func (p *PreauthConns) maxLoad() (highest int) {
	for _, c := range p.conns {
		highest = max(highest, c.load())
	}
	return highest
}

// evictionCandidate returns the connection to close. The candidates are the connections with the load maxLoad if that
// is above crowdLoad, and otherwise all.
//
// If at least half of the candidates are Exchanging, the result is the oldest Exchanging one. An exchange of keys may
// take long, and newcomers need room for theirs. Otherwise evictFirst chooses among the candidates at other steps.
func (p *PreauthConns) evictionCandidate(maxLoad int) *PreauthConn {
	var exchanging, other *PreauthConn
	exchangingCount, otherCount := 0, 0
	for _, c := range p.conns {
		switch {
		case maxLoad > crowdLoad && c.load() < maxLoad:
		case c.Step() == Exchanging:
			exchanging = p.evictFirst(c, exchanging)
			exchangingCount++
		default:
			other = p.evictFirst(c, other)
			otherCount++
		}
	}
	if exchangingCount >= otherCount {
		return exchanging
	}
	return other
}

// evictFirst returns the connection at the smaller step, or the older one if both are at one step. other may be nil.
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

// effectiveStep returns the step of c, or Talking if c is Silent and among the latest connections, because a latest
// client may have had no time to send anything, or the server no time to read it.
func (p *PreauthConns) effectiveStep(c *PreauthConn) Step {
	step := c.Step()
	if latest := uint64(max(1, p.limit/latestDivisor)); step == Silent && c.arrival+latest >= p.nextArrival {
		return Talking
	}
	return step
}

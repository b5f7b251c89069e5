package sshapp

import (
	"net/netip"
	"slices"
	"sync"
)

// When no address holds more than fewHandshakes, nobody need go yet: players come back all at once after a restart. Then the limit is
// returnFactor times what it is, if there are descriptors for as many.
const (
	fewHandshakes = 4
	returnFactor  = 8
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

func (c *connection) step() step { return step(c.reached.Load()) }

// reaches says how far the client has come. Only the one goroutine that reads does.
func (c *connection) reaches(s step) { c.reached.Store(int32(s)) }

// handshakes are the connections without a session: their clients have not logged in yet, or not asked for one, or have left the last one.
// There is a limit to them, and a newcomer is never the one to go: a full house lets go of the oldest connection of the address that holds
// most. However many connections an attacker opens, they push out each other, and not the one that a player has just made from elsewhere.
// Its methods may be called from any goroutine.
type handshakes struct {
	limit     int
	returning int // the limit when no address holds more than a few

	mu    sync.Mutex
	total int
	from  map[netip.Prefix][]*connection // the oldest first
	next  uint64                         // the number of the next arrival
}

func newHandshakes(limit, returning int) *handshakes {
	return &handshakes{limit: limit, returning: returning, from: map[netip.Prefix][]*connection{}}
}

// enter counts c in and returns the connection that has to go for it, which is counted out already, or nil.
func (h *handshakes) enter(c *connection) (evicted *connection) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c.arrival = h.next
	h.next++
	h.from[c.source] = append(h.from[c.source], c)
	if h.total++; h.total <= h.limit {
		return nil
	}
	spare, most := h.surplus()
	if most <= fewHandshakes && h.total <= h.returning {
		return nil
	}
	h.drop(spare)
	return spare
}

// leave counts c out, if it is still in.
func (h *handshakes) leave(c *connection) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drop(c)
}

func (h *handshakes) drop(c *connection) {
	all := h.from[c.source]
	i := slices.Index(all, c)
	if i < 0 {
		return
	}
	h.total--
	if all = slices.Delete(all, i, i+1); len(all) == 0 {
		delete(h.from, c.source)
		return
	}
	h.from[c.source] = all
}

// surplus is the connection that can be spared most, and how many its address holds, which is no fewer than any other does. Among equals it
// is the oldest of those that have come least far. But those who exchange keys, or have, never fill more than half of the room: they may take
// their time, and newcomers need some to come as far.
func (h *handshakes) surplus() (spare *connection, most int) {
	for _, all := range h.from {
		most = max(most, len(all))
	}
	var ahead, behind *connection
	balance := 0
	for _, all := range h.from {
		if len(all) < most {
			continue
		}
		for _, c := range all {
			if c.step() == exchanging {
				ahead = h.sooner(c, ahead)
				balance++
			} else {
				behind = h.sooner(c, behind)
				balance--
			}
		}
	}
	if balance >= 0 {
		return ahead, most
	}
	return behind, most
}

// sooner is which of two has to go first; there may be no other.
func (h *handshakes) sooner(c, other *connection) *connection {
	if other == nil {
		return c
	}
	a, b := h.standing(c), h.standing(other)
	if a < b || a == b && c.arrival < other.arrival {
		return c
	}
	return other
}

// standing is the step that a connection has come to. The latest few have not had the time to say anything, or nobody has had the time to hear
// it: they count as if they had.
func (h *handshakes) standing(c *connection) step {
	at := c.step()
	if latest := uint64(max(1, h.limit/latestPart)); at == silent && c.arrival+latest >= h.next {
		return talking
	}
	return at
}

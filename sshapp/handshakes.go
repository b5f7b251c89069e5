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
// is one that has sent nothing, and the oldest of those; the newcomer counts as one that has.
func (h *handshakes) surplus() (spare *connection, most int) {
	for _, all := range h.from {
		most = max(most, len(all))
	}
	for _, all := range h.from {
		if len(all) < most {
			continue
		}
		for _, c := range all {
			if spare == nil || h.rather(c, spare) {
				spare = c
			}
		}
	}
	return spare, most
}

// rather reports whether c can be spared more than another.
func (h *handshakes) rather(c, other *connection) bool {
	silent := func(c *connection) bool { return c.arrival != h.next-1 && !c.spoke.Load() }
	if a, b := silent(c), silent(other); a != b {
		return a
	}
	return c.arrival < other.arrival
}

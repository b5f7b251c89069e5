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
	most := h.most()
	if len(most) <= fewHandshakes && h.total <= h.returning {
		return nil
	}
	evicted = h.surplus(most)
	h.drop(evicted)
	return evicted
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

// most are the connections of the address that holds most of them; among equals, of the one that was there first.
func (h *handshakes) most() (most []*connection) {
	for _, all := range h.from {
		if len(all) > len(most) || len(all) == len(most) && all[0].arrival < most[0].arrival {
			most = all
		}
	}
	return most
}

// surplus is the connection that can be spared most: the oldest that has sent nothing, or else the oldest.
func (h *handshakes) surplus(most []*connection) *connection {
	for _, c := range most {
		if newcomer := c.arrival == h.next-1; !newcomer && !c.spoke.Load() {
			return c
		}
	}
	return most[0]
}

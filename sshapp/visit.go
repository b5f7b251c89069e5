package sshapp

import (
	"net/netip"
	"slices"

	"notakto/match"
)

// visit is one session's place in the house, or in the line before it. It may be used from any goroutine.
type visit struct {
	census  *census
	address netip.Prefix
	player  match.PlayerID
	moved   chan struct{} // has a value when the place has changed

	place int // in line, from 1 on; 0 inside; guarded by the census
}

// standing is the place in line, from 1 on, or 0 inside.
func (v *visit) standing() int {
	v.census.mu.Lock()
	defer v.census.mu.Unlock()
	return v.place
}

// leave counts the session out, and lets in who is next.
func (v *visit) leave() {
	c := v.census
	c.mu.Lock()
	defer c.mu.Unlock()
	decrease(c.byAddress, v.address)
	if decrease(c.byPlayer, v.player); c.byPlayer[v.player] == 0 {
		c.addresses.depart(v.player)
	}
	if v.place > 0 {
		c.line = slices.Delete(c.line, v.place-1, v.place)
	} else {
		c.total--
	}
	if len(c.line) > 0 && c.total < c.settings.MaxSessions && !c.closed {
		c.line[0].move(0)
		c.line = slices.Delete(c.line, 0, 1)
		c.total++
	}
	for i, other := range c.line {
		other.move(i + 1)
	}
	if c.closed && c.empty() {
		close(c.emptied)
	}
}

// move gives a new place in line; the census is locked.
func (v *visit) move(place int) {
	if v.place == place {
		return
	}
	v.place = place
	select {
	case v.moved <- struct{}{}:
	default: // nobody has looked since it moved before
	}
}

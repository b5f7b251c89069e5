package sshapp

import (
	"context"
	"net/netip"
	"sync/atomic"
	"time"

	"notakto/match"
)

// visit is one session's place in the house, or in the line before it. It may be used from any goroutine.
type visit struct {
	census  *census
	address netip.Prefix
	player  match.PlayerID
	end     context.CancelCauseFunc // ends the session
	moved   chan struct{}           // has a value when the place has changed
	heard   atomic.Int64            // when the player last typed something, in Unix nanoseconds; 0 for never

	// The rest is guarded by the census.
	place     int       // in line, from 1 on; 0 inside
	plays     bool      // the player, at this session, at the last look
	idleSince time.Time // since when the player has not played here, as far as that was looked at
	evicted   bool      // it has given way, and is ending
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
	if v.evicted {
		c.leaving--
	} else {
		c.remove(v)
		c.admitNext()
	}
	if c.closed && c.count() == 0 {
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

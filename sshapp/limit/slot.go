package limit

import (
	"context"
	"net/netip"
	"sync/atomic"
	"time"

	"notakto/match"
)

// Slot is one session's place in the server, or in the line before it. It may be used from any goroutine.
type Slot struct {
	admission *Admission
	address   netip.Prefix
	player    match.PlayerID
	priority  Priority
	end       context.CancelCauseFunc // ends the session
	Moved     chan struct{}           // has a value when the place has changed; only to be received from
	typedAt   atomic.Int64            // when the player last typed something, in Unix nanoseconds; 0 for never

	// The rest is guarded by the admission.
	queuePosition int       // in line, from 1 on; 0 inside
	isPlaying     bool      // the player, at this session, at the last look
	idleSince     time.Time // since when the player has not played here, as far as that was looked at
	evicted       bool      // it has given way, and is ending
}

// NoteTyped records that the player has typed something.
func (v *Slot) NoteTyped() { v.typedAt.Store(time.Now().UnixNano()) }

// TypedAt returns when the player last typed something; zero for never.
func (v *Slot) TypedAt() time.Time {
	if at := v.typedAt.Load(); at != 0 {
		return time.Unix(0, at)
	}
	return time.Time{}
}

// HasTyped reports whether the player has typed something.
func (v *Slot) HasTyped() bool { return v.typedAt.Load() != 0 }

// Position is the place in line, from 1 on, or 0 inside.
func (v *Slot) Position() int {
	v.admission.mu.Lock()
	defer v.admission.mu.Unlock()
	return v.queuePosition
}

// Leave counts the session out, and lets in who is next. A session that was not counted in has no slot, and may leave.
func (v *Slot) Leave() {
	if v == nil {
		return
	}
	c := v.admission
	c.mu.Lock()
	defer c.mu.Unlock()
	if v.evicted {
		c.leaving--
	} else {
		c.remove(v)
		c.admitNext()
	}
	if c.closed && c.count() == 0 {
		close(c.empty)
	}
}

// move gives a new place in line; the admission is locked.
func (v *Slot) move(place int) {
	if v.queuePosition == place {
		return
	}
	v.queuePosition = place
	select {
	case v.Moved <- struct{}{}:
	default: // it was not received since it moved before
	}
}

package sshapp

import (
	"net"
	"time"
)

// maxSilence is how long what was sent may stay unacknowledged. The kernel has a limit of its own, but counts from when it first sends
// again, and on a link that was bad before it waits so long with that that a peer behind a dead one is found out after half a minute.
const maxSilence = 18 * time.Second

// silenceLook is the least time between two looks at what the kernel knows.
const silenceLook = time.Second

// silence finds out whether a peer has gone behind a dead link while it is being written to. Nothing else needs it: on a still link the
// kernel asks.
type silence struct {
	heard  time.Time // when the peer last sent something
	looked time.Time
	since  time.Time // the first of the looks at which something was unacknowledged; zero if nothing was
}

// broken takes note that the peer has sent something. What was unacknowledged until then says nothing of the link.
func (s *silence) broken(now time.Time) { s.heard, s.since = now, time.Time{} }

// tooLong looks, if it is time to, and reports whether the peer has acknowledged nothing for too long. It is not time to after a peer has
// just sent something: most writes answer a key, and each look is a call to the kernel.
func (s *silence) tooLong(conn net.Conn, now time.Time) bool {
	if now.Sub(s.looked) < silenceLook || now.Sub(s.heard) < silenceLook {
		return false
	}
	s.looked = now
	waiting, heard := acknowledged(tcpOf(conn))
	switch {
	case !waiting:
		s.since = time.Time{}
	case s.since.IsZero():
		s.since = now
	}
	return waiting && heard >= maxSilence && now.Sub(s.since) >= maxSilence
}

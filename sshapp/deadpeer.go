package sshapp

import (
	"net"
	"time"
)

// maxUnacknowledged is how long what was sent may stay unacknowledged. The kernel has a limit of its own, but counts
// from when it first sends again, and on a link that was bad before it waits so long with that that a peer behind a
// dead one is found out after half a minute.
const maxUnacknowledged = 18 * time.Second

// deadPeerCheckEvery is the least time between two looks at what the kernel knows.
const deadPeerCheckEvery = time.Second

// deadPeerDetector finds out whether a peer has gone behind a dead link while it is being written to. Nothing else
// needs it: on a still link the kernel asks.
type deadPeerDetector struct {
	lastRead time.Time // when the peer last sent something
	checked  time.Time
	since    time.Time // the first of the looks at which something was unacknowledged; zero if nothing was
}

// noteRead takes note that the peer has sent something. What was unacknowledged until then says nothing of the link.
func (s *deadPeerDetector) noteRead(now time.Time) { s.lastRead, s.since = now, time.Time{} }

// tooLong looks, if it is time to, and reports whether the peer has acknowledged nothing for too long. It is not time
// to after a peer has just sent something: most writes answer a key, and each look is a call to the kernel.
func (s *deadPeerDetector) tooLong(conn net.Conn, now time.Time) bool {
	if now.Sub(s.checked) < deadPeerCheckEvery || now.Sub(s.lastRead) < deadPeerCheckEvery {
		return false
	}
	s.checked = now
	waiting, received := acknowledged(tcpOf(conn))
	switch {
	case !waiting:
		s.since = time.Time{}
	case s.since.IsZero():
		s.since = now
	}
	return waiting && received >= maxUnacknowledged && now.Sub(s.since) >= maxUnacknowledged
}

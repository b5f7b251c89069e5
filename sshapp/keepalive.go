package sshapp

import (
	"sync/atomic"
	"time"

	"notakto/sshapp/limit"

	gossh "golang.org/x/crypto/ssh"
)

// keepAlive asks a client that has sent nothing for a while whether it is still there, as OpenSSH does, and closes the
// connection if no answer comes within as long again. The first call on a connection starts it. No goroutine waits
// between the questions.
func (c *connection) keepAlive(conn gossh.Conn, every time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timers.asking != nil || c.state == connClosed {
		return
	}
	c.timers.asking = time.AfterFunc(every, func() {
		c.mu.Lock()
		still := time.Since(c.deadPeer.lastRead) // for so long the client has sent nothing
		c.mu.Unlock()
		if still < every {
			c.askIn(every - still)
			return
		}
		overdue := time.AfterFunc(every, func() { c.disconnect(limit.NoAnswer, errNoAnswer) })
		defer overdue.Stop()
		if c.roundTrip.ask(conn) == nil {
			c.askIn(every)
		}
	})
}

// roundTrip is how long the way to a client and back takes at least. Its methods may be called from any goroutine.
type roundTrip struct{ took atomic.Int64 }

// least returns how long the quickest answer took; zero before the first one. A client that has just begun is busy, and
// answers late.
func (r *roundTrip) least() time.Duration { return time.Duration(r.took.Load()) }

// roundTripQuestions is how many questions tell the round trip of a client that has just begun.
const roundTripQuestions = 3

// ask waits until the client has answered a question, and takes note of how long that took.
func (r *roundTrip) ask(conn gossh.Conn) error {
	began := time.Now()
	_, _, err := conn.SendRequest("keepalive@openssh.com", true, nil)
	if took, before := int64(time.Since(began)), r.took.Load(); err == nil && (before == 0 || took < before) {
		r.took.Store(took)
	}
	return err
}

// measure asks the client at once, whether or not it has been silent, and does not wait for the answers. One that never
// comes costs a goroutine until the connection is closed.
func (r *roundTrip) measure(conn gossh.Conn) {
	time.AfterFunc(0, func() {
		for range roundTripQuestions {
			if r.ask(conn) != nil {
				return
			}
		}
	})
}

func (c *connection) askIn(pause time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state != connClosed {
		c.timers.asking.Reset(pause)
	}
}

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

// roundTrip is how long the way to a client and back takes. Its methods may be called from any goroutine.
type roundTrip struct{ took atomic.Int64 }

// last returns how long the last question took; zero before the first answer.
func (r *roundTrip) last() time.Duration { return time.Duration(r.took.Load()) }

// ask waits until the client has answered a question, and takes note of how long that took.
func (r *roundTrip) ask(conn gossh.Conn) error {
	began := time.Now()
	_, _, err := conn.SendRequest("keepalive@openssh.com", true, nil)
	if err == nil {
		r.took.Store(int64(time.Since(began)))
	}
	return err
}

// measure asks the client at once, whether or not it has been silent, and does not wait for the answer. One that never
// comes costs a goroutine until the connection is closed.
func (r *roundTrip) measure(conn gossh.Conn) {
	time.AfterFunc(0, func() { _ = r.ask(conn) })
}

func (c *connection) askIn(pause time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state != connClosed {
		c.timers.asking.Reset(pause)
	}
}

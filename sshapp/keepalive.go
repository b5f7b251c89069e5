package sshapp

import (
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
		if _, _, err := conn.SendRequest("keepalive@openssh.com", true, nil); err == nil {
			c.askIn(every)
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

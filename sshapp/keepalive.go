package sshapp

import (
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// keepAlive asks the client from time to time whether it is still there, as OpenSSH does, and closes the connection if no answer comes
// before the next question is due. The first call on a connection starts it. No goroutine waits between the questions.
func (c *connection) keepAlive(conn gossh.Conn, every time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asking != nil || c.closed {
		return
	}
	c.asking = time.AfterFunc(every, func() {
		overdue := time.AfterFunc(every, func() { c.hangUp(noAnswer) })
		defer overdue.Stop()
		if _, _, err := conn.SendRequest("keepalive@openssh.com", true, nil); err == nil {
			c.askAgain(every)
		}
	})
}

func (c *connection) askAgain(every time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.asking.Reset(every)
	}
}

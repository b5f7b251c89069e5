package sshapp

import "notakto/sshapp/limit"

// open counts a channel in, or reports that there are too many.
func (c *connection) open(most int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.channels >= most {
		return false
	}
	c.channels++
	c.unused.Stop()
	c.leavePreauth(&c.PreauthConn)
	return true
}

// release counts a channel out. A connection without any counts as one that has yet to log in.
func (c *connection) release() {
	var evicted *limit.PreauthConn
	c.mu.Lock()
	if c.channels--; c.channels == 0 && !c.closed {
		c.unused.Reset(c.start)
		evicted = c.reenterPreauth(&c.PreauthConn)
	}
	c.mu.Unlock()
	if evicted != nil {
		evicted.Owner.Evict()
	}
}

// refused counts a refused channel and closes a connection that goes on asking.
func (c *connection) refused(most int) {
	c.mu.Lock()
	c.rejections++
	over := c.rejections > most
	c.mu.Unlock()
	if over {
		c.disconnect(limit.TooManyRequests, errTooManyRequests)
	}
}

package sshapp

// open counts a channel in, or reports that there are too many.
func (c *connection) open(limit int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.channels >= limit {
		return false
	}
	c.channels++
	c.unused.Stop()
	c.leavePreauth(&c.preauthConn)
	return true
}

// release counts a channel out. A connection without any counts as one that has yet to log in.
func (c *connection) release() {
	var evicted *preauthConn
	c.mu.Lock()
	if c.channels--; c.channels == 0 && !c.closed {
		c.unused.Reset(c.start)
		evicted = c.reenterPreauth(&c.preauthConn)
	}
	c.mu.Unlock()
	if evicted != nil {
		evicted.owner.evict()
	}
}

// refused counts a refused channel and closes a connection that goes on asking.
func (c *connection) refused(limit int) {
	c.mu.Lock()
	c.rejections++
	over := c.rejections > limit
	c.mu.Unlock()
	if over {
		c.disconnect(tooManyRequests, errTooManyRequests)
	}
}

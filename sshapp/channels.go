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
	return true
}

// release counts a channel out.
func (c *connection) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.channels--; c.channels == 0 && !c.closed {
		c.unused.Reset(c.start)
	}
}

// refused counts a refused channel and closes a connection that goes on asking.
func (c *connection) refused(limit int) {
	c.mu.Lock()
	c.refusals++
	over := c.refusals > limit
	c.mu.Unlock()
	if over {
		c.hangUp(tooManyRequests)
	}
}

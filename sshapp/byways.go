package sshapp

import (
	"io"
	"slices"
	"time"
)

// maxQuiet is how much a connection may have sent before somebody watches what it sends beside the input of its sessions.
const maxQuiet = 32 << 10

// hear counts bytes that have come, and takes note that they have. The first maxQuiet are too few to matter; watching costs a goroutine a channel, which most never need.
func (c *connection) hear(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.silence.broken(time.Now())
	if c.received > maxQuiet {
		return
	}
	if c.received += n; c.received > maxQuiet {
		for _, byway := range c.byways {
			go c.watch(byway)
		}
	}
}

// watch hangs up on a client that sends what only servers send (extended data: RFC 4254, section 5.2). Nobody would read it, so it would
// be kept, two megabytes a channel. It returns when the channel is closed.
func (c *connection) watch(byway io.Reader) {
	if n, _ := byway.Read(make([]byte, 1)); n > 0 {
		c.expel(unreadInput, errUnreadInput)
	}
}

// guardByway has a channel's extended data watched as soon as the connection has sent much, until unguard is called.
func (c *connection) guardByway(byway io.Reader) (unguard func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.received > maxQuiet {
		go c.watch(byway)
		return func() {}
	}
	c.byways = append(c.byways, byway)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if i := slices.Index(c.byways, byway); i >= 0 {
			c.byways = slices.Delete(c.byways, i, i+1)
		}
	}
}

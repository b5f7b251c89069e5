package sshapp

import (
	"io"
	"slices"
	"time"

	"notakto/sshapp/limit"
)

// maxQuiet is how much a connection may have sent before somebody watches what it sends beside the input of its
// sessions.
const maxQuiet = 32 << 10

// noteRead counts bytes that have come, and takes note that they have. The first maxQuiet are too few to matter;
// watching costs a goroutine a channel, which most never need.
func (c *connection) noteRead(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.deadPeer.noteRead(time.Now())
	if c.received > maxQuiet {
		return
	}
	if c.received += n; c.received > maxQuiet {
		for _, data := range c.extended {
			go c.watch(data)
		}
	}
}

// watch hangs up on a client that sends what only servers send (extended data: RFC 4254, section 5.2). Nobody would
// read it, so it would be kept, two megabytes a channel. It returns when the channel is closed.
func (c *connection) watch(data io.Reader) {
	if n, _ := data.Read(make([]byte, 1)); n > 0 {
		c.disconnect(limit.UnreadInput, errUnreadInput)
	}
}

// guardExtended has a channel's extended data watched as soon as the connection has sent much, until unguard is called.
func (c *connection) guardExtended(data io.Reader) (unguard func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.received > maxQuiet {
		go c.watch(data)
		return func() {}
	}
	c.extended = append(c.extended, data)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if i := slices.Index(c.extended, data); i >= 0 {
			c.extended = slices.Delete(c.extended, i, i+1)
		}
	}
}

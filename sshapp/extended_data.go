package sshapp

import (
	"io"
	"slices"
	"time"

	"notakto/sshapp/limit"
)

// maxQuiet is how much a connection may have sent before a goroutine watches what it sends beside the input of its
// sessions.
const maxQuiet = 32 << 10

// extendedData is what a client sends beside the input of its sessions.
type extendedData struct {
	received int         // bytes of the whole connection, until they are more than maxQuiet
	streams  []io.Reader // what may bring such data; watched from then on
}

// noteRead counts bytes that have come, and takes note that they have. The first maxQuiet are too few to matter;
// watching costs a goroutine a channel, which most never need.
func (c *connection) noteRead(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.deadPeer.noteRead(time.Now())
	if c.extended.received > maxQuiet {
		return
	}
	if c.extended.received += n; c.extended.received > maxQuiet {
		for _, data := range c.extended.streams {
			go c.watchExtended(data)
		}
	}
}

// watchExtended hangs up on a client that sends what only servers send (extended data: RFC 4254, section 5.2). No
// session reads it, so it would be kept, two megabytes a channel. It returns when the channel is closed.
func (c *connection) watchExtended(data io.Reader) {
	if n, _ := data.Read(make([]byte, 1)); n > 0 {
		c.disconnect(limit.UnreadInput, errUnreadInput)
	}
}

// guardExtended has a channel's extended data watched as soon as the connection has sent much, until unguard is called.
func (c *connection) guardExtended(data io.Reader) (unguard func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.extended.received > maxQuiet {
		go c.watchExtended(data)
		return func() {}
	}
	c.extended.streams = append(c.extended.streams, data)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if i := slices.Index(c.extended.streams, data); i >= 0 {
			c.extended.streams = slices.Delete(c.extended.streams, i, i+1)
		}
	}
}

package sshapp

import "time"

// Read reads what the client types or sends, no faster than any session needs it.
func (c *channel) Read(p []byte) (int, error) {
	n, err := c.input.Read(p)
	if n > 0 {
		c.link.input.give(n)
		c.slow(n)
	}
	return n, err
}

// slow holds up a session that is sent much, until the session ends.
func (c *channel) slow(n int) {
	pause := c.pace.ReserveN(time.Now(), min(n, c.pace.Burst())).Delay()
	if pause <= 0 {
		return
	}
	c.link.input.hold()
	defer c.link.input.release()
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-c.life.Done():
	}
}

package journal

import (
	"sync"
	"time"
)

// clock is the clock of the log as it is known here: the stamp of a message of this process and the time since. A message was stamped
// between the moments when it was sent and when it came back; the middle is taken.
type clock struct {
	own *steady // nil if the stamps are made by other processes too

	mu    sync.Mutex
	stamp time.Time
	taken time.Time
}

// sample takes the stamp of a message that was sent at began and has come back now.
func (c *clock) sample(began, stamp time.Time) {
	if c.own != nil {
		return
	}
	now := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	if now.Sub(began) < time.Second || c.taken.IsZero() { // a slow one tells little
		c.stamp, c.taken = stamp, began.Add(now.Sub(began)/2)
	}
}

// read is when a message was stamped that is read now.
func (c *clock) read(stamp time.Time) time.Time {
	if c.own != nil {
		return c.own.read(stamp)
	}
	return stamp
}

// now is never before newest, the last stamp that came here.
func (c *clock) now(newest time.Time) time.Time {
	if c.own != nil {
		return c.own.now()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.taken.IsZero() {
		return latest(time.Now(), newest)
	}
	return latest(c.stamp.Add(time.Since(c.taken)), newest)
}

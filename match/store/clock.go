package store

import (
	"sync"
	"time"
)

// renewClock is how long the best answer of a database about its time counts. Its clock and ours drift apart.
const renewClock = 5 * time.Minute

// clock tells the time of the database, or of this process if the database has none. It never goes back, also when the
// system clock is set. It may be used from any goroutine.
type clock struct {
	mu     sync.Mutex
	base   time.Time // has a monotonic reading
	offset time.Duration
	best   time.Duration // the offset by the answer, of those since the last renewal, that came soonest
	renew  time.Time
	last   time.Time // that was told
}

// newClock returns a clock that has the time of the system, but not before a time.
func newClock(notBefore time.Time) *clock {
	c := &clock{base: time.Now()}
	c.offset = max(0, notBefore.Sub(c.base))
	c.best = c.offset
	return c
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.base.Round(0).Add(time.Since(c.base) + c.offset)
	if now.Before(c.last) {
		return c.last
	}
	c.last = now
	return now
}

// set takes the time that the database has just told. An answer that took long makes the clock late, so the offset of
// the fastest answer counts.
func (c *clock) set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	elapsed := time.Since(c.base)
	offset := now.Sub(c.base.Round(0).Add(elapsed))
	switch at := c.base.Add(elapsed); {
	case c.renew.IsZero():
		c.offset, c.best, c.renew = offset, offset, at.Add(renewClock)
	case at.After(c.renew):
		c.offset, c.best, c.renew = max(c.best, offset), offset, at.Add(renewClock)
	default:
		c.best = max(c.best, offset)
		c.offset = max(c.offset, offset)
	}
	if now.After(c.last) {
		c.last = now
	}
}

// pass has the clock tell no time before a recorded one.
func (c *clock) pass(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at.After(c.last) {
		c.last = at
	}
}

package store

import (
	"sync"
	"time"
)

// renewClock is the time for which the best answer of a database about its time is used. The clocks of database and
// server drift apart.
const renewClock = 5 * time.Minute

// clock tells the time of the database, or of this process if the database has none. The time never goes back, even if
// the system clock is set. A clock is safe for concurrent use.
type clock struct {
	mu     sync.Mutex
	base   time.Time // of this process, with a monotonic reading
	offset time.Duration
	best   time.Duration // the largest offset of the answers since the last renewal
	renew  time.Time     // when best replaces an older offset; zero before the first answer
	last   time.Time     // the newest time that now has returned or must not precede
}

// newClock returns a clock that starts at the time of the system, or at notBefore if that is later.
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

// set takes the time that the database has just told. An answer that took long makes the clock late, so the largest
// offset counts, which comes from the fastest answer.
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

// pass keeps the clock from telling a time before at, the time of a record.
func (c *clock) pass(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at.After(c.last) {
		c.last = at
	}
}

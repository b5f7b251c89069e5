package store

import (
	"sync"
	"time"
)

// offsetLife is the time after which set may lower the offset, because the clocks of database and server drift apart.
const offsetLife = 5 * time.Minute

// clock tells the time of the database, or of this process if the database has no clock. The time never goes back,
// even if the system clock is set. A clock is safe for concurrent use.
type clock struct {
	mu        sync.Mutex
	base      time.Time     // of this process, with a monotonic reading
	offset    time.Duration // from the time of this process to the time that the method now returns
	best      time.Duration // the largest offset of the answers since the last renewal
	renew     time.Time     // when best replaces an older offset, zero before the first answer
	notBefore time.Time     // the method now returns no earlier time
}

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
	if now.Before(c.notBefore) {
		return c.notBefore
	}
	c.notBefore = now
	return now
}

// set corrects the offset with now, a time that the database has just returned. A slow answer has an offset that is too
// small. The largest offset counts, because it comes from the fastest answer.
func (c *clock) set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	elapsed := time.Since(c.base)
	offset := now.Sub(c.base.Round(0).Add(elapsed))
	switch at := c.base.Add(elapsed); {
	case c.renew.IsZero():
		c.offset, c.best, c.renew = offset, offset, at.Add(offsetLife)
	case at.After(c.renew):
		c.offset, c.best, c.renew = max(c.best, offset), offset, at.Add(offsetLife)
	default:
		c.best = max(c.best, offset)
		c.offset = max(c.offset, offset)
	}
	if now.After(c.notBefore) {
		c.notBefore = now
	}
}

// advance tells the clock the time of a row. The method now returns no time before recorded.
func (c *clock) advance(recorded time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if recorded.After(c.notBefore) {
		c.notBefore = recorded
	}
}

package store

import (
	"testing"
	"time"
)

// The clock begins with the last record, follows the fastest answer of the database, and never goes back.
func TestTheClockFollowsTheDatabase(t *testing.T) {
	start := time.Now()
	is := func(now, want time.Time) {
		t.Helper()
		if off := now.Sub(want); off < 0 || off > time.Minute {
			t.Errorf("the clock is off by %v", off)
		}
	}
	is(newClock(start.Add(time.Hour)).now(), start.Add(time.Hour))
	c := newClock(time.Time{})
	is(c.now(), start)
	for _, ahead := range []time.Duration{time.Hour, time.Hour - 100*time.Millisecond, time.Hour - time.Second} {
		c.set(time.Now().Add(ahead))
		is(c.now(), start.Add(time.Hour))
	}
	before := c.now()
	c.renew = time.Now().Add(-time.Second) // the offset has to be renewed
	c.best = 0
	c.set(time.Now().Add(30 * time.Minute))
	is(c.now(), before)
	if c.offset > 31*time.Minute {
		t.Errorf("the offset is still %v", c.offset)
	}
	c.advance(start.Add(2 * time.Hour))
	is(c.now(), start.Add(2*time.Hour))
}

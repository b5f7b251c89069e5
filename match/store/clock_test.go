package store

import (
	"testing"
	"time"
)

func TestTheClockIsNotBeforeWhatWasRecorded(t *testing.T) {
	later := time.Now().Add(time.Hour)
	if now := newClock(later).now(); now.Before(later) {
		t.Errorf("it is %v, the last record is of %v", now, later)
	}
	if now := newClock(time.Time{}).now(); time.Since(now).Abs() > time.Minute {
		t.Errorf("without records it is %v", now)
	}
}

// The clock follows the fastest answer of the database, and never goes back.
func TestTheClockFollowsTheDatabase(t *testing.T) {
	c := newClock(time.Time{})
	start := time.Now()
	for _, ahead := range []time.Duration{time.Hour, time.Hour - 100*time.Millisecond, time.Hour - time.Second} {
		c.set(time.Now().Add(ahead))
		if off := c.now().Sub(start.Add(time.Hour)); off < 0 || off > time.Minute {
			t.Errorf("after an answer %v ahead the clock is off by %v", ahead, off)
		}
	}
	before := c.now()
	c.renew = time.Now().Add(-time.Second) // the offset has to be renewed
	c.best = 0
	c.set(time.Now().Add(30 * time.Minute))
	if now := c.now(); now.Before(before) {
		t.Errorf("it is %v after %v", now, before)
	}
	if c.offset > 31*time.Minute {
		t.Errorf("the offset is still %v", c.offset)
	}
	c.advance(start.Add(2 * time.Hour))
	if now := c.now(); now.Before(start.Add(2 * time.Hour)) {
		t.Errorf("it is %v", now)
	}
}

package journal

import "time"

// maxDelay is how old a message may seem that comes live. One that seems older was stamped by a server whose clock is
// behind, or it was held up: then the time of its arrival is taken, by which no player is charged more.
const maxDelay = 2 * time.Second

// clock is this process's clock: the system's at the start, and the time since. It neither stands still nor leaps when
// the system's clock is set, or when a server with another clock begins to stamp the messages. The zero value is not
// usable.
type clock struct {
	start time.Time // by the system's clock
	begun time.Time // the same moment, with its monotonic reading
}

func newClock() clock {
	now := time.Now()
	return clock{start: now.Round(0), begun: now}
}

func (c clock) now() time.Time { return c.start.Add(time.Since(c.begun)) }

// read returns the time of a message by this clock. A message that comes live was stamped just now; one that is read at
// the start was stamped at any time before. Neither is in the future.
func (c clock) read(stamp time.Time, live bool) time.Time {
	now := c.now()
	if age := now.Sub(stamp); age < 0 || live && age > maxDelay {
		return now
	}
	return stamp
}

// past returns at, or now if that is in the future: another node may have recorded it while its clock was ahead.
func (c clock) past(at time.Time) time.Time { return c.read(at, false) }

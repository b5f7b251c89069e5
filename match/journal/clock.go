package journal

import "time"

// maxDelay is the maximum age, by its stamp, of a live message. An older one was delayed, or stamped by a server whose
// clock is behind: it gets the time of its arrival, so that no player's clock loses time.
const maxDelay = 2 * time.Second

// clock is this process's clock: the system's at the start, plus the monotonic time since. It does not jump when the
// system's clock is set, or when a server with another clock stamps the messages. The zero value is not usable.
type clock struct {
	start time.Time // by the system's clock
	begun time.Time // the same moment, with its monotonic reading
}

func newClock() clock {
	now := time.Now()
	return clock{start: now.Round(0), begun: now}
}

func (c clock) now() time.Time { return c.start.Add(time.Since(c.begun)) }

// read converts the stamp of a message to this clock. A live message was stamped just now, others at any time before.
// The result is never in the future.
func (c clock) read(stamp time.Time, live bool) time.Time {
	now := c.now()
	if age := now.Sub(stamp); age < 0 || live && age > maxDelay {
		return now
	}
	return stamp
}

// past returns at, or now if that is in the future: another node may have recorded it while its clock was ahead.
func (c clock) past(at time.Time) time.Time { return c.read(at, false) }

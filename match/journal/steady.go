package journal

import "time"

// leap is how far a clock that nobody sets does not get away from the one that measures durations.
const leap = time.Second

// steady is this process's clock as it would go on if nobody set it. The system's clock may leap, by an hour even: after a start without a
// network, or when a virtual machine is taken up again. Nobody loses a match by that.
type steady struct {
	begun time.Time
	wall  func() time.Time // the system's clock, which is what messages are stamped by
}

func newSteady() *steady {
	return &steady{begun: time.Now(), wall: func() time.Time { return time.Now().Round(0) }}
}

func (s *steady) now() time.Time { return s.begun.Add(time.Since(s.begun)) }

// read is when a message was stamped that is read now, and never in the future, which is what a log has that was written while the clock was
// ahead.
func (s *steady) read(stamp time.Time) time.Time {
	now := s.now()
	if ahead := s.wall().Sub(now); ahead.Abs() > leap {
		stamp = stamp.Add(-ahead)
	}
	if stamp.After(now) {
		return now
	}
	return stamp
}

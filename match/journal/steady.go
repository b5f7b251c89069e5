package journal

import (
	"sync"
	"time"
)

// leap is how far a clock that nobody sets does not get away from the one that measures durations.
const leap = time.Second

// steady is this process's clock as it would go on if nobody set it. The system's clock may leap, by an hour even: after a start without a
// network, or when a virtual machine is taken up again. Nobody loses a match by that.
type steady struct {
	begun time.Time
	wall  func() time.Time // the system's clock, which is what messages are stamped by

	mu            sync.Mutex
	ahead, before time.Duration // how far the system's clock is ahead, and was before its last leap
}

// newSteady takes the system's clock, or what stands for it.
func newSteady(wall func() time.Time) *steady {
	if wall == nil {
		wall = time.Now
	}
	return &steady{begun: time.Now(), wall: wall}
}

func (s *steady) now() time.Time { return s.begun.Add(time.Since(s.begun)) }

// read is when a message was stamped that is read now, be it before the last leap or after. That is never in the future, which is what a log
// has that was written while the clock was ahead.
func (s *steady) read(stamp time.Time) time.Time {
	now, wall := s.now(), s.wall().Round(0)
	s.mu.Lock()
	defer s.mu.Unlock()
	if ahead := wall.Sub(now); (ahead - s.ahead).Abs() > leap {
		s.ahead, s.before = ahead, s.ahead
	}
	one, other := stamp.Add(-s.ahead), stamp.Add(-s.before)
	switch {
	case one.After(now) && other.After(now):
		return now
	case one.After(now), other.After(one) && !other.After(now):
		return other
	default:
		return one
	}
}

package lobby

import (
	"sync/atomic"
	"time"

	"notakto/match/stats"
)

// Stats is what monitors read of the seeks of this node.
type Stats struct {
	Waiting atomic.Int64 // players

	// How long players waited, by what ended that: an opponent, the player, a move to another node, or anything else.
	Paired, Cancelled, Moved, Lost *stats.Histogram
}

func newStats() *Stats {
	waits := func() *stats.Histogram {
		return stats.NewHistogram(time.Second, 2*time.Second, 5*time.Second, 10*time.Second, 30*time.Second, time.Minute,
			2*time.Minute, 5*time.Minute, 10*time.Minute)
	}
	return &Stats{Paired: waits(), Cancelled: waits(), Moved: waits(), Lost: waits()}
}

// begun counts a seek.
func (c *Stats) begun(s *Seek) {
	s.begunAt = time.Now()
	c.Waiting.Add(1)
}

// ended counts the end of a seek.
func (c *Stats) ended(s *Seek) {
	c.Waiting.Add(-1)
	waits := c.Lost
	switch {
	case s.status.Match != "":
		waits = c.Paired
	case s.status.Moved:
		waits = c.Moved
	case s.isCancelled:
		waits = c.Cancelled
	}
	waits.Observe(time.Since(s.begunAt))
}

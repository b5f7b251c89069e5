package journal

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"notakto/match"
	"notakto/match/journal/natsd"
	"notakto/match/stats"
)

const (
	// aliveWithin is how long a follower may give no sign that it goes on. One that waits for a server gives some.
	aliveWithin = time.Minute
	// measureEvery is how often the streams are measured.
	measureEvery = 5 * time.Second
)

// Stats is what monitors read of an open store.
type Stats struct {
	Node string // the name of this server in its cluster; empty on its own

	// How long it took to record events, by how that ended: recorded, another event came first, or anything else.
	Recorded, Conflicts, Unavailable *stats.Histogram

	natsd     *natsd.Node
	backup    atomic.Pointer[backupFacts]
	streams   atomic.Pointer[[]natsd.StreamFacts]
	followers []*follower
}

func newStats(n *natsd.Node) *Stats {
	const ms = time.Millisecond
	times := func() *stats.Histogram {
		return stats.NewHistogram(ms/2, ms, 2*ms, 5*ms, 10*ms, 25*ms, 50*ms, 100*ms, 250*ms, 500*ms, time.Second,
			2500*ms, 5*time.Second, 10*time.Second)
	}
	return &Stats{natsd: n, Recorded: times(), Conflicts: times(), Unavailable: times()}
}

// backupFacts is when a backup was complete, and how long it is.
type backupFacts struct {
	at   time.Time
	size int64
}

// Backup returns when the last backup since the store was opened was complete, and its bytes; false without one.
func (s *Stats) Backup() (at time.Time, size int64, ok bool) {
	if last := s.backup.Load(); last != nil {
		return last.at, last.size, true
	}
	return time.Time{}, 0, false
}

// appended counts a call of [Store.Append].
func (s *Stats) appended(err error, took time.Duration) {
	switch {
	case err == nil:
		s.Recorded.Observe(took)
	case errors.Is(err, match.ErrConflict), errors.Is(err, match.ErrArchived):
		s.Conflicts.Observe(took)
	default:
		s.Unavailable.Observe(took)
	}
}

// measure measures the streams from time to time until ctx ends.
func (s *Stats) measure(ctx context.Context) {
	for ctx.Err() == nil {
		if all := natsd.Measure(ctx, s.natsd); len(all) > 0 {
			s.streams.Store(&all)
		}
		natsd.Wait(ctx, measureEvery)
	}
}

// Streams returns the streams as they were a few seconds ago, or when their leaders last answered; none at first. The
// slice must not be modified.
func (s *Stats) Streams() []natsd.StreamFacts {
	if all := s.streams.Load(); all != nil {
		return *all
	}
	return nil
}

// Lag returns how many messages of a stream this server had not read when it was measured.
func (s *Stats) Lag(of natsd.StreamFacts) uint64 {
	for _, f := range s.followers {
		if f.stream.CachedInfo().Config.Name == of.Name {
			return max(of.LastSeq, f.delivered.Load()) - f.delivered.Load()
		}
	}
	return 0
}

// FreeBytes returns the free space of the journal's disk; false without a disk of its own.
func (s *Stats) FreeBytes() (n uint64, ok bool) {
	if s.natsd.Monitor == nil {
		return 0, false
	}
	return s.natsd.Monitor.Free.Load(), true
}

// Cluster returns what is known of the servers of the cluster; nil on its own.
func (s *Stats) Cluster() *natsd.ClusterFacts { return s.natsd.ClusterFacts.Load() }

// Alive returns an error if events are no longer delivered for a reason of this process's own, which only a restart
// ends. It does not depend on the disk or on other servers, and never blocks.
func (s *Stats) Alive() error {
	for _, f := range s.followers {
		if still := time.Since(time.Unix(0, f.ticked.Load())); still > aliveWithin {
			return fmt.Errorf("the follower of the stream %s has stood still for %v", f.stream.CachedInfo().Config.Name,
				still.Round(time.Second))
		}
	}
	return nil
}

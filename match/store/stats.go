package store

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"notakto/match"
	"notakto/match/stats"
)

// Stats is what monitors read of an open store. Its methods may be called from any goroutine, and never block.
type Stats struct {
	Engine string // "sqlite" or "postgres"

	// How long [Store.Append] took, by how that ended: recorded, another event came first, or anything else.
	Recorded, Conflicts, Unavailable *stats.Histogram
	// Commits counts the transactions that have written something. Appends that wait meanwhile share the next one.
	Commits atomic.Uint64

	facts  atomic.Pointer[facts]
	backup atomic.Pointer[backupFacts]
	busy   atomic.Int64 // since when the goroutine that commits decides or delivers, in Unix nanoseconds; 0 if it does not
	lost   <-chan struct{}
}

// facts are what the engine knows of the space that a database takes, in bytes.
type facts struct {
	size   int64
	free   uint64 // of the disk
	noFree bool   // the disk is elsewhere
}

// backupFacts is when a backup was complete, and its bytes.
type backupFacts struct {
	at   time.Time
	size int64
}

const (
	// aliveWithin is how long the goroutine that commits may decide or deliver. It waits for the database besides, which
	// does not count.
	aliveWithin = time.Minute
	// measureInterval is the time between two looks at the size of the database.
	measureInterval = time.Minute
	// measureTimeout is the time for a look at the size of a database.
	measureTimeout = 5 * time.Second
)

func newStats(engine string, lost <-chan struct{}) *Stats {
	const ms = time.Millisecond
	times := func() *stats.Histogram {
		return stats.NewHistogram(ms/2, ms, 2*ms, 5*ms, 10*ms, 25*ms, 50*ms, 100*ms, 250*ms, 500*ms, time.Second,
			2500*ms, 5*time.Second, 10*time.Second)
	}
	return &Stats{Engine: engine, Recorded: times(), Conflicts: times(), Unavailable: times(), lost: lost}
}

// Stats returns what monitors read of the store.
func (s *Store) Stats() *Stats { return s.stats }

// Alive returns why only a restart helps: the database has lost commits ([ErrLostCommits]), or the goroutine that
// commits is stuck in this process. A disk or a database that does not answer is no such reason.
func (s *Stats) Alive() error {
	select {
	case <-s.lost:
		return ErrLostCommits
	default:
	}
	began := s.busy.Load()
	if stuck := time.Since(time.Unix(0, began)); began != 0 && stuck > aliveWithin {
		return fmt.Errorf("the store has delivered nothing for %v", stuck.Round(time.Second))
	}
	return nil
}

// Size returns the size of the database in bytes, as it was up to a minute ago; false if it is not known.
func (s *Stats) Size() (bytes int64, ok bool) {
	if f := s.facts.Load(); f != nil {
		return f.size, true
	}
	return 0, false
}

// FreeBytes returns the free space of the database's disk, as it was up to a minute ago; false if it is not known, as
// with PostgreSQL.
func (s *Stats) FreeBytes() (bytes uint64, ok bool) {
	if f := s.facts.Load(); f != nil && !f.noFree {
		return f.free, true
	}
	return 0, false
}

// Backup returns when the last [Backup] since the store was opened was complete, and its bytes; false without one.
func (s *Stats) Backup() (at time.Time, bytes int64, ok bool) {
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

// begin notes that the goroutine that commits is busy until end is called.
func (s *Stats) begin() { s.busy.Store(time.Now().UnixNano()) }
func (s *Stats) end()   { s.busy.Store(0) }

// measure looks at the size of the database.
func (s *Stats) measure(ctx context.Context, e engine) {
	ctx, stop := context.WithTimeout(ctx, measureTimeout)
	defer stop()
	if f, err := e.measure(ctx); err == nil {
		s.facts.Store(&f)
	} else {
		s.facts.Store(nil)
	}
}

// keepMeasuring measures from time to time until ctx ends.
func (s *Stats) keepMeasuring(ctx context.Context, e engine) {
	tick := time.NewTicker(measureInterval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			s.measure(ctx, e)
		case <-ctx.Done():
			return
		}
	}
}

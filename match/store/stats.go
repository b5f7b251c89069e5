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

// Stats holds the figures of an open store for monitors. Its methods may be called from any goroutine, and never
// block.
type Stats struct {
	Engine string // "sqlite" or "postgres"

	// Recorded, Conflicts and Unavailable hold the times that calls of [Store.AppendWith] took, by their results.
	// Conflicts is for the errors [match.ErrConflict] and [match.ErrArchived], and Unavailable for any other error.
	Recorded, Conflicts, Unavailable *stats.Histogram
	// Commits counts the transactions that have written. Appends that wait during a transaction share the next one.
	Commits atomic.Uint64

	facts  atomic.Pointer[facts]
	backup atomic.Pointer[backupFacts]
	busy   atomic.Int64 // since when the committing goroutine decides or delivers, in Unix nanoseconds, or 0
	lost   <-chan struct{}
}

// facts holds the space that a database takes and that its disk has, in bytes.
type facts struct {
	size          int64
	free          uint64 // of the disk
	isFreeUnknown bool   // free is unknown, because the disk is on another machine
}

type backupFacts struct {
	at   time.Time
	size int64
}

const (
	// maxBusy limits the time that the committing goroutine decides or delivers without a pause. Waiting for a lock or a
	// commit of the database does not count, but queries within doFirst do. Every flush of doFirst restarts the limit.
	maxBusy         = time.Minute
	measureInterval = time.Minute
	measureTimeout  = 5 * time.Second
)

func newStats(engine string, lost <-chan struct{}) *Stats {
	const ms = time.Millisecond
	times := func() *stats.Histogram {
		return stats.NewHistogram(ms/2, ms, 2*ms, 5*ms, 10*ms, 25*ms, 50*ms, 100*ms, 250*ms, 500*ms, time.Second,
			2500*ms, 5*time.Second, 10*time.Second)
	}
	return &Stats{Engine: engine, Recorded: times(), Conflicts: times(), Unavailable: times(), lost: lost}
}

// Stats returns the figures of the store for monitors.
func (s *Store) Stats() *Stats { return s.stats }

// Alive returns an error if only a restart of the server helps. The error is [ErrLostCommits] for lost commits, or
// says that the committing goroutine is stuck. A disk or a database that does not answer is no error.
func (s *Stats) Alive() error {
	select {
	case <-s.lost:
		return ErrLostCommits
	default:
	}
	began := s.busy.Load()
	if stuck := time.Since(time.Unix(0, began)); began != 0 && stuck > maxBusy {
		return fmt.Errorf("the store has delivered nothing for %v", stuck.Round(time.Second))
	}
	return nil
}

// SizeBytes returns the size of the database in bytes, at most about a minute old, or false if it is not known.
func (s *Stats) SizeBytes() (bytes int64, ok bool) {
	if f := s.facts.Load(); f != nil {
		return f.size, true
	}
	return 0, false
}

// FreeBytes returns the free space of the database's disk, at most about a minute old, or false if it is not known,
// as with PostgreSQL.
func (s *Stats) FreeBytes() (bytes uint64, ok bool) {
	if f := s.facts.Load(); f != nil && !f.isFreeUnknown {
		return f.free, true
	}
	return 0, false
}

// Backup returns the end and the size of the last complete [Backup] since the store was opened, or false without
// one.
func (s *Stats) Backup() (at time.Time, bytes int64, ok bool) {
	if last := s.backup.Load(); last != nil {
		return last.at, last.size, true
	}
	return time.Time{}, 0, false
}

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

func (s *Stats) setBusy() { s.busy.Store(time.Now().UnixNano()) }
func (s *Stats) setIdle() { s.busy.Store(0) }

func (s *Stats) measure(ctx context.Context, e engine) {
	ctx, stop := context.WithTimeout(ctx, measureTimeout)
	defer stop()
	if f, err := e.measure(ctx); err == nil {
		s.facts.Store(&f)
	} else {
		s.facts.Store(nil)
	}
}

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

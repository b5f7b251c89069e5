package journaltest

import (
	"context"
	"sync/atomic"
	"time"

	"notakto/match"
)

// Ailing is a journal and a board in memory that can be made to record nothing, and that may take its time to take a note down. Its methods
// may be called from any goroutine.
type Ailing struct {
	*match.Memory
	slow  time.Duration
	stall atomic.Int64 // nanoseconds that a Pin takes
	fault atomic.Pointer[error]
}

// NewAiling is an empty one without a fault. Each note takes so long to be taken down.
func NewAiling(slow time.Duration) *Ailing {
	return &Ailing{Memory: match.NewMemory(0), slow: slow}
}

// Fail has everything that is to be recorded from now on refused with an error, until it is nil.
func (j *Ailing) Fail(err error) {
	if err == nil {
		j.fault.Store(nil)
		return
	}
	j.fault.Store(&err)
}

// Stall makes every Pin from now on take so long.
func (j *Ailing) Stall(d time.Duration) { j.stall.Store(int64(d)) }

// Append is [match.Journal]'s.
func (j *Ailing) Append(ctx context.Context, events ...match.Event) (match.Event, error) {
	if fault := j.fault.Load(); fault != nil {
		return match.Event{}, *fault
	}
	return j.Memory.Append(ctx, events...)
}

// Read is [match.Journal]'s.
func (j *Ailing) Read(ctx context.Context, id match.ID, after uint64) ([]match.Event, error) {
	if fault := j.fault.Load(); fault != nil {
		return nil, *fault
	}
	return j.Memory.Read(ctx, id, after)
}

// Pin is [match.Board]'s.
func (j *Ailing) Pin(ctx context.Context, n match.Note) (match.Note, error) {
	if fault := j.fault.Load(); fault != nil {
		return match.Note{}, *fault
	}
	if err := pause(ctx, time.Duration(j.stall.Load())); err != nil {
		return match.Note{}, err
	}
	return j.Memory.Pin(ctx, n)
}

// Check is [match.Journal]'s.
func (j *Ailing) Check(ctx context.Context) error {
	if fault := j.fault.Load(); fault != nil {
		return *fault
	}
	return j.Memory.Check(ctx)
}

// Unpin is [match.Board]'s.
func (j *Ailing) Unpin(ctx context.Context, n match.Note) error {
	if err := pause(ctx, j.slow); err != nil {
		return err
	}
	return j.Memory.Unpin(ctx, n)
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

package journaltest

import (
	"context"
	"sync/atomic"
	"time"

	"notakto/match"
)

// Faulty is a [match.Memory] that can be made to fail and to delay Put and Delete. Its methods are safe for
// concurrent use.
type Faulty struct {
	*match.Memory
	slow  time.Duration // delay of a Delete
	stall atomic.Int64  // delay of a Put in nanoseconds
	fault atomic.Pointer[error]
}

// NewFaulty returns an empty journal without a fault. A Delete takes slow.
func NewFaulty(slow time.Duration) *Faulty {
	return &Faulty{Memory: match.NewMemory(), slow: slow}
}

// Fail makes later calls of Append, AppendWith, Load, Put and Check fail with err. A nil err ends that.
func (f *Faulty) Fail(err error) {
	if err == nil {
		f.fault.Store(nil)
		return
	}
	f.fault.Store(&err)
}

// Stall makes every later Put take d.
func (f *Faulty) Stall(d time.Duration) { f.stall.Store(int64(d)) }

// Append implements [match.Journal].
func (f *Faulty) Append(ctx context.Context, events ...match.Event) (match.Event, error) {
	return f.AppendWith(ctx, nil, events...)
}

// AppendWith implements [match.Store].
func (f *Faulty) AppendWith(ctx context.Context, entries []match.Entry, events ...match.Event) (match.Event, error) {
	if fault := f.fault.Load(); fault != nil {
		return match.Event{}, *fault
	}
	return f.Memory.AppendWith(ctx, entries, events...)
}

// Load implements [match.Journal].
func (f *Faulty) Load(ctx context.Context, id match.ID, after uint64) ([]match.Event, error) {
	if fault := f.fault.Load(); fault != nil {
		return nil, *fault
	}
	return f.Memory.Load(ctx, id, after)
}

// Put implements [match.Registry].
func (f *Faulty) Put(ctx context.Context, e match.Entry) (match.Entry, error) {
	if fault := f.fault.Load(); fault != nil {
		return match.Entry{}, *fault
	}
	if err := match.Sleep(ctx, time.Duration(f.stall.Load())); err != nil {
		return match.Entry{}, err
	}
	return f.Memory.Put(ctx, e)
}

// Check implements [match.Journal].
func (f *Faulty) Check(ctx context.Context) error {
	if fault := f.fault.Load(); fault != nil {
		return *fault
	}
	return f.Memory.Check(ctx)
}

// Delete implements [match.Registry].
func (f *Faulty) Delete(ctx context.Context, e match.Entry) error {
	if err := match.Sleep(ctx, f.slow); err != nil {
		return err
	}
	return f.Memory.Delete(ctx, e)
}

package manager

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"notakto/match"
)

var errTrouble = errors.New("the disk is on fire")

// unruly is a [match.Memory] with the worst behaviour that a journal may have.
type unruly struct {
	*match.Memory
	slept atomic.Int64 // nanoseconds that the clock went on while the process stood still

	mu         sync.Mutex
	failing    map[match.Kind][]error // of the next appends with an event of a kind
	before     map[match.Kind]func()  // runs once, before an event is recorded
	hang       chan struct{}          // appends wait until hang is closed
	everything bool                   // puts wait too
	away       map[match.ID]bool
	begun      map[match.ID]int // number of events in the first append
}

func newUnruly() *unruly {
	return &unruly{
		Memory: match.NewMemory(), failing: make(map[match.Kind][]error), before: make(map[match.Kind]func()),
		away: make(map[match.ID]bool), begun: make(map[match.ID]int),
	}
}

func (u *unruly) fail(kind match.Kind, errs ...error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.failing[kind] = errs
}

// interrupt runs do just before the next event of a kind is recorded.
func (u *unruly) interrupt(kind match.Kind, do func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.before[kind] = do
}

// overtake records events of another node just before the next event of a kind.
func (u *unruly) overtake(b *harness, kind match.Kind, id match.ID, seq uint64, events ...match.Event) {
	u.interrupt(kind, func() {
		for i, e := range events {
			e.Match, e.Seq = id, seq+uint64(i)
			b.must(errOf(u.Append(b.Context(), e)))
		}
	})
}

// stop makes appends wait until the returned function is called, or until their timeout.
func (u *unruly) stop() (resume func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	hang := make(chan struct{})
	u.hang = hang
	return func() {
		u.mu.Lock()
		defer u.mu.Unlock()
		u.hang = nil
		close(hang)
	}
}

// stopAll is stop for the registry as well.
func (u *unruly) stopAll() (resume func()) {
	u.mu.Lock()
	u.everything = true
	u.mu.Unlock()
	return u.stop()
}

// Now implements [match.Journal].
func (u *unruly) Now() time.Time { return u.Memory.Now().Add(time.Duration(u.slept.Load())) }

func (u *unruly) Check(ctx context.Context) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.hang != nil {
		return errTrouble
	}
	return u.Memory.Check(ctx)
}

func (u *unruly) Put(ctx context.Context, e match.Entry) (match.Entry, error) {
	u.mu.Lock()
	everything := u.everything
	u.mu.Unlock()
	if everything {
		if err := u.wait(ctx); err != nil {
			return match.Entry{}, err
		}
	}
	return u.Memory.Put(ctx, e)
}

// wait waits until the journal no longer hangs.
func (u *unruly) wait(ctx context.Context) error {
	u.mu.Lock()
	hang := u.hang
	u.mu.Unlock()
	if hang == nil {
		return nil
	}
	select {
	case <-hang:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (u *unruly) archived(id match.ID) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.away[id]
}

func (u *unruly) Append(ctx context.Context, events ...match.Event) (match.Event, error) {
	return u.AppendWith(ctx, nil, events...)
}

func (u *unruly) AppendWith(ctx context.Context, entries []match.Entry, events ...match.Event) (match.Event, error) {
	if err := u.wait(ctx); err != nil {
		return match.Event{}, err
	}
	var before []func()
	var fault error
	u.mu.Lock()
	if events[0].Seq == 1 {
		u.begun[events[0].Match] = len(events)
	}
	for _, e := range events {
		if do := u.before[e.Kind]; do != nil {
			before = append(before, do)
			delete(u.before, e.Kind)
		}
		if errs := u.failing[e.Kind]; len(errs) > 0 && fault == nil {
			fault, u.failing[e.Kind] = errs[0], errs[1:]
		}
	}
	u.mu.Unlock()
	for _, do := range before {
		do()
	}
	if fault != nil {
		return match.Event{}, fault
	}
	return u.Memory.AppendWith(ctx, entries, events...)
}

func (u *unruly) Archive(ctx context.Context, id match.ID) error {
	u.mu.Lock()
	u.away[id] = true
	u.mu.Unlock()
	return u.Memory.Archive(ctx, id)
}

// fault is a panic for [unruly.interrupt].
func fault() { panic("a fault of the journal") }

package manager

import (
	"context"
	"errors"
	"sync"

	"notakto/match"
)

var errTrouble = errors.New("the disk is on fire")

// unruly is a [match.Memory] with the worst behaviour that a journal may have.
type unruly struct {
	*match.Memory

	mu      sync.Mutex
	failing map[match.Kind]int    // how often an event is refused with an error
	before  map[match.Kind]func() // runs once, before an event is recorded
	hang    chan struct{}         // appends wait until hang is closed
	away    map[match.ID]bool

	everything bool // puts wait too

	contrary map[match.Kind]int // how often to report a conflict with an event that does not exist
}

func newUnruly() *unruly {
	return &unruly{
		Memory: match.NewMemory(), failing: make(map[match.Kind]int),
		before: make(map[match.Kind]func()), away: make(map[match.ID]bool),
		contrary: make(map[match.Kind]int),
	}
}

func (u *unruly) fail(kind match.Kind, times int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.failing[kind] = times
}

// interrupt runs do just before the next event of a kind is recorded.
func (u *unruly) interrupt(kind match.Kind, do func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.before[kind] = do
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
	hang := u.hang
	if !u.everything {
		hang = nil
	}
	u.mu.Unlock()
	if hang != nil {
		select {
		case <-hang:
		case <-ctx.Done():
			return match.Entry{}, ctx.Err()
		}
	}
	return u.Memory.Put(ctx, e)
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
	u.mu.Lock()
	hang := u.hang
	u.mu.Unlock()
	if hang != nil {
		select {
		case <-hang:
		case <-ctx.Done():
			return match.Event{}, ctx.Err()
		}
	}
	var before []func()
	var failing, contrary bool
	kinds := make(map[match.Kind]bool)
	u.mu.Lock()
	for _, e := range events {
		if do := u.before[e.Kind]; do != nil {
			before = append(before, do)
			delete(u.before, e.Kind)
		}
		kinds[e.Kind] = true
	}
	for kind := range kinds {
		failing, contrary = failing || u.failing[kind] > 0, contrary || u.contrary[kind] > 0
		u.contrary[kind]--
		u.failing[kind]--
	}
	u.mu.Unlock()
	for _, do := range before {
		do()
	}
	if failing {
		return match.Event{}, errTrouble
	}
	if contrary {
		return match.Event{}, match.ErrConflict
	}
	return u.Memory.AppendWith(ctx, entries, events...)
}

// contradict makes appends of a kind fail as if another event had come first.
func (u *unruly) contradict(kind match.Kind, times int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.contrary[kind] = times
}

func (u *unruly) Archive(ctx context.Context, id match.ID) error {
	u.mu.Lock()
	u.away[id] = true
	u.mu.Unlock()
	return u.Memory.Archive(ctx, id)
}

// fault is a panic for [unruly.interrupt].
func fault() { panic("a fault of the journal") }

// panicky is a [match.Memory] that may panic when a match is read.
type panicky struct {
	*match.Memory
	isFaulty bool
}

func (p *panicky) Load(ctx context.Context, id match.ID, after uint64) ([]match.Event, error) {
	if p.isFaulty {
		fault()
	}
	return p.Memory.Load(ctx, id, after)
}

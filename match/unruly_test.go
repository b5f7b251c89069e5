package match

import (
	"context"
	"errors"
	"sync"
)

var errTrouble = errors.New("the disk is on fire")

// unruly is a [Memory] that does the worst that a journal may do.
type unruly struct {
	*Memory

	mu      sync.Mutex
	failing map[Kind]int    // how often an event is refused with an error
	losing  map[Kind]int    // how often it is recorded, and the error says nothing about it
	before  map[Kind]func() // runs once, before an event is recorded
	hang    chan struct{}   // appends wait for it
	away    map[ID]bool
}

func newUnruly() *unruly {
	return &unruly{
		Memory: NewMemory(0), failing: make(map[Kind]int), losing: make(map[Kind]int), before: make(map[Kind]func()), away: make(map[ID]bool),
	}
}

func (j *unruly) fail(kind Kind, times int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.failing[kind] = times
}

func (j *unruly) lose(kind Kind, times int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.losing[kind] = times
}

// interrupt runs do right before the next event of a kind is recorded.
func (j *unruly) interrupt(kind Kind, do func()) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.before[kind] = do
}

// stop makes appends wait until the returned function is called, or until their patience ends.
func (j *unruly) stop() (resume func()) {
	j.mu.Lock()
	defer j.mu.Unlock()
	hang := make(chan struct{})
	j.hang = hang
	return func() {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.hang = nil
		close(hang)
	}
}

func (j *unruly) retired(id ID) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.away[id]
}

func (j *unruly) Append(ctx context.Context, e Event) (Event, error) {
	j.mu.Lock()
	hang, before := j.hang, j.before[e.Kind]
	delete(j.before, e.Kind)
	failing, losing := j.failing[e.Kind] > 0, j.losing[e.Kind] > 0
	j.failing[e.Kind]--
	j.losing[e.Kind]--
	j.mu.Unlock()
	if before != nil {
		before()
	}
	if hang != nil {
		select {
		case <-hang:
		case <-ctx.Done():
			return Event{}, ctx.Err()
		}
	}
	if failing {
		return Event{}, errTrouble
	}
	stored, err := j.Memory.Append(ctx, e)
	if losing {
		return Event{}, errTrouble
	}
	return stored, err
}

func (j *unruly) Retire(ctx context.Context, id ID) error {
	j.mu.Lock()
	j.away[id] = true
	j.mu.Unlock()
	return j.Memory.Retire(ctx, id)
}

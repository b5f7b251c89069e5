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
	blind   int             // how often a read fails
	stale   int             // how often a read finds nothing new
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

func (j *unruly) Read(ctx context.Context, id ID, after uint64) ([]Event, error) {
	j.mu.Lock()
	blind, stale := j.blind > 0, j.stale > 0
	j.blind--
	j.stale--
	j.mu.Unlock()
	switch {
	case blind:
		return nil, errTrouble
	case stale:
		return nil, nil
	}
	return j.Memory.Read(ctx, id, after)
}

// failReads makes the next reads fail, and then the ones after them find nothing.
func (j *unruly) failReads(blind, stale int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.blind, j.stale = blind, blind+stale
}

func (j *unruly) followers(id ID) int {
	j.Memory.mu.Lock()
	defer j.Memory.mu.Unlock()
	return len(j.logs[id].feeds)
}

func (j *unruly) Retire(ctx context.Context, id ID) error {
	j.mu.Lock()
	j.away[id] = true
	j.mu.Unlock()
	return j.Memory.Retire(ctx, id)
}

// panicky is a [Memory] with a fault that strikes in one match, or in all.
type panicky struct {
	*Memory

	mu   sync.Mutex
	kind Kind
	id   ID
}

// everyRead is the kind for a fault in reading.
const everyRead Kind = 200

func (j *panicky) strike(kind Kind, id ID) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.kind, j.id = kind, id
}

func (j *panicky) check(kind Kind, id ID) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if kind == j.kind && (j.id == "" || j.id == id) {
		panic("a fault of the journal")
	}
}

func (j *panicky) Append(ctx context.Context, e Event) (Event, error) {
	j.check(e.Kind, e.Match)
	return j.Memory.Append(ctx, e)
}

func (j *panicky) Read(ctx context.Context, id ID, after uint64) ([]Event, error) {
	j.check(everyRead, id)
	return j.Memory.Read(ctx, id, after)
}

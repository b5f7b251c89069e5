package manager

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"notakto/match"
)

var errTrouble = errors.New("the disk is on fire")

// unruly is a [Memory] that does the worst that a journal may do.
type unruly struct {
	*match.Memory

	mu      sync.Mutex
	failing map[match.Kind]int    // how often an event is refused with an error
	losing  map[match.Kind]int    // how often it is recorded although an error is returned
	before  map[match.Kind]func() // runs once, before an event is recorded
	hang    chan struct{}         // appends wait for it
	away    map[match.ID]bool

	everything bool // puts wait too

	contrary map[match.Kind]int // how often an event is refused because of another that does not exist
}

func newUnruly() *unruly {
	return &unruly{
		Memory: match.NewMemory(0), failing: make(map[match.Kind]int), losing: make(map[match.Kind]int),
		before: make(map[match.Kind]func()), away: make(map[match.ID]bool),
		contrary: make(map[match.Kind]int),
	}
}

func (j *unruly) fail(kind match.Kind, times int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.failing[kind] = times
}

func (j *unruly) lose(kind match.Kind, times int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.losing[kind] = times
}

// interrupt runs do right before the next event of a kind is recorded.
func (j *unruly) interrupt(kind match.Kind, do func()) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.before[kind] = do
}

// stop makes appends wait until the returned function is called, or until their timeout.
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

// stopAll is stop for the registry as well.
func (j *unruly) stopAll() (resume func()) {
	j.mu.Lock()
	j.everything = true
	j.mu.Unlock()
	return j.stop()
}

func (j *unruly) Check(ctx context.Context) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.hang != nil {
		return errTrouble
	}
	return j.Memory.Check(ctx)
}

func (j *unruly) Put(ctx context.Context, n match.Entry) (match.Entry, error) {
	j.mu.Lock()
	hang := j.hang
	if !j.everything {
		hang = nil
	}
	j.mu.Unlock()
	if hang != nil {
		select {
		case <-hang:
		case <-ctx.Done():
			return match.Entry{}, ctx.Err()
		}
	}
	return j.Memory.Put(ctx, n)
}

func (j *unruly) archived(id match.ID) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.away[id]
}

func (j *unruly) Append(ctx context.Context, events ...match.Event) (match.Event, error) {
	j.mu.Lock()
	hang := j.hang
	j.mu.Unlock()
	if hang != nil {
		select {
		case <-hang:
		case <-ctx.Done():
			return match.Event{}, ctx.Err()
		}
	}
	var before []func()
	var failing, losing, contrary bool
	kinds := make(map[match.Kind]bool)
	j.mu.Lock()
	for _, e := range events {
		if do := j.before[e.Kind]; do != nil {
			before = append(before, do)
			delete(j.before, e.Kind)
		}
		kinds[e.Kind] = true
	}
	for kind := range kinds {
		failing, losing, contrary = failing || j.failing[kind] > 0, losing || j.losing[kind] > 0, contrary ||
			j.contrary[kind] > 0
		j.contrary[kind]--
		j.failing[kind]--
		j.losing[kind]--
	}
	j.mu.Unlock()
	for _, do := range before {
		do()
	}
	if failing {
		return match.Event{}, errTrouble
	}
	if contrary {
		return match.Event{}, match.ErrConflict
	}
	stored, err := j.Memory.Append(ctx, events...)
	if losing {
		return match.Event{}, errTrouble
	}
	return stored, err
}

// contradict makes appends of a kind fail as if another event had come first.
func (j *unruly) contradict(kind match.Kind, times int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.contrary[kind] = times
}

func (j *unruly) Archive(ctx context.Context, id match.ID) error {
	j.mu.Lock()
	j.away[id] = true
	j.mu.Unlock()
	return j.Memory.Archive(ctx, id)
}

// panicky is a [Memory] with a fault that strikes in one match, or in all.
type panicky struct {
	*match.Memory

	mu   sync.Mutex
	kind match.Kind
	id   match.ID
}

// The kinds for a fault in reading, and in promising a match.
const (
	everyRead match.Kind = 200 + iota
	everyPromise
)

// Put implements [match.Registry].
func (j *panicky) Put(ctx context.Context, n match.Entry) (match.Entry, error) {
	var p struct{ Match match.ID }
	if err := json.Unmarshal(n.Text, &p); err == nil && p.Match != "" {
		j.check(everyPromise, "")
	}
	return j.Memory.Put(ctx, n)
}

func (j *panicky) fail(kind match.Kind, id match.ID) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.kind, j.id = kind, id
}

func (j *panicky) check(kind match.Kind, id match.ID) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if kind == j.kind && (j.id == "" || j.id == id) {
		panic("a fault of the journal")
	}
}

func (j *panicky) Append(ctx context.Context, events ...match.Event) (match.Event, error) {
	for _, e := range events {
		j.check(e.Kind, e.Match)
	}
	return j.Memory.Append(ctx, events...)
}

func (j *panicky) Load(ctx context.Context, id match.ID, after uint64) ([]match.Event, error) {
	j.check(everyRead, id)
	return j.Memory.Load(ctx, id, after)
}

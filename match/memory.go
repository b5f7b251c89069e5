package match

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// DefaultRetained is how many archived matches a [Memory] retains by default.
const DefaultRetained = 10_000

// Memory is a [Journal] and a [Registry] that last as long as the process. When too many matches are archived, it drops
// the oldest of them; other matches stay.
type Memory struct {
	kept int

	mu          sync.Mutex
	logs        map[ID]*memoryLog
	archived    []ID // oldest first
	dropped     int  // how many archived matches were before these
	archiving   sync.Cond
	subscribers Subscribers[Event]
	registry    memoryRegistry
}

type memoryLog struct {
	events   []Event
	archived bool
}

// NewMemory returns an empty journal that retains the given number of archived matches, or [DefaultRetained] if it is
// not positive.
func NewMemory(kept int) *Memory {
	if kept <= 0 {
		kept = DefaultRetained
	}
	j := &Memory{kept: kept, logs: make(map[ID]*memoryLog)}
	j.archiving.L = &j.mu
	return j
}

// Append implements [Journal].
func (j *Memory) Append(ctx context.Context, events ...Event) (Event, error) {
	if err := ctx.Err(); err != nil {
		return Event{}, err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	e := events[0]
	log := j.logs[e.Match]
	switch {
	case log == nil && e.Seq == 1:
		log = &memoryLog{events: make([]Event, 0, 4)} // one event opens the table, two seat the players
		j.logs[e.Match] = log
	case log == nil || e.Seq != uint64(len(log.events))+1:
		return Event{}, fmt.Errorf("%w: %s has no place for event %d", ErrConflict, e.Match, e.Seq)
	case log.archived:
		return Event{}, ErrArchived
	}
	for _, e = range events {
		e.At = time.Now()
		log.events = append(log.events, e)
		j.subscribers.Notify(e)
	}
	return e, nil
}

// Load implements [Journal].
func (j *Memory) Load(ctx context.Context, id ID, after uint64) ([]Event, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	log, err := j.find(id)
	if err != nil || after >= uint64(len(log.events)) {
		return nil, err
	}
	return slices.Clone(log.events[after:]), nil
}

// Subscribe implements [Journal].
func (j *Memory) Subscribe(fn func(Event)) (stop func()) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, log := range j.logs {
		for _, e := range log.events {
			if !log.archived {
				fn(e)
			}
		}
	}
	return j.subscribers.Add(&j.mu, fn)
}

// Now implements [Journal].
func (j *Memory) Now() time.Time { return time.Now() }

// Check implements [Journal].
func (j *Memory) Check(ctx context.Context) error { return ctx.Err() }

// CatchUp implements [Journal]. Append delivers events before it returns.
func (j *Memory) CatchUp(ctx context.Context) error { return ctx.Err() }

// Archive implements [Journal].
func (j *Memory) Archive(ctx context.Context, id ID) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	log, err := j.find(id)
	if err != nil || log.archived {
		return err
	}
	log.archived = true
	j.archived = append(j.archived, id)
	if len(j.archived) > j.kept {
		delete(j.logs, j.archived[0])
		j.archived = j.archived[1:]
		j.dropped++
	}
	j.archiving.Broadcast()
	return nil
}

// ReadArchive implements [Archive]. Matches that were dropped are not read.
func (j *Memory) ReadArchive(ctx context.Context, after uint64, fn func(ArchivedMatch) error) error {
	defer context.AfterFunc(ctx, func() {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.archiving.Broadcast()
	})()
	for {
		m, err := j.nextArchived(ctx, after)
		if err != nil {
			return err
		}
		if err := fn(m); err != nil {
			return err
		}
		after = m.Position
	}
}

// nextArchived waits for the first archived match after a position.
func (j *Memory) nextArchived(ctx context.Context, after uint64) (ArchivedMatch, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for int(after) >= j.dropped+len(j.archived) && ctx.Err() == nil {
		j.archiving.Wait()
	}
	if err := ctx.Err(); err != nil {
		return ArchivedMatch{}, err
	}
	at := max(int(after)-j.dropped, 0)
	id := j.archived[at]
	return ArchivedMatch{Position: uint64(j.dropped + at + 1), ID: id, Events: slices.Clone(j.logs[id].events)}, nil
}

// ArchiveEnd implements [Archive].
func (j *Memory) ArchiveEnd() uint64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return uint64(j.dropped + len(j.archived))
}

func (j *Memory) find(id ID) (*memoryLog, error) {
	log := j.logs[id]
	if log == nil {
		return nil, fmt.Errorf("%w: %.40q", ErrNoSuchMatch, id)
	}
	return log, nil
}

// memoryRegistry is the registry of a [Memory]. The zero value is empty.
type memoryRegistry struct {
	mu       sync.Mutex
	revision uint64
	entries  map[string]Entry
	watchers Subscribers[Entry]
}

// Put implements [Registry].
func (j *Memory) Put(ctx context.Context, n Entry) (Entry, error) { return j.registry.change(ctx, n) }

// Delete implements [Registry].
func (j *Memory) Delete(ctx context.Context, n Entry) error {
	n.Text = nil
	_, err := j.registry.change(ctx, n)
	return err
}

// Watch implements [Registry].
func (j *Memory) Watch(fn func(Entry)) (stop func()) { return j.registry.watch(fn) }

// change replaces the entry with the key and revision of n, or deletes it if n has no text.
func (b *memoryRegistry) change(ctx context.Context, n Entry) (Entry, error) {
	if err := ctx.Err(); err != nil {
		return Entry{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.forget()
	if b.entries[n.Key].Revision != n.Revision || n.Revision == 0 && n.Text == nil {
		return Entry{}, fmt.Errorf("%w: the note %q has changed", ErrConflict, n.Key)
	}
	b.revision++
	n.Revision, n.At = b.revision, time.Now()
	if n.Text == nil {
		delete(b.entries, n.Key)
	} else {
		if b.entries == nil {
			b.entries = make(map[string]Entry)
		}
		b.entries[n.Key] = n
	}
	b.watchers.Notify(n)
	return n, nil
}

// forget drops expired entries.
func (b *memoryRegistry) forget() {
	for key, n := range b.entries {
		if time.Since(n.At) > EntryTTL {
			delete(b.entries, key)
		}
	}
}

func (b *memoryRegistry) watch(fn func(Entry)) (stop func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.forget()
	byRevision := func(a, b Entry) int { return cmp.Compare(a.Revision, b.Revision) }
	for _, n := range slices.SortedFunc(maps.Values(b.entries), byRevision) {
		fn(n)
	}
	return b.watchers.Add(&b.mu, fn)
}

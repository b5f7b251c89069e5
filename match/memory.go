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

// Memory is a [Store] that lasts as long as the process, for tests. It keeps every match.
type Memory struct {
	mu          sync.Mutex
	logs        map[ID]*memoryLog
	subscribers Subscribers[Event]
	registry    memoryRegistry
}

type memoryLog struct {
	events   []Event
	archived bool
}

// NewMemory returns an empty journal and registry.
func NewMemory() *Memory { return &Memory{logs: make(map[ID]*memoryLog)} }

// Append implements [Journal].
func (m *Memory) Append(ctx context.Context, events ...Event) (Event, error) {
	if err := ctx.Err(); err != nil {
		return Event{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	e := events[0]
	log := m.logs[e.Match]
	switch {
	case log == nil && e.Seq == 1:
		log = &memoryLog{events: make([]Event, 0, 4)} // one event opens the table, two seat the players
		m.logs[e.Match] = log
	case log == nil || e.Seq != uint64(len(log.events))+1:
		return Event{}, fmt.Errorf("%w: %s has no place for event %d", ErrConflict, e.Match, e.Seq)
	case log.archived:
		return Event{}, ErrArchived
	}
	for _, e = range events {
		e.At = time.Now()
		log.events = append(log.events, e)
		m.subscribers.Notify(e)
	}
	return e, nil
}

// AppendWith implements [Store]. The registry is locked before the journal: subscribers of the journal do not call the
// registry.
func (m *Memory) AppendWith(ctx context.Context, entries []Entry, events ...Event) (last Event, err error) {
	m.registry.mu.Lock()
	defer m.registry.mu.Unlock()
	m.registry.forget()
	for _, n := range entries {
		if err := m.registry.check(n); err != nil {
			return Event{}, err
		}
	}
	if last, err = m.Append(ctx, events...); err != nil {
		return Event{}, err
	}
	for _, n := range entries {
		m.registry.set(n)
	}
	return last, nil
}

// Load implements [Journal].
func (m *Memory) Load(ctx context.Context, id ID, after uint64) ([]Event, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	log, err := m.find(id)
	if err != nil || after >= uint64(len(log.events)) {
		return nil, err
	}
	return slices.Clone(log.events[after:]), nil
}

// Subscribe implements [Journal].
func (m *Memory) Subscribe(fn func(Event)) (stop func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, log := range m.logs {
		for _, e := range log.events {
			if !log.archived {
				fn(e)
			}
		}
	}
	return m.subscribers.Add(&m.mu, fn)
}

// Now implements [Journal].
func (m *Memory) Now() time.Time { return time.Now() }

// Check implements [Journal].
func (m *Memory) Check(ctx context.Context) error { return ctx.Err() }

// CatchUp implements [Journal]. Append delivers events before it returns.
func (m *Memory) CatchUp(ctx context.Context) error { return ctx.Err() }

// Archive implements [Journal].
func (m *Memory) Archive(ctx context.Context, id ID) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	log, err := m.find(id)
	if err != nil {
		return err
	}
	log.archived = true
	return nil
}

func (m *Memory) find(id ID) (*memoryLog, error) {
	log := m.logs[id]
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
func (m *Memory) Put(ctx context.Context, n Entry) (Entry, error) { return m.registry.change(ctx, n) }

// Delete implements [Registry].
func (m *Memory) Delete(ctx context.Context, n Entry) error {
	n.Text = nil
	_, err := m.registry.change(ctx, n)
	return err
}

// Watch implements [Registry].
func (m *Memory) Watch(fn func(Entry)) (stop func()) {
	r := &m.registry
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forget()
	byRevision := func(a, b Entry) int { return cmp.Compare(a.Revision, b.Revision) }
	for _, n := range slices.SortedFunc(maps.Values(r.entries), byRevision) {
		fn(n)
	}
	return r.watchers.Add(&r.mu, fn)
}

// change replaces the entry with the key and revision of n, or deletes it if n has no text.
func (m *memoryRegistry) change(ctx context.Context, n Entry) (Entry, error) {
	if err := ctx.Err(); err != nil {
		return Entry{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forget()
	if err := m.check(n); err != nil {
		return Entry{}, err
	}
	return m.set(n), nil
}

// check returns [ErrConflict] unless the current entry has the key and revision of n.
func (m *memoryRegistry) check(n Entry) error {
	if m.entries[n.Key].Revision != n.Revision || n.Revision == 0 && n.Text == nil {
		return fmt.Errorf("%w: the entry %q has changed", ErrConflict, n.Key)
	}
	return nil
}

func (m *memoryRegistry) set(n Entry) Entry {
	m.revision++
	n.Revision, n.At = m.revision, time.Now()
	if n.Text == nil {
		delete(m.entries, n.Key)
	} else {
		if m.entries == nil {
			m.entries = make(map[string]Entry)
		}
		m.entries[n.Key] = n
	}
	m.watchers.Notify(n)
	return n
}

// forget drops expired entries.
func (m *memoryRegistry) forget() {
	for key, n := range m.entries {
		if time.Since(n.At) > EntryTTL {
			delete(m.entries, key)
		}
	}
}

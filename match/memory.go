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

// Memory is a [Store] in the memory of the process, for tests. Memory keeps every match, archived or not.
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

// NewMemory returns an empty store.
func NewMemory() *Memory { return &Memory{logs: make(map[ID]*memoryLog)} }

// Append implements [Journal].
func (m *Memory) Append(ctx context.Context, events ...Event) (Event, error) {
	if err := ctx.Err(); err != nil {
		return Event{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, run := range ByMatch(events) {
		e := run[0]
		switch log := m.logs[e.Match]; {
		case log == nil && e.Seq == 1:
		case log == nil || e.Seq != uint64(len(log.events))+1:
			return Event{}, fmt.Errorf("%w: %s has no place for event %d", ErrConflict, e.Match, e.Seq)
		case log.archived:
			return Event{}, ErrArchived
		}
	}
	var e Event
	for _, e = range events {
		log := m.logs[e.Match]
		if log == nil {
			log = &memoryLog{events: make([]Event, 0, 4)} // one event opens the table, two seat the players
			m.logs[e.Match] = log
		}
		if first := append(log.events, e)[0]; first.Pool.IsRated() && first.Clock.IsCorrespondence() {
			e = m.fold(e.Match).WithOtherGame(e, m.fold)
		}
		e.At = time.Now()
		log.events = append(log.events, e)
		m.subscribers.Notify(e)
	}
	return e, nil
}

func (m *Memory) fold(id ID) (s State) {
	if log := m.logs[id]; log != nil {
		for _, e := range log.events {
			s, _ = s.Apply(e)
		}
	}
	return s
}

// AppendWith implements [Store]. The order of its locks is safe because subscribers of the journal do not call the
// registry.
func (m *Memory) AppendWith(ctx context.Context, entries []Entry, events ...Event) (last Event, err error) {
	m.registry.mu.Lock()
	defer m.registry.mu.Unlock()
	m.registry.dropExpired()
	for _, e := range entries {
		if err := m.registry.checkRevision(e); err != nil {
			return Event{}, err
		}
	}
	if last, err = m.Append(ctx, events...); err != nil {
		return Event{}, err
	}
	for _, e := range entries {
		m.registry.set(e)
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
	log, err := m.findLog(id)
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

// Outages implements [Journal]. A Memory has no outages.
func (m *Memory) Outages() []Period { return nil }

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
	log, err := m.findLog(id)
	if err != nil {
		return err
	}
	log.archived = true
	return nil
}

func (m *Memory) findLog(id ID) (*memoryLog, error) {
	log := m.logs[id]
	if log == nil {
		return nil, fmt.Errorf("%w: %.40q", ErrNoSuchMatch, id)
	}
	return log, nil
}

type memoryRegistry struct {
	mu       sync.Mutex
	revision uint64
	entries  map[string]Entry
	watchers Subscribers[Entry]
}

// Put implements [Registry].
func (m *Memory) Put(ctx context.Context, e Entry) (Entry, error) {
	return m.registry.putOrDelete(ctx, e)
}

// Delete implements [Registry].
func (m *Memory) Delete(ctx context.Context, e Entry) error {
	e.Text = nil
	_, err := m.registry.putOrDelete(ctx, e)
	return err
}

// Watch implements [Registry].
func (m *Memory) Watch(fn func(Entry)) (stop func()) {
	r := &m.registry
	r.mu.Lock()
	defer r.mu.Unlock()
	r.dropExpired()
	byRevision := func(a, b Entry) int { return cmp.Compare(a.Revision, b.Revision) }
	for _, e := range slices.SortedFunc(maps.Values(r.entries), byRevision) {
		fn(e)
	}
	return r.watchers.Add(&r.mu, fn)
}

func (m *memoryRegistry) putOrDelete(ctx context.Context, e Entry) (Entry, error) {
	if err := ctx.Err(); err != nil {
		return Entry{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.dropExpired()
	if err := m.checkRevision(e); err != nil {
		return Entry{}, err
	}
	return m.set(e), nil
}

func (m *memoryRegistry) checkRevision(e Entry) error {
	if m.entries[e.Key].Revision != e.Revision || e.Revision == 0 && e.Text == nil {
		return fmt.Errorf("%w: the entry %q has changed", ErrConflict, e.Key)
	}
	return nil
}

func (m *memoryRegistry) set(e Entry) Entry {
	m.revision++
	e.Revision, e.At = m.revision, time.Now()
	if e.Text == nil {
		delete(m.entries, e.Key)
	} else {
		if m.entries == nil {
			m.entries = make(map[string]Entry)
		}
		m.entries[e.Key] = e
	}
	m.watchers.Notify(e)
	return e
}

func (m *memoryRegistry) dropExpired() {
	for key, e := range m.entries {
		if time.Since(e.At) > EntryTTL {
			delete(m.entries, key)
		}
	}
}

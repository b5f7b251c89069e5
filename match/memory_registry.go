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

// memoryRegistry is the registry of a [Memory]. The zero value is empty.
type memoryRegistry struct {
	mu       sync.Mutex
	revision uint64
	entries  map[string]Entry
	watchers subscribers[Entry]
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
	b.watchers.notify(n)
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
	for _, n := range inOrder(b.entries) {
		fn(n)
	}
	return b.watchers.add(&b.mu, fn)
}

// inOrder returns entries in the order in which they were put.
func inOrder(notes map[string]Entry) []Entry {
	return slices.SortedFunc(maps.Values(notes), func(a, b Entry) int { return cmp.Compare(a.Revision, b.Revision) })
}

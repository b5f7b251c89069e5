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

// memoryBoard is the notice board of a [Memory]. The zero value is empty.
type memoryBoard struct {
	mu       sync.Mutex
	revision uint64
	notes    map[string]Note
	lookers  listeners[Note]
}

// Pin is [Board]'s.
func (j *Memory) Pin(ctx context.Context, n Note) (Note, error) { return j.board.change(ctx, n) }

// Unpin is [Board]'s.
func (j *Memory) Unpin(ctx context.Context, n Note) error {
	n.Text = nil
	_, err := j.board.change(ctx, n)
	return err
}

// Look is [Board]'s.
func (j *Memory) Look(look func(Note)) (stop func()) { return j.board.look(look) }

// change puts a note in the place of the one it names, or takes that down if it has no text.
func (b *memoryBoard) change(ctx context.Context, n Note) (Note, error) {
	if err := ctx.Err(); err != nil {
		return Note{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.forget()
	if b.notes[n.Key].Revision != n.Revision || n.Revision == 0 && n.Text == nil {
		return Note{}, fmt.Errorf("%w: the note %q has changed", ErrConflict, n.Key)
	}
	b.revision++
	n.Revision, n.At = b.revision, time.Now()
	if n.Text == nil {
		delete(b.notes, n.Key)
	} else {
		if b.notes == nil {
			b.notes = make(map[string]Note)
		}
		b.notes[n.Key] = n
	}
	b.lookers.tell(n)
	return n, nil
}

// forget drops the notes that are too old.
func (b *memoryBoard) forget() {
	for key, n := range b.notes {
		if time.Since(n.At) > NoteLife {
			delete(b.notes, key)
		}
	}
}

func (b *memoryBoard) look(look func(Note)) (stop func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.forget()
	for _, n := range inOrder(b.notes) {
		look(n)
	}
	return b.lookers.add(&b.mu, look)
}

// inOrder returns notes in the order in which they were pinned.
func inOrder(notes map[string]Note) []Note {
	return slices.SortedFunc(maps.Values(notes), func(a, b Note) int { return cmp.Compare(a.Revision, b.Revision) })
}

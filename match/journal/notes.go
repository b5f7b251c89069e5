package journal

import (
	"context"
	"strings"
	"sync"
	"time"

	"notakto/match"
)

// notes is the notice board as the follower of BOARD brought it.
type notes struct {
	mu      sync.Mutex
	notes   map[string]match.Note // those that were taken down too, without a text
	lookers map[*func(match.Note)]struct{}
	at      uint64
	moved   chan struct{} // closed when at changes, if anybody waits for that
}

func newNotes() *notes {
	return &notes{notes: make(map[string]match.Note), lookers: make(map[*func(match.Note)]struct{})}
}

// tell takes a message of BOARD.
func (b *notes) tell(m message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := match.Note{Key: strings.TrimPrefix(m.subject, boardSubject), Text: m.body, Revision: m.seq, At: m.at}
	if len(n.Text) == 0 {
		n.Text = nil
	}
	b.forgetOld(m.at)
	b.notes[n.Key] = n
	for look := range b.lookers {
		(*look)(n)
	}
	b.at = m.seq
	if b.moved != nil {
		close(b.moved)
		b.moved = nil
	}
}

// forgetOld drops what the server has dropped by now.
func (b *notes) forgetOld(now time.Time) {
	for key, n := range b.notes {
		if now.Sub(n.At) > noteAge {
			delete(b.notes, key)
		}
	}
}

// stands reports whether a note is one, by now.
func stands(n match.Note, now time.Time) bool {
	return len(n.Text) > 0 && now.Sub(n.At) <= match.NoteLife
}

func (b *notes) look(look func(match.Note), now time.Time) (stop func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, n := range b.notes {
		if stands(n, now) {
			look(n)
		}
	}
	b.lookers[&look] = struct{}{}
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.lookers, &look)
	}
}

// place is the sequence after which a note can be pinned. [match.ErrConflict].
func (b *notes) place(n match.Note, now time.Time) (last uint64, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	old, ok := b.notes[n.Key]
	switch {
	case n.Revision != 0 && (old.Revision != n.Revision || !stands(old, now)), n.Revision == 0 && stands(old, now):
		return 0, noteChanged(n.Key)
	case !ok || now.Sub(old.At) > noteAge:
		return 0, nil
	}
	return old.Revision, nil
}

// free reports whether no note stood under a key as of a sequence of the server's.
func (b *notes) free(key string, as uint64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	n, ok := b.notes[key]
	return as == 0 || ok && n.Revision == as && len(n.Text) == 0
}

// note is what was told last under a key.
func (b *notes) note(key string) match.Note {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.notes[key]
}

// next is the sequence that comes after all that were told, 0 if none was.
func (b *notes) next() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.at == 0 {
		return 0
	}
	return b.at + 1
}

// reach waits until the follower has told of a sequence.
func (b *notes) reach(ctx context.Context, seq uint64) error {
	for {
		b.mu.Lock()
		if b.at >= seq {
			b.mu.Unlock()
			return nil
		}
		if b.moved == nil {
			b.moved = make(chan struct{})
		}
		moved := b.moved
		b.mu.Unlock()
		select {
		case <-moved:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

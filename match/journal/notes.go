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

// mayFollow reports whether a note may be pinned after a sequence that the server has under its key, all up to which has been told: as a new
// one if nothing stands there, in the place of another if the server has dropped that before its time, by a clock that leapt.
func (b *notes) mayFollow(n match.Note, as uint64, now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	old, told := b.notes[n.Key]
	if n.Revision != 0 {
		return as == 0 && old.Revision == n.Revision && stands(old, now)
	}
	return as == 0 || !told || old.Revision == as && !stands(old, now)
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

package store

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"notakto/match"
	"notakto/match/internal/codec"
)

func isEntryKey(text string) bool {
	for part := range strings.SplitSeq(text, ".") {
		if !isIDText(part) {
			return false
		}
	}
	return true
}

// deleteOldEntries deletes old rows of table entry. A deleted entry keeps its row for a while, for other servers to
// see.
const deleteOldEntries statement = `DELETE FROM entry WHERE at < (SELECT at FROM {at bigint})`

// Put implements [match.Registry].
func (s *Store) Put(ctx context.Context, e match.Entry) (match.Entry, error) {
	return s.changeEntry(ctx, e)
}

// Delete implements [match.Registry].
func (s *Store) Delete(ctx context.Context, e match.Entry) error {
	e.Text = nil
	_, err := s.changeEntry(ctx, e)
	return err
}

// changeEntry puts e in the place of the current entry with the key of e, or deletes that entry if e has no text. The
// revision of e must pass checkEntry. With SQLite entries are in memory only, and changeEntry calls the subscribers.
func (s *Store) changeEntry(ctx context.Context, e match.Entry) (match.Entry, error) {
	if err := ctx.Err(); err != nil {
		return match.Entry{}, s.unavailable(err)
	}
	if !isEntryKey(e.Key) {
		return match.Entry{}, fmt.Errorf("%w: %.40q cannot be the key of an entry", codec.ErrUnwritable, e.Key)
	}
	if !s.engine.isShared() {
		s.mu.Lock()
		defer s.mu.Unlock()
		now := s.clock.now()
		s.memory.forgetEntries(now)
		if s.held[e.Key] {
			return match.Entry{}, errEntryChanged(e)
		}
		if err := s.memory.checkEntry(e, now); err != nil {
			return match.Entry{}, err
		}
		return s.setEntry(e), nil
	}
	var r row
	err := s.do(ctx, &request{keys: []string{entryKey(e.Key)}, decide: func(g *group) error {
		if err := s.memory.checkEntry(e, g.time()); err != nil {
			return err
		}
		r = g.add(entryRow, e.Key, 0, e.Text)
		g.deleteOldEntries()
		return nil
	}})
	if err != nil {
		return match.Entry{}, err
	}
	e.Revision, e.At = uint64(r.position), time.UnixMicro(r.at)
	return e, nil
}

// setEntry changes an entry that is in memory only. The caller holds the store's lock.
func (s *Store) setEntry(e match.Entry) match.Entry {
	s.revision++
	e.Revision, e.At = s.revision, s.clock.now()
	s.memory.deliverEntry(e)
	return e
}

// checkEntries returns an error if a group cannot put entries. Otherwise checkEntries holds the keys of the entries,
// and no other caller can change these entries until releaseEntries.
func (s *Store) checkEntries(g *group, entries []match.Entry) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range entries {
		if !isEntryKey(e.Key) {
			return fmt.Errorf("%w: %.40q cannot be the key of an entry", codec.ErrUnwritable, e.Key)
		}
		if err := s.memory.checkEntry(e, g.time()); err != nil {
			return err
		}
	}
	for _, e := range entries {
		s.held[e.Key] = true
	}
	return nil
}

// putEntries puts entries with a group, after checkEntries has returned nil for them.
func (s *Store) putEntries(g *group, entries []match.Entry) {
	if !s.engine.isShared() {
		g.entries = append(g.entries, entries...)
		return
	}
	for _, e := range entries {
		g.add(entryRow, e.Key, 0, e.Text)
		g.deleteOldEntries()
	}
}

func (s *Store) releaseEntries() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.held)
}

// checkEntry returns [match.ErrConflict] unless e.Revision is the revision of the current entry. Without a current
// entry, e.Revision must be 0. An entry older than [match.EntryTTL] is not current. Deleting an entry that is not
// current is a conflict too.
func (m *memory) checkEntry(e match.Entry, now time.Time) error {
	current := m.entries[e.Key]
	if now.Sub(current.At) > match.EntryTTL {
		current = match.Entry{}
	}
	if current.Revision != e.Revision || e.Revision == 0 && e.Text == nil {
		return errEntryChanged(e)
	}
	return nil
}

func errEntryChanged(e match.Entry) error {
	return fmt.Errorf("%w: the entry %q has changed", match.ErrConflict, e.Key)
}

func (g *group) deleteOldEntries() {
	if g.batch.rows[deleteOldEntries] == nil {
		g.batch.add(deleteOldEntries, g.time().Add(-2*match.EntryTTL).UnixMicro())
	}
}

// Watch implements [match.Registry].
func (s *Store) Watch(fn func(match.Entry)) (stop func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	byRevision := func(a, b match.Entry) int { return cmp.Compare(a.Revision, b.Revision) }
	now := s.clock.now()
	for _, e := range slices.SortedFunc(maps.Values(s.memory.entries), byRevision) {
		if now.Sub(e.At) <= match.EntryTTL {
			fn(e)
		}
	}
	return s.memory.entryWatchers.Add(&s.mu, fn)
}

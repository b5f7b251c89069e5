// Package testkit has what the tests of several packages share.
package testkit

import (
	"context"
	"testing"

	"notakto/match"
	"notakto/match/store"
)

// Store returns a new store on SQLite with the archived matches of journals: see [Fill]. It is closed at the end of the
// test.
func Store(t testing.TB, journals ...*match.Memory) *store.Store {
	t.Helper()
	s := OpenStore(t, t.TempDir())
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, j := range journals {
		Fill(t, s, j)
	}
	return s
}

// Fill adds the archived matches of a journal to a store, as if they had been played one after the other.
func Fill(t testing.TB, s *store.Store, j *match.Memory) {
	t.Helper()
	for _, m := range Archived(t, j) {
		if _, err := s.Append(t.Context(), m.Events...); err != nil {
			t.Fatal(err)
		}
		if err := s.Archive(t.Context(), m.ID); err != nil {
			t.Fatal(err)
		}
	}
}

// OpenStore opens the store of a data directory, which the test has to close.
func OpenStore(t testing.TB, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Archived returns the matches of an archive, the oldest first.
func Archived(t testing.TB, archive match.Archive) (all []match.ArchivedMatch) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	end := archive.ArchiveEnd()
	if end == 0 {
		return nil
	}
	_ = archive.ReadArchive(ctx, 0, func(m match.ArchivedMatch) error { // until ctx ends
		if all = append(all, m); m.Position == end {
			stop()
		}
		return ctx.Err()
	})
	return all
}

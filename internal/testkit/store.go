// Package testkit has what the tests of several packages share.
package testkit

import (
	"os"
	"testing"

	"notakto/match/store"
)

// Store returns a new store on SQLite, which is closed at the end of the test.
func Store(t testing.TB) *store.Store {
	t.Helper()
	s := OpenStore(t, dir(t))
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// dir returns a directory for the test, in memory where the system has one: commits there do not wait for the disk.
func dir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "notakto-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
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

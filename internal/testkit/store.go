package testkit

import (
	"os"
	"testing"

	"notakto/match/store"
)

// Store returns a new store on SQLite. The end of the test closes the store and removes its directory.
func Store(t testing.TB) *store.Store {
	t.Helper()
	s := OpenStore(t, Dir(t))
	t.Cleanup(func() { OK(t, s.Close()) })
	return s
}

// Dir returns a directory in memory where the system has one, because commits there do not wait for a disk. The end of
// the test removes it.
func Dir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "notakto-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { OK(t, os.RemoveAll(dir)) })
	return dir
}

// OpenStore opens the store of a data directory. The caller closes the store.
func OpenStore(t testing.TB, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Config{Dir: dir})
	OK(t, err)
	return s
}

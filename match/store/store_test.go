package store

import (
	"testing"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/journaltest"
)

// openIn opens a store in a directory. The test's cleanup closes it.
func openIn(t testing.TB, dir string) *Store {
	t.Helper()
	return openWith(t, Config{Dir: dir})
}

func openWith(t testing.TB, c Config) *Store {
	t.Helper()
	s, err := Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestContract(t *testing.T) {
	testContract(t, func(t *testing.T) *Store { return openIn(t, t.TempDir()) })
}

func testContract(t *testing.T, open func(t *testing.T) *Store) {
	t.Run("Journal", func(t *testing.T) {
		journaltest.Journal(t, func(t *testing.T) match.Journal { return open(t) })
	})
	t.Run("Registry", func(t *testing.T) {
		journaltest.Registry(t, func(t *testing.T) match.Store { return open(t) })
	})
	t.Run("Accounts", func(t *testing.T) {
		journaltest.Accounts(t, func(t *testing.T) account.Log { return open(t).Accounts() })
	})
}

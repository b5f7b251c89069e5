package journal

import (
	"log/slog"
	"testing"

	"notakto/match"
	"notakto/match/journal/natsd"
	"notakto/match/journaltest"
)

// open opens a store that is closed when the test ends.
func open(t testing.TB, cfg natsd.Config) *Store {
	t.Helper()
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	}
	s, err := Open(t.Context(), cfg, nil)
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

func kinds() map[string]func(t *testing.T) natsd.Config {
	return map[string]func(t *testing.T) natsd.Config{
		"memory":   func(*testing.T) natsd.Config { return natsd.Config{Memory: true} },
		"always":   func(t *testing.T) natsd.Config { return natsd.Config{Dir: t.TempDir()} },
		"interval": func(t *testing.T) natsd.Config { return natsd.Config{Dir: t.TempDir(), Sync: natsd.Interval} },
	}
}

func TestStoreIsAJournal(t *testing.T) {
	t.Parallel()
	for name, config := range kinds() {
		t.Run(name, func(t *testing.T) {
			journaltest.Journal(t, func(t *testing.T) match.Journal { return open(t, config(t)) })
		})
	}
}

func TestStoreIsARegistry(t *testing.T) {
	t.Parallel()
	for name, config := range kinds() {
		t.Run(name, func(t *testing.T) {
			journaltest.Registry(t, func(t *testing.T) match.Registry { return open(t, config(t)) })
		})
	}
}

package match_test

import (
	"testing"

	"notakto/match"
	"notakto/match/journaltest"
)

func TestMemoryIsAJournal(t *testing.T) {
	journaltest.Journal(t, func(*testing.T) match.Journal { return match.NewMemory() })
}

func TestMemoryIsARegistry(t *testing.T) {
	journaltest.Registry(t, func(*testing.T) match.Store { return match.NewMemory() })
}

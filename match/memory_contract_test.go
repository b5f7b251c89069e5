package match_test

import (
	"testing"

	"notakto/match"
	"notakto/match/journaltest"
)

func TestMemoryIsAJournal(t *testing.T) {
	journaltest.Journal(t, func(*testing.T) match.Journal { return match.NewMemory(0) })
}

func TestMemoryIsABoard(t *testing.T) {
	journaltest.Board(t, func(*testing.T) match.Board { return match.NewMemory(0) })
}

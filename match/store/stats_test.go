package store

import (
	"io"
	"strings"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/stats"
)

func observed(h *stats.Histogram) uint64 {
	n, _, _ := h.Read()
	return n
}

// Stats count appends by their results, and have the size of the database and the last backup.
func TestStats(t *testing.T) {
	s := openIn(t, t.TempDir())
	facts := s.Stats()
	mustAppend(t, s, "a", 1, 1)
	errorIs(t, errOf(s.Append(t.Context(), left("a", 1))), match.ErrConflict)
	if _, err := s.Append(t.Context(), left("no name", 1)); err == nil {
		t.Fatal("it was recorded")
	}
	recorded, conflicts, rest := observed(facts.Recorded), observed(facts.Conflicts), observed(facts.Unavailable)
	equal(t, [4]uint64{recorded, conflicts, rest, facts.Commits.Load()}, [4]uint64{1, 1, 1, 1}, "appends and commits")
	size, hasSize := facts.SizeBytes()
	free, hasFree := facts.FreeBytes()
	if !hasSize || !hasFree || size < 4096 || free == 0 || facts.Engine != "sqlite" {
		t.Errorf("size %d, free %d, engine %s", size, free, facts.Engine)
	}
	errorIs(t, errOf(Backup(t.Context(), s, failing{}, "v1", nil)), io.ErrClosedPipe)
	_, _, hasBackup := facts.Backup()
	equal(t, hasBackup, false, "a backup that failed counts")
	whole := backUp(t, s, nil)
	_, bytes, _ := facts.Backup()
	equal(t, bytes, int64(len(whole)))
}

// A store that delivers for more than a minute is stuck, and alive again once it continues.
func TestStuckStoreIsNotAlive(t *testing.T) {
	s := openIn(t, t.TempDir())
	var within error
	stop := s.Subscribe(func(e match.Event) {
		if now := s.Now(); now.Before(e.At) {
			t.Errorf("it is %v, the event is of %v", now, e.At)
		}
		s.stats.busy.Add(-int64(2 * time.Minute)) // as if the call had taken so long
		within = s.stats.Alive()
	})
	defer stop()
	ok(t, s.stats.Alive())
	mustAppend(t, s, "a", 1, 1)
	if within == nil || !strings.Contains(within.Error(), "2m0s") {
		t.Errorf("while a subscriber is stuck: %v", within)
	}
	ok(t, s.stats.Alive())
}

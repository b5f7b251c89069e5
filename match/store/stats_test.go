package store

import (
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
	if recorded != 1 || conflicts != 1 || rest != 1 || facts.Commits.Load() != 1 {
		t.Errorf("%d recorded, %d conflicts, %d unavailable, %d commits", recorded, conflicts, rest,
			facts.Commits.Load())
	}
	size, hasSize := facts.SizeBytes()
	free, hasFree := facts.FreeBytes()
	if !hasSize || !hasFree || size < 4096 || free == 0 || facts.Engine != "sqlite" {
		t.Errorf("size %d, free %d, engine %s", size, free, facts.Engine)
	}
	if _, _, ok := facts.Backup(); ok {
		t.Error("there is a backup before the first one")
	}
	if _, err := Backup(t.Context(), s, failing{}, "v1", nil); err == nil {
		t.Fatal("a writer that fails got a backup")
	}
	if _, _, ok := facts.Backup(); ok {
		t.Error("a backup that failed counts")
	}
	whole := backUp(t, s, nil)
	if _, bytes, ok := facts.Backup(); !ok || bytes != int64(len(whole)) {
		t.Errorf("the backup of %d bytes has %d, %v", len(whole), bytes, ok)
	}
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

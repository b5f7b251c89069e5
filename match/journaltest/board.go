package journaltest

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"notakto/match"
)

// Board runs the tests of [match.Board]. open makes an empty one that the test's clean-up closes.
func Board(t *testing.T, open func(*testing.T) match.Board) {
	for name, test := range map[string]func(*testing.T, match.Board){
		"HoldsOneNoteAKey": holdsOneNoteAKey,
		"IsLookedAt":       isLookedAt,
		"ManyPinners":      manyPinners,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

func mustPin(t *testing.T, b match.Board, key, text string, revision uint64) match.Note {
	t.Helper()
	n, err := b.Pin(t.Context(), match.Note{Key: key, Text: []byte(text), Revision: revision})
	if err != nil || n.Key != key || string(n.Text) != text || n.Revision <= revision || n.At.IsZero() {
		t.Fatalf("pinned as %+v, %v", n, err)
	}
	return n
}

func holdsOneNoteAKey(t *testing.T, b match.Board) {
	first := mustPin(t, b, "node.a1-b", "up", 0)
	for _, revision := range []uint64{0, first.Revision + 1} {
		n := match.Note{Key: first.Key, Text: []byte("mine"), Revision: revision}
		if _, err := b.Pin(t.Context(), n); !errors.Is(err, match.ErrConflict) {
			t.Errorf("pinned over another as revision %d: %v", revision, err)
		}
		if err := b.Unpin(t.Context(), n); !errors.Is(err, match.ErrConflict) {
			t.Errorf("revision %d taken down: %v", revision, err)
		}
	}
	second := mustPin(t, b, first.Key, "still up", first.Revision)
	if err := b.Unpin(t.Context(), first); !errors.Is(err, match.ErrConflict) {
		t.Errorf("an old revision taken down: %v", err)
	}
	if err := b.Unpin(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	for _, gone := range []match.Note{second, {Key: first.Key}} {
		if err := b.Unpin(t.Context(), gone); !errors.Is(err, match.ErrConflict) {
			t.Errorf("taken down twice: %v", err)
		}
	}
	if _, err := b.Pin(t.Context(), second); !errors.Is(err, match.ErrConflict) {
		t.Errorf("pinned in the place of one that is down: %v", err)
	}
	mustPin(t, b, first.Key, "again", 0)
}

func isLookedAt(t *testing.T, b match.Board) {
	old := mustPin(t, b, "seek.1", "one", 0)
	down := mustPin(t, b, "seek.2", "two", 0)
	if err := b.Unpin(t.Context(), down); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var told []string
	seen := func() string {
		mu.Lock()
		defer mu.Unlock()
		defer func() { told = nil }()
		return fmt.Sprint(told)
	}
	stop := b.Look(func(n match.Note) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, n.Key+"="+string(n.Text))
	})
	if first := seen(); first != "[seek.1=one]" {
		t.Errorf("at first: %s", first)
	}
	n := mustPin(t, b, "seek.3", "three", 0)
	mustPin(t, b, old.Key, "more", old.Revision)
	if err := b.Unpin(t.Context(), n); err != nil {
		t.Fatal(err)
	}
	if next := seen(); next != "[seek.3=three seek.1=more seek.3=]" {
		t.Errorf("then: %s", next)
	}
	stop()
	mustPin(t, b, "seek.4", "four", 0)
	if last := seen(); last != "[]" {
		t.Errorf("after the end: %s", last)
	}
}

// Of all who pin a note at the same place one wins.
func manyPinners(t *testing.T, b match.Board) {
	n := mustPin(t, b, "k", "0", 0)
	for round := range 20 {
		var mu sync.Mutex
		var won []match.Note
		var pinners sync.WaitGroup
		for range 4 {
			pinners.Go(func() {
				next, err := b.Pin(t.Context(), match.Note{Key: "k", Text: []byte("x"), Revision: n.Revision})
				if err != nil && !errors.Is(err, match.ErrConflict) {
					t.Error(err)
				}
				if err == nil {
					mu.Lock()
					defer mu.Unlock()
					won = append(won, next)
				}
			})
		}
		pinners.Wait()
		if len(won) != 1 {
			t.Fatalf("round %d has %d winners", round, len(won))
		}
		n = won[0]
	}
}

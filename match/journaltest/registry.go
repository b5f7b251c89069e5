package journaltest

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"notakto/match"
)

// Registry runs the tests of [match.Registry], and of what a [match.Store] adds to it. open returns an empty one that
// the test's cleanup closes.
func Registry(t *testing.T, open func(*testing.T) match.Store) {
	for name, test := range map[string]func(*testing.T, match.Store){
		"HoldsOneEntryAKey": holdsOneEntryAKey,
		"DeliversChanges":   deliversChanges,
		"ManyWriters":       manyWriters,
		"AppendsWith":       appendsWith,
		"AppendsWithOnce":   appendsWithOnce,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // most wait: for a server to start, for the disk, for events
			test(t, open(t))
		})
	}
}

func mustPutEntry(t *testing.T, b match.Registry, key, text string, revision uint64) match.Entry {
	t.Helper()
	n, err := b.Put(t.Context(), match.Entry{Key: key, Text: []byte(text), Revision: revision})
	if err != nil || n.Key != key || string(n.Text) != text || n.Revision <= revision || n.At.IsZero() {
		t.Fatalf("put as %+v, %v", n, err)
	}
	return n
}

func holdsOneEntryAKey(t *testing.T, b match.Store) {
	first := mustPutEntry(t, b, "node.a1-b", "up", 0)
	for _, revision := range []uint64{0, first.Revision + 1} {
		n := match.Entry{Key: first.Key, Text: []byte("mine"), Revision: revision}
		if _, err := b.Put(t.Context(), n); !errors.Is(err, match.ErrConflict) {
			t.Errorf("put over another as revision %d: %v", revision, err)
		}
		if err := b.Delete(t.Context(), n); !errors.Is(err, match.ErrConflict) {
			t.Errorf("revision %d deleted: %v", revision, err)
		}
	}
	second := mustPutEntry(t, b, first.Key, "still up", first.Revision)
	if err := b.Delete(t.Context(), first); !errors.Is(err, match.ErrConflict) {
		t.Errorf("an old revision deleted: %v", err)
	}
	if err := b.Delete(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	for _, gone := range []match.Entry{second, {Key: first.Key}} {
		if err := b.Delete(t.Context(), gone); !errors.Is(err, match.ErrConflict) {
			t.Errorf("deleted twice: %v", err)
		}
	}
	if _, err := b.Put(t.Context(), second); !errors.Is(err, match.ErrConflict) {
		t.Errorf("put in the place of one that was deleted: %v", err)
	}
	mustPutEntry(t, b, first.Key, "again", 0)
}

func deliversChanges(t *testing.T, b match.Store) {
	old := mustPutEntry(t, b, "seek.1", "one", 0)
	down := mustPutEntry(t, b, "seek.2", "two", 0)
	if err := b.Delete(t.Context(), down); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var received []string
	seen := func() string {
		mu.Lock()
		defer mu.Unlock()
		defer func() { received = nil }()
		return fmt.Sprint(received)
	}
	stop := b.Watch(func(n match.Entry) {
		mu.Lock()
		defer mu.Unlock()
		received = append(received, n.Key+"="+string(n.Text))
	})
	if first := seen(); first != "[seek.1=one]" {
		t.Errorf("at first: %s", first)
	}
	n := mustPutEntry(t, b, "seek.3", "three", 0)
	mustPutEntry(t, b, old.Key, "more", old.Revision)
	if err := b.Delete(t.Context(), n); err != nil {
		t.Fatal(err)
	}
	if next := seen(); next != "[seek.3=three seek.1=more seek.3=]" {
		t.Errorf("then: %s", next)
	}
	stop()
	mustPutEntry(t, b, "seek.4", "four", 0)
	if last := seen(); last != "[]" {
		t.Errorf("after the end: %s", last)
	}
}

// Of several puts with one key and revision, one succeeds.
func manyWriters(t *testing.T, b match.Store) {
	n := mustPutEntry(t, b, "k", "0", 0)
	for round := range 20 {
		var mu sync.Mutex
		var won []match.Entry
		var writers sync.WaitGroup
		for range 4 {
			writers.Go(func() {
				next, err := b.Put(t.Context(), match.Entry{Key: "k", Text: []byte("x"), Revision: n.Revision})
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
		writers.Wait()
		if len(won) != 1 {
			t.Fatalf("round %d has %d winners", round, len(won))
		}
		n = won[0]
	}
}

// Entries are put and events appended together, or neither. The events are delivered first.
func appendsWith(t *testing.T, b match.Store) {
	one, other := mustPutEntry(t, b, "seek.1", "one", 0), mustPutEntry(t, b, "seek.2", "two", 0)
	var mu sync.Mutex
	var received []string
	seen := func(news string) {
		mu.Lock()
		defer mu.Unlock()
		received = append(received, news)
	}
	defer b.Subscribe(func(e match.Event) { seen(string(e.Match)) })()
	defer b.Watch(func(n match.Entry) { seen(n.Key + "=" + string(n.Text)) })()
	paired := func(n match.Entry, revision uint64) match.Entry {
		return match.Entry{Key: n.Key, Text: []byte("paired"), Revision: revision}
	}
	for _, old := range [][2]uint64{{one.Revision, 0}, {other.Revision, other.Revision}} {
		_, err := b.AppendWith(t.Context(), []match.Entry{paired(one, old[0]), paired(other, old[1])}, Played("m")[0])
		if !errors.Is(err, match.ErrConflict) {
			t.Errorf("with old revisions: %v", err)
		}
	}
	both := []match.Entry{paired(one, one.Revision), paired(other, other.Revision)}
	if last, err := b.AppendWith(t.Context(), both, Played("m")[0]); err != nil || last.Seq != 1 || last.At.IsZero() {
		t.Fatalf("appended %+v, %v", last, err)
	}
	if _, err := b.AppendWith(t.Context(), both, Played("another")[0]); !errors.Is(err, match.ErrConflict) {
		t.Errorf("paired twice: %v", err)
	}
	third := mustPutEntry(t, b, "seek.3", "three", 0)
	if _, err := b.AppendWith(t.Context(), []match.Entry{paired(third, third.Revision)}, Played("m")[0]); !errors.Is(
		err, match.ErrConflict) {
		t.Errorf("a match opened twice: %v", err)
	}
	mustPutEntry(t, b, third.Key, "still here", third.Revision)
	mu.Lock()
	defer mu.Unlock()
	want := "[seek.1=one seek.2=two m seek.1=paired seek.2=paired seek.3=three seek.3=still here]"
	if got := fmt.Sprint(received); got != want {
		t.Errorf("delivered %s, want %s", got, want)
	}
}

// Of an AppendWith and a Delete that change an entry at the same time, one succeeds.
func appendsWithOnce(t *testing.T, b match.Store) {
	for round := range 20 {
		n := mustPutEntry(t, b, fmt.Sprint("k", round), "waits", 0)
		var appended, deleted error
		var writers sync.WaitGroup
		writers.Go(func() {
			paired := match.Entry{Key: n.Key, Text: []byte("paired"), Revision: n.Revision}
			_, appended = b.AppendWith(t.Context(), []match.Entry{paired}, Played(match.ID(fmt.Sprint("m", round)))[0])
		})
		writers.Go(func() { deleted = b.Delete(t.Context(), n) })
		writers.Wait()
		for _, err := range []error{appended, deleted} {
			if err != nil && !errors.Is(err, match.ErrConflict) {
				t.Error(err)
			}
		}
		if (appended == nil) == (deleted == nil) {
			t.Errorf("round %d: appended %v, deleted %v", round, appended, deleted)
		}
	}
}

package journaltest

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"notakto/match"
)

// Registry runs the tests of [match.Registry], and of the methods that [match.Store] adds. open returns an empty
// store that the test's cleanup closes.
func Registry(t *testing.T, open func(*testing.T) match.Store) {
	for name, test := range map[string]func(*testing.T, match.Store){
		"HoldsOneEntryAKey": holdsOneEntryAKey,
		"DeliversChanges":   deliversChanges,
		"ManyWriters":       manyWriters,
		"AppendsWith":       appendsWith,
		"AppendsWithOnce":   appendsWithOnce,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // most tests wait for a server to start, for the disk, or for events
			test(t, open(t))
		})
	}
}

func mustPutEntry(t *testing.T, r match.Registry, key, text string, revision uint64) match.Entry {
	t.Helper()
	e, err := r.Put(t.Context(), match.Entry{Key: key, Text: []byte(text), Revision: revision})
	if err != nil || e.Key != key || string(e.Text) != text || e.Revision <= revision || e.At.IsZero() {
		t.Fatalf("put as %+v, %v", e, err)
	}
	return e
}

func holdsOneEntryAKey(t *testing.T, r match.Store) {
	first := mustPutEntry(t, r, "node.a1-b", "up", 0)
	for _, revision := range []uint64{0, first.Revision + 1} {
		e := match.Entry{Key: first.Key, Text: []byte("mine"), Revision: revision}
		if _, err := r.Put(t.Context(), e); !errors.Is(err, match.ErrConflict) {
			t.Errorf("put over another as revision %d: %v", revision, err)
		}
		if err := r.Delete(t.Context(), e); !errors.Is(err, match.ErrConflict) {
			t.Errorf("revision %d deleted: %v", revision, err)
		}
	}
	second := mustPutEntry(t, r, first.Key, "still up", first.Revision)
	if err := r.Delete(t.Context(), first); !errors.Is(err, match.ErrConflict) {
		t.Errorf("an old revision deleted: %v", err)
	}
	if err := r.Delete(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	for _, gone := range []match.Entry{second, {Key: first.Key}} {
		if err := r.Delete(t.Context(), gone); !errors.Is(err, match.ErrConflict) {
			t.Errorf("deleted twice: %v", err)
		}
	}
	if _, err := r.Put(t.Context(), second); !errors.Is(err, match.ErrConflict) {
		t.Errorf("put in the place of one that was deleted: %v", err)
	}
	mustPutEntry(t, r, first.Key, "again", 0)
}

func deliversChanges(t *testing.T, r match.Store) {
	old := mustPutEntry(t, r, "seek.1", "one", 0)
	down := mustPutEntry(t, r, "seek.2", "two", 0)
	if err := r.Delete(t.Context(), down); err != nil {
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
	stop := r.Watch(func(e match.Entry) {
		mu.Lock()
		defer mu.Unlock()
		received = append(received, e.Key+"="+string(e.Text))
	})
	if first := seen(); first != "[seek.1=one]" {
		t.Errorf("at first: %s", first)
	}
	e := mustPutEntry(t, r, "seek.3", "three", 0)
	mustPutEntry(t, r, old.Key, "more", old.Revision)
	if err := r.Delete(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	if next := seen(); next != "[seek.3=three seek.1=more seek.3=]" {
		t.Errorf("then: %s", next)
	}
	stop()
	mustPutEntry(t, r, "seek.4", "four", 0)
	if last := seen(); last != "[]" {
		t.Errorf("after the end: %s", last)
	}
}

// Of several puts with one key and revision, one succeeds.
func manyWriters(t *testing.T, r match.Store) {
	e := mustPutEntry(t, r, "k", "0", 0)
	for round := range 20 {
		var mu sync.Mutex
		var won []match.Entry
		var writers sync.WaitGroup
		for range 4 {
			writers.Go(func() {
				next, err := r.Put(t.Context(), match.Entry{Key: "k", Text: []byte("x"), Revision: e.Revision})
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
		e = won[0]
	}
}

// AppendWith puts its entries and appends its events together, or does neither. The events are delivered first.
func appendsWith(t *testing.T, r match.Store) {
	one, other := mustPutEntry(t, r, "seek.1", "one", 0), mustPutEntry(t, r, "seek.2", "two", 0)
	var mu sync.Mutex
	var received []string
	seen := func(news string) {
		mu.Lock()
		defer mu.Unlock()
		received = append(received, news)
	}
	defer r.Subscribe(func(e match.Event) { seen(string(e.Match)) })()
	defer r.Watch(func(e match.Entry) { seen(e.Key + "=" + string(e.Text)) })()
	paired := func(e match.Entry, revision uint64) match.Entry {
		return match.Entry{Key: e.Key, Text: []byte("paired"), Revision: revision}
	}
	for _, old := range [][2]uint64{{one.Revision, 0}, {other.Revision, other.Revision}} {
		_, err := r.AppendWith(t.Context(), []match.Entry{paired(one, old[0]), paired(other, old[1])}, Played("m")[0])
		if !errors.Is(err, match.ErrConflict) {
			t.Errorf("with old revisions: %v", err)
		}
	}
	both := []match.Entry{paired(one, one.Revision), paired(other, other.Revision)}
	if last, err := r.AppendWith(t.Context(), both, Played("m")[0]); err != nil || last.Seq != 1 || last.At.IsZero() {
		t.Fatalf("appended %+v, %v", last, err)
	}
	if _, err := r.AppendWith(t.Context(), both, Played("another")[0]); !errors.Is(err, match.ErrConflict) {
		t.Errorf("paired twice: %v", err)
	}
	third := mustPutEntry(t, r, "seek.3", "three", 0)
	if _, err := r.AppendWith(t.Context(), []match.Entry{paired(third, third.Revision)}, Played("m")[0]); !errors.Is(
		err, match.ErrConflict) {
		t.Errorf("a match opened twice: %v", err)
	}
	mustPutEntry(t, r, third.Key, "still here", third.Revision)
	mu.Lock()
	defer mu.Unlock()
	want := "[seek.1=one seek.2=two m seek.1=paired seek.2=paired seek.3=three seek.3=still here]"
	if got := fmt.Sprint(received); got != want {
		t.Errorf("delivered %s, want %s", got, want)
	}
}

// If an AppendWith and a Delete change an entry at one time, one of them succeeds.
func appendsWithOnce(t *testing.T, r match.Store) {
	for round := range 20 {
		e := mustPutEntry(t, r, fmt.Sprint("k", round), "waits", 0)
		var appended, deleted error
		var writers sync.WaitGroup
		writers.Go(func() {
			paired := match.Entry{Key: e.Key, Text: []byte("paired"), Revision: e.Revision}
			_, appended = r.AppendWith(t.Context(), []match.Entry{paired}, Played(match.ID(fmt.Sprint("m", round)))[0])
		})
		writers.Go(func() { deleted = r.Delete(t.Context(), e) })
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

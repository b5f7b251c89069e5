package journal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/history"
	"notakto/match/journal/internal/codec"
	"notakto/match/journal/natsd"
	"notakto/match/journaltest"
)

// position is an index that has the matches up to a position, named after it.
type position uint64

func (p *position) Attach(context.Context, match.Archive) error { return nil }
func (p *position) IndexedTo() uint64                           { return uint64(*p) }

func (p *position) FindArchived(_ context.Context, id match.ID) (uint64, error) {
	var n uint64
	if _, err := fmt.Sscanf(string(id), "match%d", &n); err != nil || n > uint64(*p) {
		return 0, nil
	}
	return n, nil
}

// What the index has read is forgotten, and found all the same.
func TestNamesAreForgottenOnceTheyAreIndexed(t *testing.T) {
	index := new(position)
	n := newNames(index)
	id := func(i uint64) match.ID { return match.ID(fmt.Sprint("match", i)) }
	const all = 3 * forgetAtLeast
	for i := range uint64(all) {
		n.add(id(i+1), i+1)
		if i == 2*forgetAtLeast {
			*index = all / 2
		}
	}
	if len(n.hashes) > all-forgetAtLeast {
		t.Errorf("%d of %d are in memory, and %d are indexed", len(n.hashes), all, all/2)
	}
	for i := range uint64(all) {
		if found, err := n.find(t.Context(), id(i+1)); err != nil || !slices.Contains(found, i+1) {
			t.Fatalf("match %d is found at %d, %v", i+1, found, err)
		}
	}
	if found, err := n.find(t.Context(), "never"); err != nil || len(found) > 1 { // one hash of thousands may be the same
		t.Errorf("a name that was never given is found at %d, %v", found, err)
	}
	*index = all + 1
	n.add(id(all+1), all+1)
	if len(n.hashes) != 0 {
		t.Errorf("%d are in memory, and all are indexed", len(n.hashes))
	}
	n.detach()
	if found, err := n.find(t.Context(), id(1)); err != nil || len(found) != 0 {
		t.Errorf("after the archive was lost, match 1 is found at %d, %v", found, err)
	}
}

// indexed opens a store whose index is in its data directory, and waits until the index has everything.
func indexed(t testing.TB, cfg natsd.Config) (*Store, *history.Store) {
	t.Helper()
	var h *history.Store
	s, err := Open(t.Context(), cfg, func() match.ArchiveIndex {
		var err error
		if h, err = history.Open(history.Config{Path: filepath.Join(cfg.Dir, history.FileName)}); err != nil {
			t.Fatal(err)
		}
		return h
	})
	if err != nil {
		t.Fatal(err)
	}
	h.Follow(s, nil)
	<-h.Current()
	return s, h
}

func closeBoth(t testing.TB, s *Store, h *history.Store) {
	t.Helper()
	if err := errors.Join(h.Close(), s.Close()); err != nil {
		t.Fatal(err)
	}
}

// finds checks that matches of fill are found, and cannot begin again, and that one more is not.
func finds(t *testing.T, s *Store, n int) {
	t.Helper()
	for _, i := range []int{0, n / 2, n - 1} {
		id := randomID(i)
		if events, err := s.Load(t.Context(), id, 0); err != nil || len(events) == 0 {
			t.Errorf("match %d: %d events, %v", i, len(events), err)
		}
		if _, err := s.Append(t.Context(), journaltest.Played(id)[:3]...); !errors.Is(err, match.ErrConflict) {
			t.Errorf("match %d begins again: %v", i, err)
		}
		if _, err := s.Append(t.Context(), left(id, 99)); !errors.Is(err, match.ErrArchived) {
			t.Errorf("match %d goes on: %v", i, err)
		}
	}
	if _, err := s.Load(t.Context(), "never", 0); !errors.Is(err, match.ErrNoSuchMatch) {
		t.Errorf("a match that never was: %v", err)
	}
}

// A start with an index reads neither the files nor the records of finished matches, and knows them all the same:
// after a stop, after a kill, without the index, with that of another archive, and without an older one's end.
func TestAStartWithAnIndex(t *testing.T) {
	t.Parallel()
	cfg := natsd.Config{Dir: t.TempDir(), Sync: natsd.Interval}
	s, h := indexed(t, cfg)
	const n = 300
	fill(t, s, n)
	eventually(t, "all are indexed", func() bool { return h.IndexedTo() == n })
	finds(t, s, n)
	closeBoth(t, s, h)

	old := filepath.Join(t.TempDir(), "history.db")
	path := filepath.Join(cfg.Dir, history.FileName)
	copyFile(t, path, old)
	for name, change := range map[string]func(){
		"stopped": func() {},
		"without the note of the stop": func() {
			if err := os.Remove(filepath.Join(cfg.Dir, "journal", "stopped")); err != nil {
				t.Fatal(err)
			}
		},
		"without the index": func() {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		},
		"with the index of another archive": func() {
			other := natsd.Config{Dir: t.TempDir(), Sync: natsd.Interval}
			s, h := indexed(t, other)
			for i := range 3 {
				id := match.ID(fmt.Sprint("other", i))
				if err := s.archiver.put(t.Context(), codec.Record{ID: id, Events: journaltest.Played(id)}); err != nil {
					t.Fatal(err)
				}
			}
			eventually(t, "all are indexed", func() bool { return h.IndexedTo() == 3 })
			closeBoth(t, s, h)
			copyFile(t, filepath.Join(other.Dir, history.FileName), path)
		},
		"with an index that is behind": func() {
			s, h := indexed(t, cfg)
			if err := h.Close(); err != nil {
				t.Fatal(err)
			}
			copyFile(t, old, path)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			change()
			s, h := indexed(t, cfg)
			defer closeBoth(t, s, h)
			eventually(t, "all are indexed", func() bool { return h.IndexedTo() >= n })
			finds(t, s, n)
			if name == "stopped" && len(s.archive.names.hashes) > 0 {
				t.Errorf("%d names are in memory", len(s.archive.names.hashes))
			}
		})
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// A finished match is known while the index is still being filled, and one that is finished then too.
func TestMatchesAreFoundWhileTheIndexIsFilled(t *testing.T) {
	t.Parallel()
	cfg := natsd.Config{Dir: t.TempDir(), Sync: natsd.Interval}
	s := open(t, cfg)
	const n = 300
	fill(t, s, n)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	h, err := history.Open(history.Config{Path: filepath.Join(cfg.Dir, history.FileName)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = h.Close() }()
	s, err = Open(t.Context(), cfg, func() match.ArchiveIndex { return h })
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	finds(t, s, n) // nothing is indexed
	h.Follow(s, nil)
	for until := time.Now().Add(20 * time.Second); h.IndexedTo() < n && time.Now().Before(until); {
		finds(t, s, n)
	}
	r := codec.Record{ID: "another", Events: journaltest.Played("another")}
	if err := s.archiver.put(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it is indexed", func() bool { return h.IndexedTo() == n+1 })
	if _, err := s.Load(t.Context(), "another", 0); err != nil {
		t.Error(err)
	}
	if position, err := h.FindArchived(t.Context(), "another"); err != nil || position != n+1 {
		t.Errorf("it is at %d, %v", position, err)
	}
}

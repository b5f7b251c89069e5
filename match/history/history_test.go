package history_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"notakto/match"
	"notakto/match/history"
	"notakto/rules"
	"notakto/rules/strategy"
)

// finished archives a match of two players with the moves of a game, which the player of a side resigns if it is not
// over; no player resigns for [rules.Nobody].
func finished(t testing.TB, j *match.Memory, id match.ID, origin match.Origin, one, other match.Player, game string,
	resigns rules.Side) {
	t.Helper()
	finishedWith(t, j, match.Clock{}, id, origin, one, other, game, resigns)
}

// finishedWith is finished with a clock.
func finishedWith(
	t testing.TB, j *match.Memory, clock match.Clock, id match.ID, origin match.Origin, one, other match.Player,
	game string, resigns rules.Side,
) {
	t.Helper()
	g, err := rules.ParseGame(game)
	if err != nil {
		t.Fatal(err)
	}
	events := []match.Event{
		{Kind: match.Opened, Terms: match.Terms{Variant: g.Variant, Clock: clock}, Origin: origin},
		{Kind: match.Seated, Seat: rules.First, Player: one},
		{Kind: match.Seated, Seat: rules.Second, Player: other},
	}
	for i, m := range g.Moves {
		events = append(events, match.Event{Kind: match.Moved, Seat: rules.Sides()[i%2], Move: m})
	}
	if resigns != rules.Nobody {
		events = append(events, match.Event{Kind: match.Resigned, Seat: resigns})
	}
	for i := range events {
		events[i].Match, events[i].Seq = id, uint64(i+1)
	}
	if _, err := j.Append(t.Context(), events...); err != nil {
		t.Fatal(err)
	}
	if err := j.Archive(t.Context(), id); err != nil {
		t.Fatal(err)
	}
}

func person(name string) match.Player { return match.Player{ID: match.PlayerID(name), Name: name} }

func open(t testing.TB, path string, j match.Archive) *history.Store {
	t.Helper()
	s, err := history.Start(history.Config{Path: path}, j)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	<-s.Current()
	return s
}

func list(t *testing.T, s *history.Store, p string, before uint64, limit int, withPrivate bool) string {
	t.Helper()
	all, err := s.List(t.Context(), match.PlayerID(p), before, limit, withPrivate)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, e := range all {
		ids = append(ids, string(e.Match))
	}
	return strings.Join(ids, " ")
}

func totals(t *testing.T, s *history.Store, p string) history.Totals {
	t.Helper()
	got, err := s.Totals(t.Context(), match.PlayerID(p))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// A journal with a match of each kind.
func played(t testing.TB) *match.Memory {
	j := match.NewMemory(0)
	ann, bob, guest := person("ann"), person("bob"), match.Player{ID: "guest:g", Name: "gus", Guest: true}
	finished(t, j, "lost", match.QueueOrigin, ann, bob, "notakto/1: A5 A1 A9", rules.Nobody)
	finished(t, j, "private", match.PrivateOrigin, bob, ann, "notakto/2: A5", rules.First)
	finished(t, j, "drawn", match.QueueOrigin, ann, guest, "tictactoe: 5 1 7 3 2 8 4 6 9", rules.Nobody)
	finished(t, j, "computer", match.ComputerOrigin, ann, match.Computer(strategy.Club), "notakto/3: A5 B5", rules.Second)
	finished(t, j, "review", match.ReviewOrigin, ann, match.Computer(strategy.Club), "notakto/3: A5 B5", rules.Second)
	return j
}

func TestList(t *testing.T) {
	s := open(t, "", played(t))
	for _, test := range []struct {
		player      string
		before      uint64
		limit       int
		withPrivate bool
		want        string
	}{
		{"ann", 0, 10, true, "computer drawn private lost"},
		{"ann", 0, 10, false, "computer drawn lost"},
		{"ann", 0, 2, true, "computer drawn"},
		{"ann", 3, 2, true, "private lost"},
		{"bob", 0, 10, true, "private lost"},
		{"guest:g", 0, 10, true, ""},
		{"computer:club", 0, 10, true, ""},
		{"cleo", 0, 10, true, ""},
		{"ann", 0, -1, true, ""},
	} {
		if got := list(t, s, test.player, test.before, test.limit, test.withPrivate); got != test.want {
			t.Errorf("%+v: %q", test, got)
		}
	}
	all, err := s.List(t.Context(), "ann", 0, 1, true)
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	e := all[0]
	if e.Variant.String() != "notakto/3" || e.Side != rules.First || e.Opponent.Name != "club" ||
		e.Winner != rules.First ||
		e.Reason != "resign" || e.Plies != 2 || e.Ended.IsZero() || e.Number != 4 {
		t.Errorf("the newest is %+v", e)
	}
}

// An entry has the clock that the match was played with.
func TestTheClockIsListed(t *testing.T) {
	j := played(t)
	for _, name := range []string{"3+2", "1d"} {
		clock, err := match.ParseClock(name)
		if err != nil {
			t.Fatal(err)
		}
		finishedWith(t, j, clock, match.ID(name), match.QueueOrigin, person("ann"), person("bob"), "notakto/1: A5",
			rules.Second)
	}
	all, err := open(t, "", j).List(t.Context(), "ann", 0, 3, true)
	if err != nil || len(all) != 3 {
		t.Fatal(all, err)
	}
	for i, want := range []string{"1d", "3+2", "none"} {
		if got := all[i].Clock.String(); got != want {
			t.Errorf("entry %d has the clock %s, want %s", i, got, want)
		}
	}
}

// Three boards are won for the player who moves first.
func TestTotals(t *testing.T) {
	s := open(t, "", played(t))
	for player, want := range map[string]history.Totals{
		"ann":     {Matches: 4, Won: 2, Lost: 1, Chances: 3, Kept: 2},
		"bob":     {Matches: 2, Won: 1, Lost: 1},
		"guest:g": {},
	} {
		if got := totals(t, s, player); got != want {
			t.Errorf("%s has %+v, want %+v", player, got, want)
		}
	}
	if got, err := s.Against(t.Context(), "ann", "bob"); err != nil ||
		got != (history.Totals{Matches: 2, Won: 1, Lost: 1}) {
		t.Errorf("ann has against bob %+v, %v", got, err)
	}
}

// What is finished while the store is open is added, once, also after it was closed.
func TestNewMatchesAreAdded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	j := played(t)
	s := open(t, path, j)
	finished(t, j, "while open", match.QueueOrigin, person("ann"), person("bob"), "notakto/1: A5", rules.Second)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	finished(t, j, "while closed", match.QueueOrigin, person("ann"), person("bob"), "notakto/1: A5", rules.Second)
	s = open(t, path, j)
	if got, want := list(t, s, "ann", 0, 10, true), "while closed while open computer drawn private lost"; got != want {
		t.Errorf("ann has %q, want %q", got, want)
	}
	if got := totals(t, s, "ann"); got.Matches != 6 || got.Won != 4 {
		t.Errorf("ann has %+v", got)
	}
}

// A database of another archive, of another version or without sense is filled again.
func TestTheDatabaseIsComputedAnew(t *testing.T) {
	other := match.NewMemory(0)
	for i := range 8 {
		finished(t, other, match.ID(fmt.Sprint("other", i)), match.QueueOrigin, person("ann"), person("eve"),
			"notakto/1: A5", rules.Second)
	}
	for name, spoil := range map[string]func(path string) error{
		"longer": func(path string) error {
			return open(t, path, other).Close()
		},
		"without a table": func(path string) error {
			if err := open(t, path, played(t)).Close(); err != nil {
				return err
			}
			db, err := sql.Open("sqlite", path)
			if err != nil {
				return err
			}
			_, err = db.Exec(`DROP TABLE rated`)
			return errors.Join(err, db.Close())
		},
		"garbage": func(path string) error { return os.WriteFile(path, []byte(strings.Repeat("garbage ", 1000)), 0o600) },
		"empty":   func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"shorter": func(path string) error {
			short := match.NewMemory(0)
			finished(t, short, "other", match.QueueOrigin, person("ann"), person("eve"), "notakto/1: A5", rules.Second)
			return open(t, path, short).Close()
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "history.db")
			if err := spoil(path); err != nil {
				t.Fatal(err)
			}
			s := open(t, path, played(t))
			if got, want := list(t, s, "ann", 0, 10, true), "computer drawn private lost"; got != want {
				t.Errorf("ann has %q, want %q", got, want)
			}
			if got := totals(t, s, "ann"); got.Matches != 4 {
				t.Errorf("ann has %+v", got)
			}
		})
	}
}

// unreadable has a record that cannot be read before each match.
type unreadable struct{ *match.Memory }

func (u unreadable) ReadArchive(ctx context.Context, after uint64, fn func(match.ArchivedMatch) error) error {
	return u.Memory.ReadArchive(ctx, after/2, func(m match.ArchivedMatch) error {
		m.Position *= 2
		if bad := (match.ArchivedMatch{Position: m.Position - 1, ID: "bad"}); bad.Position > after {
			if err := fn(bad); err != nil {
				return err
			}
		}
		return fn(m)
	})
}

func (u unreadable) ArchiveEnd() uint64 { return 2 * u.Memory.ArchiveEnd() }

// The data directory may be one that other users can enter: an operator made it. They read nothing of the players.
func TestOtherUsersCannotReadTheDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), history.FileName)
	for _, before := range []os.FileMode{0, 0o644} { // a new one, and one of an earlier version
		if before != 0 {
			if err := os.Chmod(path, before); err != nil {
				t.Fatal(err)
			}
		}
		s, err := history.Open(history.Config{Path: path})
		if err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(path + "*")
		if err != nil || len(files) != 3 {
			t.Fatalf("files %q, %v", files, err)
		}
		for _, name := range files {
			if stat, err := os.Stat(name); err != nil || stat.Mode().Perm() != 0o600 {
				t.Errorf("%s has the mode %v, %v", name, stat.Mode(), err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRecordsThatCannotBeReadAreSkipped(t *testing.T) {
	if got := list(t, open(t, "", unreadable{played(t)}), "ann", 0, 10, true); got != "computer drawn private lost" {
		t.Errorf("ann has %q", got)
	}
}

func BenchmarkFold(b *testing.B) {
	j := match.NewMemory(1 << 20)
	for i := range b.N {
		finished(b, j, match.ID(fmt.Sprint(i)), match.QueueOrigin, person(fmt.Sprint(i%1000)), person("bob"),
			"notakto/3: A5 B5 C1 A9 B1 C2 B9 C3", rules.Nobody)
	}
	b.ResetTimer()
	open(b, filepath.Join(b.TempDir(), "history.db"), j)
}

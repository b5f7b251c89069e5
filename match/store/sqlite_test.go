package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"notakto/match"
	"notakto/match/internal/codec"
	"notakto/match/internal/disk"
	"notakto/match/journaltest"
)

// mustAppend appends events with sequences from one to another to a match.
func mustAppend(t testing.TB, s *Store, id match.ID, from, to uint64) {
	t.Helper()
	for seq := from; seq <= to; seq++ {
		if _, err := s.Append(t.Context(), left(id, seq)); err != nil {
			t.Fatal(err)
		}
	}
}

// length returns how many events a match has.
func length(t testing.TB, s *Store, id match.ID) int {
	t.Helper()
	events, err := s.Load(t.Context(), id, 0)
	if err != nil {
		t.Fatal(err)
	}
	return len(events)
}

// A path may have characters that mean something in the name of a database.
func TestAnyPath(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a #b?c=d&e%20f")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	s := openIn(t, dir)
	mustAppend(t, s, "m", 1, 3)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, FileName)); err != nil {
		t.Error(err)
	}
	if n := length(t, openIn(t, dir), "m"); n != 3 {
		t.Errorf("%d events are left", n)
	}
}

// What Close leaves is one file, which only its user can read.
func TestCloseLeavesOneFile(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(t.Context(), Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	mustAppend(t, s, "m", 1, 3)
	if _, err := s.History().Totals(t.Context(), "ann"); err != nil { // the connections that read are open
		t.Fatal(err)
	}
	for _, name := range []string{FileName, FileName + "-wal", FileName + "-shm"} {
		if stat, err := os.Stat(filepath.Join(dir, name)); err != nil || stat.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, stat, err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{FileName + "-wal", FileName + "-shm"} {
		if _, err := os.Stat(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is left: %v", name, err)
		}
	}
}

func TestASecondStoreOfADirectoryIsRefused(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, dir)
	if second, err := Open(t.Context(), Config{Dir: dir}); !errors.Is(err, disk.ErrLocked) {
		t.Fatalf("opened twice: %v, %v", second, err)
	}
	out, err := child(t, Config{Dir: dir}, "open").CombinedOutput()
	if err == nil || !strings.Contains(string(out), disk.ErrLocked.Error()) {
		t.Errorf("another process says %s, %v", out, err)
	}
	mustAppend(t, s, "m", 1, 1)
}

// A start that cannot read the database says so, and what to do: also if only the disk failed, SQLite calls the file
// malformed.
func TestAnUnreadableDatabase(t *testing.T) {
	for _, from := range []int64{0, 100, 4096} { // the whole file, all but the header of SQLite, all but the first page
		dir := t.TempDir()
		s, err := Open(t.Context(), Config{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		mustAppend(t, s, "m", 1, 3)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, FileName)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := from; i < int64(len(text)); i++ {
			text[i] = 'x'
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err = Open(t.Context(), Config{Dir: dir})
		if !errors.Is(err, ErrUnreadable) || !strings.Contains(err.Error(), path) {
			t.Errorf("damaged from %d: %v", from, err)
		}
	}
}

// copyRunning copies the files of a store that is open, as a crash of its process would leave them.
func copyRunning(t *testing.T, from string) (to string) {
	t.Helper()
	to = t.TempDir()
	for _, name := range []string{FileName, FileName + "-wal"} {
		text, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(to, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// Damage in SQLite's log hides what was acknowledged after it, which is noticed. What a crash leaves is no damage.
func TestDamageInTheLog(t *testing.T) {
	const events = 100
	dir := t.TempDir()
	s := openIn(t, dir)
	mustAppend(t, s, "m", 1, events)
	for name, test := range map[string]struct {
		spoil func(wal []byte) []byte
		want  error
		least int // events that are left
	}{
		"none":      {func(wal []byte) []byte { return wal }, nil, events},
		"middle":    {flip(0.5), ErrDamagedWAL, 0},
		"beginning": {flip(0.02), ErrDamagedWAL, 0},
		"header": {func(wal []byte) []byte {
			wal[17] ^= 1
			return wal
		}, ErrDamagedWAL, 0},
		"zeros in the middle": {func(wal []byte) []byte {
			clear(wal[len(wal)/2/4096*4096:][:4096])
			return wal
		}, ErrDamagedWAL, 0},
		"end":       {func(wal []byte) []byte { wal[len(wal)-1] ^= 1; return wal }, nil, events - 1},
		"truncated": {func(wal []byte) []byte { return wal[:len(wal)-1000] }, nil, events - 1},
		"empty":     {func([]byte) []byte { return nil }, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			copied := copyRunning(t, dir)
			path := filepath.Join(copied, FileName+"-wal")
			wal, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, test.spoil(wal), 0o600); err != nil {
				t.Fatal(err)
			}
			after, err := Open(t.Context(), Config{Dir: copied})
			if !errors.Is(err, test.want) {
				t.Fatalf("opened with %v, want %v", err, test.want)
			}
			if err != nil {
				if err := os.Remove(path); err != nil { // as the error says
					t.Fatal(err)
				}
				after = openIn(t, copied)
			}
			got, err := after.Load(t.Context(), "m", 0)
			if err != nil && !errors.Is(err, match.ErrNoSuchMatch) || len(got) < test.least {
				t.Errorf("%d events are left, %v", len(got), err)
			}
			_ = after.Close()
		})
	}
}

// flip returns a function that changes a bit at a part of the length.
func flip(part float64) func(wal []byte) []byte {
	return func(wal []byte) []byte {
		wal[int(float64(len(wal))*part)] ^= 1
		return wal
	}
}

// A log that was begun again has frames from before behind the new ones.
func TestALogThatWasBegunAgain(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, dir)
	e := s.engine.(*sqliteEngine)
	for round := range uint64(3) {
		mustAppend(t, s, "m", round*100+1, round*100+100-50*round)
		if round < 2 {
			e.turn.Lock()
			_, err := e.conn.ExecContext(t.Context(), `PRAGMA wal_checkpoint(RESTART)`)
			e.turn.Unlock()
			if err != nil {
				t.Fatal(err)
			}
			mustAppend(t, s, "m", round*100+100-50*round+1, round*100+100)
		}
	}
	if err := checkWAL(filepath.Join(dir, FileName+"-wal")); err != nil {
		t.Error(err)
	}
	want := length(t, s, "m")
	if n := length(t, openIn(t, copyRunning(t, dir)), "m"); n != want {
		t.Errorf("%d events are left of %d", n, want)
	}
}

// Where processes cannot share memory, one connection does everything. Here SQLite cannot make the file for it.
func TestAFileSystemWithoutSharedMemory(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(dir, "missing", "shm"), filepath.Join(dir, FileName+"-shm")); err != nil {
		t.Skip(err)
	}
	for round := range uint64(3) {
		s, err := Open(t.Context(), Config{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		if e := s.engine.(*sqliteEngine); e.readers != nil {
			t.Error("SQLite has shared memory")
		}
		mustAppend(t, s, "m", round+1, round+1)
		switch round {
		case 0:
			journaltest.Season(t, s)
		case 2:
			checkSeason(t, s)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A long read does not hold up an append.
func TestReadingDoesNotDelayWriting(t *testing.T) {
	s := openIn(t, t.TempDir())
	mustAppend(t, s, "m", 1, 1)
	err := s.engine.snapshot(t.Context(), func(db querier) error {
		var before, after int
		query := `SELECT count(*) FROM event`
		if err := db.QueryRowContext(t.Context(), query).Scan(&before); err != nil {
			return err
		}
		mustAppend(t, s, "m", 2, 10)
		if err := db.QueryRowContext(t.Context(), query).Scan(&after); err != nil {
			return err
		}
		if before != 1 || after != 1 {
			t.Errorf("a snapshot has %d events and then %d", before, after)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// A full disk refuses events, and the store goes on by itself when there is room.
func TestAFullDisk(t *testing.T) {
	s := openIn(t, t.TempDir())
	mustAppend(t, s, "m", 1, 1)
	e := s.engine.(*sqliteEngine)
	limit := func(pages int) {
		t.Helper()
		e.turn.Lock()
		defer e.turn.Unlock()
		if _, err := e.conn.ExecContext(t.Context(), fmt.Sprint(`PRAGMA max_page_count = `, pages)); err != nil {
			t.Fatal(err)
		}
	}
	limit(1) // as many as there are
	var err error
	seq := uint64(2)
	for ; err == nil && seq < 2_000; seq++ {
		_, err = s.Append(t.Context(), left("m", seq))
	}
	if want := match.ErrUnavailable.Error() + ": the disk is full"; match.UserMessage(err) != want {
		t.Fatalf("at a full disk: %v", err)
	}
	if err := s.Check(t.Context()); !errors.Is(err, match.ErrUnavailable) {
		t.Errorf("an event does not fit, and the check says %v", err)
	}
	if n := length(t, s, "m"); n != int(seq)-2 {
		t.Errorf("%d events are there, %d were acknowledged", n, seq-2)
	}
	limit(1 << 20)
	mustAppend(t, s, "m", seq-1, seq)
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// A row that the database refuses fails its own request, and no other one of the group.
func TestARowThatIsRefused(t *testing.T) {
	s := openIn(t, t.TempDir())
	mustAppend(t, s, "m", 1, 1)
	testRefusedRow(t, s, func(g *group) error {
		g.add(eventRow, "m", 1, []byte("the same sequence again"))
		return nil
	})
}

// testRefusedRow has a request committed whose rows are refused, in a group with other requests.
func testRefusedRow(t *testing.T, s *Store, refused func(*group) error) {
	t.Helper()
	hold, held := make(chan struct{}), make(chan struct{})
	go func() {
		_ = s.do(t.Context(), &request{decide: func(*group) error {
			close(held)
			<-hold
			return nil
		}})
	}()
	<-held
	done := make(chan error, 10)
	for i := range 10 {
		go func() {
			_, err := s.Append(t.Context(), left(match.ID(fmt.Sprint("other", i)), 1))
			done <- err
		}()
	}
	bad := make(chan error, 1)
	go func() { bad <- s.do(t.Context(), &request{decide: refused}) }()
	for len(s.queue) < 11 {
		runtime.Gosched()
	}
	close(hold)
	for range 10 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if err := <-bad; !errors.Is(err, codec.ErrUnwritable) {
		t.Errorf("the row was refused with %v", err)
	}
}

// A database that a newer version has migrated is not touched, also if that happens while a server runs.
func TestANewerSchema(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(t.Context(), Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	mustAppend(t, s, "m", 1, 1)
	e := s.engine.(*sqliteEngine)
	e.turn.Lock()
	_, err = e.conn.ExecContext(t.Context(), `UPDATE head SET version = 1000`)
	e.turn.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Append(t.Context(), left("m", 2))
	if !errors.Is(err, ErrNewerSchema) || !errors.Is(err, match.ErrUnavailable) {
		t.Errorf("an event after the migration: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err := Open(t.Context(), Config{Dir: dir}); !errors.Is(err, ErrNewerSchema) {
		t.Errorf("opened %v, %v", s, err)
	}
}

// Migrations that fail leave the tables as they were.
func TestMigrationsAreWhole(t *testing.T) {
	all, err := readMigrations()
	if err != nil || len(all) == 0 {
		t.Fatal(all, err)
	}
	e, err := openSQLite(t.Context(), t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.close() }()
	if todo, err := pending(int64(len(all))); err != nil || len(todo) != 0 {
		t.Errorf("%d are to do, %v", len(todo), err)
	}
	var tables int
	for range 2 {
		if err := e.migrate(context.Background(), e.conn); err != nil {
			t.Fatal(err)
		}
	}
	err = e.conn.QueryRowContext(t.Context(), `SELECT count(*) FROM sqlite_master WHERE type = 'table'`).Scan(&tables)
	if err != nil || tables < 12 {
		t.Errorf("there are %d tables, %v", tables, err)
	}
}

// Subscribers may ask for the time, which is not before that of the event.
func TestNowInASubscriber(t *testing.T) {
	s := openIn(t, t.TempDir())
	defer s.Subscribe(func(e match.Event) {
		if now := s.Now(); now.Before(e.At) {
			t.Errorf("it is %v, the event is of %v", now, e.At)
		}
	})()
	mustAppend(t, s, "m", 1, 20)
}

// Requests of callers who have left, and those that wait when the store is closed, return.
func TestClosedStores(t *testing.T) {
	s := openIn(t, t.TempDir())
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Append(t.Context(), left("m", 1)); !errors.Is(err, match.ErrUnavailable) {
		t.Errorf("an event after Close: %v", err)
	}
}

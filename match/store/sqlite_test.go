package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
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
		s.record(t, left(id, seq))
	}
}

// length returns the number of events of a match.
func length(t testing.TB, s *Store, id match.ID) int {
	t.Helper()
	events, err := s.Load(t.Context(), id, 0)
	ok(t, err)
	return len(events)
}

// execSQLite runs statements beside the store, as a fault or a newer version would.
func execSQLite(t *testing.T, s *Store, statements ...string) {
	t.Helper()
	e := s.engine.(*sqliteEngine)
	e.connMu.Lock()
	defer e.connMu.Unlock()
	for _, statement := range statements {
		ok(t, errOf(e.conn.ExecContext(t.Context(), statement)))
	}
}

// Close leaves one file that only its user can read. The path may have characters with a meaning in the name of a
// database.
func TestCloseLeavesOneFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a #b?c=d&e%20f")
	ok(t, os.Mkdir(dir, 0o700))
	s, err := Open(t.Context(), Config{Dir: dir})
	ok(t, err)
	mustAppend(t, s, "m", 1, 3)
	ok(t, errOf(s.History().Totals(t.Context(), "ann"))) // opens the connections for reading
	for _, name := range []string{FileName, FileName + "-wal", FileName + "-shm"} {
		if stat, err := os.Stat(filepath.Join(dir, name)); err != nil || stat.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, stat, err)
		}
	}
	ok(t, s.Close())
	if files, err := os.ReadDir(dir); err != nil || slices.ContainsFunc(files, func(f os.DirEntry) bool {
		return f.Name() == FileName+"-wal" || f.Name() == FileName+"-shm"
	}) {
		t.Errorf("%v are left, %v", files, err)
	}
	equal(t, length(t, openIn(t, dir), "m"), 3, "events that are left")
}

func TestASecondStoreOfADirectoryIsRefused(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, dir)
	errorIs(t, errOf(Open(t.Context(), Config{Dir: dir})), disk.ErrLocked)
	out, err := child(t, Config{Dir: dir}, "open").CombinedOutput()
	if err == nil || !strings.Contains(string(out), disk.ErrLocked.Error()) {
		t.Errorf("another process says %s, %v", out, err)
	}
	mustAppend(t, s, "m", 1, 1)
}

// The error of an unreadable database says what to do. SQLite calls a file malformed even if only the disk failed.
func TestAnUnreadableDatabase(t *testing.T) {
	for _, from := range []int64{0, 100, 4096} { // the whole file, all but the header of SQLite, all but the first page
		dir := t.TempDir()
		s, err := Open(t.Context(), Config{Dir: dir})
		ok(t, err)
		mustAppend(t, s, "m", 1, 3)
		ok(t, s.Close())
		path := filepath.Join(dir, FileName)
		text, err := os.ReadFile(path)
		ok(t, err)
		for i := from; i < int64(len(text)); i++ {
			text[i] = 'x'
		}
		ok(t, os.WriteFile(path, text, 0o600))
		_, err = Open(t.Context(), Config{Dir: dir})
		if !errors.Is(err, ErrUnreadable) || !strings.Contains(err.Error(), path) {
			t.Errorf("damaged from %d: %v", from, err)
		}
	}
}

// copyRunning copies the files of an open store, as a crash of its process would leave them.
func copyRunning(t *testing.T, from string) (to string) {
	t.Helper()
	to = t.TempDir()
	for _, name := range []string{FileName, FileName + "-wal"} {
		text, err := os.ReadFile(filepath.Join(from, name))
		ok(t, err)
		ok(t, os.WriteFile(filepath.Join(to, name), text, 0o600))
	}
	return to
}

// Damage in the WAL hides acknowledged commits, and a start reports it. A crash leaves no such damage.
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
			ok(t, err)
			ok(t, os.WriteFile(path, test.spoil(wal), 0o600))
			after, err := Open(t.Context(), Config{Dir: copied})
			errorIs(t, err, test.want)
			if err != nil {
				ok(t, os.Remove(path)) // as the error says
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

// SQLite writes the WAL again from the beginning, and old frames then follow the new ones.
func TestALogThatWasBegunAgain(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, dir)
	for round := range uint64(3) {
		mustAppend(t, s, "m", round*100+1, round*100+100-50*round)
		if round < 2 {
			execSQLite(t, s, `PRAGMA wal_checkpoint(RESTART)`)
			mustAppend(t, s, "m", round*100+100-50*round+1, round*100+100)
		}
	}
	ok(t, checkWAL(filepath.Join(dir, FileName+"-wal")))
	equal(t, length(t, openIn(t, copyRunning(t, dir)), "m"), length(t, s, "m"), "events that are left")
}

// On a file system without shared memory, one connection does everything. The test keeps SQLite from creating the
// -shm file.
func TestAFileSystemWithoutSharedMemory(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(dir, "missing", "shm"), filepath.Join(dir, FileName+"-shm")); err != nil {
		t.Skip(err)
	}
	for round := range uint64(3) {
		s, err := Open(t.Context(), Config{Dir: dir})
		ok(t, err)
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
		ok(t, s.Close())
	}
}

func TestReadingDoesNotDelayWriting(t *testing.T) {
	s := openIn(t, t.TempDir())
	mustAppend(t, s, "m", 1, 1)
	ok(t, s.engine.snapshot(t.Context(), func(db querier) error {
		var before, after int
		const query = `SELECT count(*) FROM event`
		err := db.QueryRowContext(t.Context(), query).Scan(&before)
		mustAppend(t, s, "m", 2, 10)
		err = errors.Join(err, db.QueryRowContext(t.Context(), query).Scan(&after))
		equal(t, [2]int{before, after}, [2]int{1, 1}, "events of a snapshot")
		return err
	}))
}

// A full disk refuses events, and the store continues once there is room.
func TestAFullDisk(t *testing.T) {
	s := openIn(t, t.TempDir())
	mustAppend(t, s, "m", 1, 1)
	execSQLite(t, s, `PRAGMA max_page_count = 1`) // as many as there are
	var err error
	seq := uint64(2)
	for ; err == nil && seq < 2_000; seq++ {
		_, err = s.Append(t.Context(), left("m", seq))
	}
	if want := match.ErrUnavailable.Error() + ": the disk is full"; match.UserMessage(err) != want {
		t.Fatalf("at a full disk: %v", err)
	}
	errorIs(t, s.Check(t.Context()), match.ErrUnavailable)
	equal(t, length(t, s, "m"), int(seq)-2, "acknowledged events")
	execSQLite(t, s, `PRAGMA max_page_count = 1000000`)
	mustAppend(t, s, "m", seq-1, seq)
	ok(t, s.Check(t.Context()))
}

// A refused row fails its own request and no other request of the group.
func TestARowThatIsRefused(t *testing.T) {
	s := openIn(t, t.TempDir())
	mustAppend(t, s, "m", 1, 1)
	testRefusedRow(t, s, func(g *group) error {
		g.add(eventRow, "m", 1, []byte("the same sequence again"))
		return nil
	})
}

// testRefusedRow commits a request with refused rows in a group with other requests.
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
		ok(t, <-done)
	}
	errorIs(t, <-bad, codec.ErrUnwritable)
}

// A server does not write to a database that a newer version has migrated, even while the server runs.
func TestANewerSchema(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, dir)
	testNewerSchema(t, s, Config{Dir: dir}, func(statement string) { execSQLite(t, s, statement) })
}

func testNewerSchema(t *testing.T, s *Store, c Config, execute func(statement string)) {
	t.Helper()
	mustAppend(t, s, "m", 1, 1)
	execute(`UPDATE head SET version = 1000`)
	_, err := s.Append(t.Context(), left("m", 2))
	errorIs(t, err, ErrNewerSchema)
	errorIs(t, err, match.ErrUnavailable)
	ok(t, s.Close())
	errorIs(t, errOf(Open(t.Context(), c)), ErrNewerSchema)
}

// Queries run on goroutines that all sessions share, where a panic would end the server.
func TestAPanicDuringAQueryIsItsCallersAlone(t *testing.T) {
	s := openIn(t, t.TempDir())
	for range 2 * sqliteReaders {
		func() {
			defer func() {
				if fault := recover(); fault != "a fault" {
					t.Error(fault)
				}
			}()
			_ = s.read(t.Context(), func(querier) error { panic("a fault") })
		}()
	}
	ok(t, s.read(t.Context(), func(querier) error { return nil }))
	ok(t, s.Close())
	if s.read(t.Context(), func(querier) error { return nil }) == nil {
		t.Error("a closed store is read")
	}
	errorIs(t, errOf(s.Append(t.Context(), left("m", 1))), match.ErrUnavailable)
}

package store

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"notakto/match"
	"notakto/match/journaltest"
	"notakto/rules"
)

// silent returns a log that nobody reads.
func silent() *slog.Logger { return slog.New(slog.DiscardHandler) }

// playSome plays two finished matches, of which one is archived, one in progress and one that cannot be folded.
func playSome(t *testing.T, s *Store) {
	t.Helper()
	for _, events := range [][]match.Event{
		play(t, "archived", match.QueueOrigin, person("ann"), person("bob"), "notakto/1: A5 A1 A9", rules.Nobody),
		play(t, "over", match.QueueOrigin, person("ann"), person("bob"), "notakto/1: A5 A1 A9", rules.Nobody),
		play(t, "on", match.QueueOrigin, person("ann"), person("bob"), "notakto/1: A5", rules.Nobody),
	} {
		if _, err := s.Append(t.Context(), events...); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Archive(t.Context(), "archived"); err != nil {
		t.Fatal(err)
	}
	mustAppend(t, s, "odd", 1, 1)
}

// backUp returns a backup of a store.
func backUp(t *testing.T, s *Store, files map[string][]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	m, err := Backup(t.Context(), s, &out, "v1", files)
	if err != nil || m.Version != "v1" || len(m.Parts) != 1+len(files) {
		t.Fatalf("%+v, %v", m, err)
	}
	return out.Bytes()
}

// A backup that is made while players play is restored with everything that was acknowledged before.
func TestBackupAndRestore(t *testing.T) {
	s := openIn(t, t.TempDir())
	playSome(t, s)
	stop, done := make(chan struct{}), make(chan error, 1)
	go func() {
		var err error
		for seq := uint64(1); err == nil; seq++ {
			select {
			case <-stop:
				done <- nil
				return
			default:
				_, err = s.Append(t.Context(), left("meanwhile", seq))
			}
		}
		done <- err
	}()
	backup := backUp(t, s, map[string][]byte{"host_key": []byte("secret")})
	close(stop)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	_, c, err := Verify(t.Context(), bytes.NewReader(backup), silent())
	if err != nil || c.Finished != 2 || c.Unlisted != 0 {
		t.Errorf("verified %+v, %v", c, err)
	}
	dir := filepath.Join(t.TempDir(), "new")
	m, c, err := Restore(t.Context(), bytes.NewReader(backup), dir, silent())
	if err != nil || c.Finished != 2 || c.Live < 2 || c.Damaged < 1 || m.Format != backupFormat {
		t.Fatalf("restored %+v, %+v, %v", m, c, err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "host_key")); err != nil || string(text) != "secret" {
		t.Errorf("the key is %s, %v", text, err)
	}
	restored := openIn(t, dir)
	if n := length(t, restored, "on"); n != 4 {
		t.Errorf("the match in progress has %d events", n)
	}
	if totals, err := restored.History().Totals(t.Context(), "ann"); err != nil || totals.Matches != 2 {
		t.Errorf("ann has %+v, %v", totals, err)
	}
	if _, _, err := Restore(t.Context(), bytes.NewReader(backup), dir, silent()); !errors.Is(err, ErrHasStore) {
		t.Errorf("restored over a database: %v", err)
	}
	files, err := os.ReadDir(filepath.Dir(s.engine.(*sqliteEngine).path))
	for _, f := range files {
		if strings.HasPrefix(f.Name(), "notakto.db-backup-") || err != nil {
			t.Errorf("%s is left, %v", f.Name(), err)
		}
	}
}

// A backup that was cut off or changed anywhere is refused, and leaves no directory.
func TestBadBackups(t *testing.T) {
	s := openIn(t, t.TempDir())
	playSome(t, s)
	backup := backUp(t, s, nil)
	spoilt := func(at int) []byte {
		b := bytes.Clone(backup)
		b[at] ^= 1
		return b
	}
	renamed := func(name string) []byte {
		var out bytes.Buffer
		w := tar.NewWriter(&out)
		if err := errors.Join(writePart(w, name, 1, s.Now(), strings.NewReader("x")), w.Close()); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	newer := bytes.Replace(backup, []byte(`"format": 3`), []byte(`"format": 9`), 1)
	for name, test := range map[string]struct {
		backup []byte
		want   error
	}{
		"empty":           {nil, ErrShortBackup},
		"cut off":         {backup[:len(backup)/2], ErrShortBackup},
		"no manifest":     {backup[:512+len(backup)/512*512/4*3/512*512], ErrShortBackup},
		"a bit of a page": {spoilt(512 + 5000), ErrBadBackup},
		"no tar":          {bytes.Repeat([]byte("garbage "), 200), ErrBadBackup},
		"another file":    {renamed("other"), ErrBadBackup},
		"a path":          {renamed("../" + FileName), ErrBadBackup},
		"newer":           {newer, ErrNewerBackup},
	} {
		dir := filepath.Join(t.TempDir(), "new")
		if _, _, err := Restore(t.Context(), bytes.NewReader(test.backup), dir, silent()); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: the directory is left: %v", name, err)
		}
	}
	if _, err := Backup(t.Context(), s, failing{}, "v1", nil); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("to a closed pipe: %v", err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// A backup that was killed has left a copy of the database.
func TestAStartRemovesWhatABackupHasLeft(t *testing.T) {
	dir := t.TempDir()
	copied := filepath.Join(dir, "notakto.db-backup-123", FileName)
	other := filepath.Join(dir, "backup-of-mine")
	for _, path := range []string{filepath.Dir(copied), other} {
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(copied, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	openIn(t, dir)
	if _, err := os.Stat(filepath.Dir(copied)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
	if _, err := os.Stat(other); err != nil {
		t.Errorf("a folder of the operator: %v", err)
	}
}

// Commands refuse a directory without a database, and one whose server runs.
func TestOpenStopped(t *testing.T) {
	dir := t.TempDir()
	if s, err := OpenStopped(t.Context(), Config{Dir: dir}); !errors.Is(err, ErrNoStore) {
		t.Errorf("an empty directory: %v, %v", s, err)
	}
	s := openIn(t, dir)
	if again, err := OpenStopped(t.Context(), Config{Dir: dir}); !errors.Is(err, ErrRunning) {
		t.Errorf("a running server: %v, %v", again, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	stopped, err := OpenStopped(t.Context(), Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	_ = stopped.Close()
}

// An inspection finds pages that are damaged, records that are, and a history that lacks matches.
func TestInspect(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(t.Context(), Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	journaltest.Season(t, s)
	playSome(t, s)
	want := Contents{Finished: 362, Live: 2, Damaged: 1}
	if c, err := s.Inspect(t.Context()); err != nil || c != want {
		t.Fatalf("found %+v, %v", c, err)
	}
	for _, statement := range []string{
		`UPDATE archive SET body = zeroblob(40) WHERE match = 'archived'`,
		`DELETE FROM finished WHERE match = 'over'`,
	} {
		e := s.engine.(*sqliteEngine)
		e.turn.Lock()
		err := e.exec(statement)
		e.turn.Unlock()
		if err != nil {
			t.Fatal(err)
		}
	}
	// The history has "archived", which cannot be read any more, and lacks "over".
	want.Damaged++
	want.Unlisted = 2
	if c, err := s.Inspect(t.Context()); err != nil || c != want {
		t.Errorf("found %+v, want %+v, %v", c, want, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, FileName)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	clear(text[len(text)/2/4096*4096:][:4096])
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err = Open(t.Context(), Config{Dir: dir, Log: silent()})
	if err == nil {
		_, err = s.Inspect(t.Context())
		_ = s.Close()
		if !errors.Is(err, ErrBroken) {
			t.Errorf("a damaged page: %v", err)
		}
	}
	if err == nil {
		t.Error("a damaged page was not found")
	}
}

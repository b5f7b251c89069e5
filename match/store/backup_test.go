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

// silent returns a log without an output.
func silent() *slog.Logger { return slog.New(slog.DiscardHandler) }

// playSome plays a finished match, an archived one, one in progress, and one with events that do not fit.
func playSome(t *testing.T, s *Store) {
	t.Helper()
	for _, events := range [][]match.Event{
		play(t, "archived", match.QueueOrigin, person("ann"), person("bob"), "notakto/1: A5 A1 A9", rules.NoSide),
		play(t, "over", match.QueueOrigin, person("ann"), person("bob"), "notakto/1: A5 A1 A9", rules.NoSide),
		play(t, "on", match.QueueOrigin, person("ann"), person("bob"), "notakto/1: A5", rules.NoSide),
	} {
		s.record(t, events...)
	}
	ok(t, s.Archive(t.Context(), "archived"))
	mustAppend(t, s, "odd", 1, 1)
}

// inspected returns what Inspect finds.
func inspected(t *testing.T, s *Store) Contents {
	t.Helper()
	c, err := s.Inspect(t.Context())
	ok(t, err)
	return c
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

// A restored backup has everything that was acknowledged before it, even if players went on playing.
func TestBackupAndRestore(t *testing.T) {
	s := openIn(t, t.TempDir())
	playSome(t, s)
	doAll(t, s)
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
	ok(t, <-done)
	_, c, err := VerifyBackup(t.Context(), bytes.NewReader(backup), silent())
	if err != nil || c.Finished != 3 || c.Unlisted != 0 {
		t.Errorf("verified %+v, %v", c, err)
	}
	dir := filepath.Join(t.TempDir(), "new")
	m, c, err := RestoreBackup(t.Context(), bytes.NewReader(backup), dir, silent())
	if err != nil || c.Finished != 3 || c.Live < 2 || c.Damaged < 1 || m.Format != backupFormat {
		t.Fatalf("restored %+v, %+v, %v", m, c, err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "host_key")); err != nil || string(text) != "secret" {
		t.Errorf("the key is %s, %v", text, err)
	}
	restored := openIn(t, dir)
	equal(t, length(t, restored, "on"), 4, "events of the match in progress")
	equal(t, totalsOf(t, restored, "ann").Matches, 3)
	got := progressOf(t, restored, "ann")
	equal(t, got, progressOf(t, s, "ann"))
	equal(t, len(got.Slips) > 0 && got.Visited, true, got)
	_, _, err = RestoreBackup(t.Context(), bytes.NewReader(backup), dir, silent())
	errorIs(t, err, ErrHasStore)
	files, err := os.ReadDir(filepath.Dir(s.engine.(*sqliteEngine).path))
	for _, f := range files {
		if strings.HasPrefix(f.Name(), "notakto.db-backup-") || err != nil {
			t.Errorf("%s is left, %v", f.Name(), err)
		}
	}
}

// VerifyBackup and RestoreBackup refuse a backup that was truncated or changed anywhere, and leave no directory.
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
		ok(t, errors.Join(writePart(w, name, 1, s.Now(), strings.NewReader("x")), w.Close()))
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
		_, _, err := RestoreBackup(t.Context(), bytes.NewReader(test.backup), dir, silent())
		if !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: the directory is left: %v", name, err)
		}
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestAStartRemovesWhatABackupHasLeft(t *testing.T) {
	dir := t.TempDir()
	copied := filepath.Join(dir, "notakto.db-backup-123", FileName)
	other := filepath.Join(dir, "backup-of-mine")
	for _, path := range []string{filepath.Dir(copied), other} {
		ok(t, os.Mkdir(path, 0o700))
	}
	ok(t, os.WriteFile(copied, []byte("half"), 0o600))
	openIn(t, dir)
	errorIs(t, errOf(os.Stat(filepath.Dir(copied))), fs.ErrNotExist)
	if _, err := os.Stat(other); err != nil {
		t.Errorf("a folder of the operator: %v", err)
	}
}

// Inspect finds damaged pages, damaged records, and matches that the history lacks.
func TestInspect(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(t.Context(), Config{Dir: dir})
	ok(t, err)
	journaltest.Season(t, s)
	playSome(t, s)
	want := Contents{Finished: 362, Live: 2, Damaged: 1}
	equal(t, inspected(t, s), want)
	execSQLite(t, s, `UPDATE archive SET body = zeroblob(40) WHERE match = 'archived'`,
		`DELETE FROM finished WHERE match = 'over'`)
	// "archived" is unreadable, and its row in the history does not count. The history lacks "over".
	want.Damaged++
	want.Unlisted = 1
	equal(t, inspected(t, s), want)
	ok(t, s.Close())
	path := filepath.Join(dir, FileName)
	text, err := os.ReadFile(path)
	ok(t, err)
	clear(text[len(text)/2/4096*4096:][:4096])
	ok(t, os.WriteFile(path, text, 0o600))
	if s, err = Open(t.Context(), Config{Dir: dir, Log: silent()}); err == nil {
		errorIs(t, errOf(s.Inspect(t.Context())), ErrDamagedDatabase)
		_ = s.Close()
	}
}

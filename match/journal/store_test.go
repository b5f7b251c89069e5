package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"notakto/internal/logbuffer"
	"notakto/match"
	"notakto/match/journal/natsd"
	"notakto/match/journaltest"
)

// open opens a store that is closed when the test ends.
func open(t testing.TB, cfg natsd.Config) *Store {
	t.Helper()
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	}
	s, err := Open(t.Context(), cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func kinds() map[string]func(t *testing.T) natsd.Config {
	return map[string]func(t *testing.T) natsd.Config{
		"memory":   func(*testing.T) natsd.Config { return natsd.Config{Memory: true} },
		"always":   func(t *testing.T) natsd.Config { return natsd.Config{Dir: t.TempDir()} },
		"interval": func(t *testing.T) natsd.Config { return natsd.Config{Dir: t.TempDir(), Sync: natsd.Interval} },
	}
}

func TestStoreIsAJournal(t *testing.T) {
	t.Parallel()
	for name, config := range kinds() {
		t.Run(name, func(t *testing.T) {
			journaltest.Journal(t, func(t *testing.T) match.Journal { return open(t, config(t)) })
		})
	}
}

func TestStoreIsARegistry(t *testing.T) {
	t.Parallel()
	for name, config := range kinds() {
		t.Run(name, func(t *testing.T) {
			journaltest.Registry(t, func(t *testing.T) match.Registry { return open(t, config(t)) })
		})
	}
}

// newerEntry returns an entry with the version byte of a newer program.
func newerEntry(id match.ID) []byte { return withChecksum(id, []byte{0x04, 1, 1, 2, 3}) }

// withChecksum appends the checksum that entries have in every version.
func withChecksum(id match.ID, body []byte) []byte {
	table := crc32.MakeTable(crc32.Castagnoli)
	return binary.BigEndian.AppendUint32(body, crc32.Update(crc32.Checksum([]byte(id), table), table, body))
}

// An older program used to call entries of a newer one damaged, and to check them again and again.
func TestWhatANewerVersionWroteIsLeftAlone(t *testing.T) {
	var book logbuffer.Text
	log := slog.New(slog.NewTextHandler(&book, nil))
	dir := t.TempDir()
	s := open(t, natsd.Config{Dir: dir, Sync: natsd.Interval, Log: log})
	putAll(t, s, journaltest.Played("older"))
	for subject, entry := range map[string][]byte{
		natsd.MatchSubject + "newer":  newerEntry("newer"),
		bucket("archived"):            withChecksum("archived", []byte("\x12\x08archived\x07")),
		bucket("unlike-it"):           []byte("\x12another layout"),
		natsd.MatchSubject + "broken": newerEntry("newer"),
	} {
		if _, err := s.registry.publisher.publish(t.Context(), s.registry.publisher.message(subject, noExpectedSeq,
			entry)); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		for id, want := range map[match.ID]error{
			"newer": match.ErrNewer, "archived": match.ErrNewer, "broken": match.ErrDamaged, "older": nil,
		} {
			if _, err := s.Load(t.Context(), id, 0); !errors.Is(err, want) {
				t.Errorf("%s: %v, want %v", id, err, want)
			}
		}
		if _, err := s.Append(t.Context(), left("newer", 2)); !errors.Is(err, match.ErrNewer) {
			t.Errorf("appended: %v", err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = open(t, natsd.Config{Dir: dir, Sync: natsd.Interval, Log: log})
	}
	if got := total(s); got.entries != uint64(len(journaltest.Played("older")))+2 {
		t.Errorf("%d entries are left of the live matches", got.entries)
	}
	eventually(t, "a warning for each thing that a newer version wrote", func() bool {
		return strings.Count(book.String(), "newer version of the program") >= 2
	})
}

func TestADirectoryOfANewerFormatIsRefusedUntouched(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "journal", "format")
	if err := open(t, natsd.Config{Dir: dir, Sync: natsd.Interval}).Close(); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "3\n" {
		t.Fatalf("the format is %q, %v", text, err)
	}
	for text, want := range map[string]string{"4\n": "newer version", "": "no version", "new\n": "no version"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		before := listing(t, dir)
		if _, err := Open(t.Context(), natsd.Config{Dir: dir}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("format %q: %v", text, err)
		}
		if after := listing(t, dir); after != before {
			t.Errorf("format %q: the files were\n%s\nand are\n%s", text, before, after)
		}
	}
}

// An older directory is upgraded, and that is logged.
func TestAnOlderFormatIsRaised(t *testing.T) {
	var book logbuffer.Text
	log := slog.New(slog.NewTextHandler(&book, nil))
	dir := t.TempDir()
	if err := open(t, natsd.Config{Dir: dir, Sync: natsd.Interval, Log: log}).Close(); err != nil {
		t.Fatal(err)
	}
	if book.String() != "" {
		t.Errorf("at the first start: %s", book.String())
	}
	path := filepath.Join(dir, "journal", "format")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	open(t, natsd.Config{Dir: dir, Sync: natsd.Interval, Log: log})
	if text, err := os.ReadFile(path); err != nil || string(text) != "3\n" ||
		!strings.Contains(book.String(), "newer format") {
		t.Errorf("the format is %q, %v; said: %s", text, err, book.String())
	}
}

// listing returns every file below a directory with its size and time.
func listing(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			b.WriteString(path + " " + info.ModTime().String() + "\n")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// What a released version wrote is read by every later one: NAME.tar.gz is the journal of a server that was stopped,
// NAME.backup its backup, and NAME.jsonl its export. None of them is ever written again.
func TestEveryStoredJournalIsRead(t *testing.T) {
	all, err := filepath.Glob(filepath.Join("testdata", "*.tar.gz"))
	if err != nil || len(all) == 0 {
		t.Fatalf("stored: %v, %v", all, err)
	}
	for _, path := range all {
		name := strings.TrimSuffix(path, ".tar.gz")
		t.Run(filepath.Base(name), func(t *testing.T) {
			want, err := os.ReadFile(name + ".jsonl")
			if err != nil {
				t.Fatal(err)
			}
			stopped, restored := t.TempDir(), filepath.Join(t.TempDir(), "data")
			if out, err := exec.Command("tar", "xzf", path, "-C", stopped).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			f, err := os.Open(name + ".backup")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = f.Close() }()
			c, err := Restore(t.Context(), f, restored, slog.New(slog.DiscardHandler))
			if err != nil || c.Finished != bytes.Count(want, []byte("\n")) || c.Live == 0 || c.Damaged > 0 {
				t.Fatalf("%d finished, %d live, %d damaged, %v", c.Finished, c.Live, c.Damaged, err)
			}
			for _, dir := range []string{stopped, restored} {
				s := open(t, natsd.Config{Dir: dir})
				var got bytes.Buffer
				if _, err := Export(t.Context(), s, &got, time.Time{}, false); err != nil || got.String() != string(want) {
					t.Errorf("the matches of %s are\n%s%v\nwant\n%s", dir, got.String(), err, want)
				}
				isSameAccounts(t, s, stopped)
				continues(t, s)
			}
		})
	}
}

// isSameAccounts expects the secret that the stored journal has in a file.
func isSameAccounts(t *testing.T, s *Store, stopped string) {
	t.Helper()
	before, err := os.ReadFile(filepath.Join(stopped, "journal", "secret"))
	if err != nil {
		t.Fatal(err)
	}
	if now, err := os.ReadFile(s.node.Path("secret")); err != nil || !bytes.Equal(now, before) {
		t.Errorf("keys have other accounts, %v", err)
	}
}

// continues expects a match in progress that can be played on.
func continues(t *testing.T, s *Store) {
	t.Helper()
	played := 0
	for _, id := range s.index.ids() {
		events, err := s.Load(t.Context(), id, 0)
		state, ok := fold(events)
		if err != nil || !ok {
			t.Errorf("%s has %d events, %v", id, len(events), err)
		}
		if state.Over() { // not archived before the stop
			continue
		}
		next := match.Event{Match: id, Seq: uint64(len(events)) + 1, Kind: match.Resigned, Seat: 1}
		if _, err := s.Append(t.Context(), next); err != nil {
			t.Errorf("%s: %v", id, err)
		}
		played++
	}
	if played == 0 {
		t.Error("no match is in progress")
	}
}

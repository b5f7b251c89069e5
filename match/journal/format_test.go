package journal

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"notakto/internal/logbuffer"
	"notakto/match"
	"notakto/match/journal/natsd"
	"notakto/match/journaltest"
)

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

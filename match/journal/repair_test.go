package journal

import (
	"encoding/binary"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"notakto/internal/logbuffer"
	"notakto/match"
	"notakto/match/journal/internal/blocks"
	"notakto/match/journal/natsd"
)

// blockDir returns where the server keeps the messages of a stream, below a data directory.
func blockDir(dir, stream string) string {
	return filepath.Join(dir, "journal", "jetstream", "$G", "streams", stream, "msgs")
}

// block returns the last file of the live matches below a data directory.
func block(t *testing.T, dir string) string {
	t.Helper()
	blocks, err := filepath.Glob(filepath.Join(blockDir(dir, natsd.MatchesStream), "*.blk"))
	if err != nil || len(blocks) != 1 {
		t.Fatalf("the files are %v, %v", blocks, err)
	}
	return blocks[0]
}

// tear clears bytes from the length of the headers on, in the n-th record from the end, as a missing page does, and may
// change all times.
func tear(t *testing.T, path string, n, lack int, change func(record int, at time.Time) time.Time) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var starts []int
	at := 0
	for r := range blocks.Records(b) {
		stamp := r[12:]
		at0 := time.Unix(0, int64(binary.LittleEndian.Uint64(stamp)))
		binary.LittleEndian.PutUint64(stamp, uint64(change(len(starts), at0).UnixNano()))
		starts = append(starts, at)
		at += len(r)
	}
	at = starts[len(starts)-n]
	subject := int(binary.LittleEndian.Uint16(b[at+20:]))
	clear(b[at+22+subject:][:lack])
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func asTheyAre(_ int, at time.Time) time.Time { return at }

// A server that syncs every second lost power, and with it pages that it wrote last. It refused to start, although all
// else was complete.
func TestATornTailIsCutOff(t *testing.T) {
	for _, records := range []int{1, 3} {
		var book logbuffer.Text
		dir := t.TempDir()
		s := open(t, natsd.Config{Dir: dir, Sync: natsd.Interval})
		putAll(t, s, []match.Event{left("a", 1), left("a", 2), left("a", 3), left("a", 4), left("a", 5)})
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		path := block(t, dir)
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		tear(t, path, records, 4, asTheyAre)
		s = open(t, natsd.Config{Dir: dir, Sync: natsd.Interval, Log: slog.New(slog.NewTextHandler(&book, nil))})
		events, err := s.Load(t.Context(), "a", 0)
		if err != nil || len(events) != 5-records {
			t.Errorf("%d events are left, %v", len(events), err)
		}
		text := book.String()
		if !strings.Contains(text, "torn") || !strings.Contains(text, path) ||
			!strings.Contains(text, "acknowledged events are missing") {
			t.Error(text)
		}
		kept, err := filepath.Glob(filepath.Join(dir, "journal", "torn", "*"))
		if err != nil || len(kept) != 1 {
			t.Fatalf("kept: %v, %v", kept, err)
		}
		if b, err := os.ReadFile(kept[0]); err != nil || len(b) != len(before)*records/5 {
			t.Errorf("%d bytes of %d are kept, %v", len(b), len(before), err)
		}
		putAll(t, s, []match.Event{left("a", uint64(6-records))})
	}
}

// Data written long before the end was on the disk at the power cut: its damage has another cause.
func TestDamageBeforeTheTailIsRefused(t *testing.T) {
	apart := func(record int, at time.Time) time.Time { return at.Add(time.Duration(record) * 5 * time.Second) }
	for name, lack := range map[string]int{"a length": 4, "a page that hides where the next record begins": 150} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, natsd.Config{Dir: dir, Sync: natsd.Interval})
			putAll(t, s, []match.Event{left("a", 1), left("a", 2), left("a", 3), left("a", 4), left("a", 5)})
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			path := block(t, dir)
			tear(t, path, 4, lack, apart)
			if _, err := Open(t.Context(), natsd.Config{Dir: dir}, nil); !errors.Is(err, natsd.ErrRestore) {
				t.Errorf("it starts: %v", err)
			}
			member := natsd.Config{Dir: dir, Cluster: natsd.Cluster{Listen: "127.0.0.1:1"}}
			err := natsd.NewNode(member, time.Now).Repair(func([]byte) {})
			if !errors.Is(err, natsd.ErrReplace) || !strings.Contains(err.Error(), path) {
				t.Errorf("a node of a cluster: %v", err)
			}
		})
	}
}

package journal

import (
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"notakto/internal/logbuffer"
	"notakto/match"
	"notakto/match/journal/internal/blocks"
	"notakto/match/journal/natsd"
	"notakto/match/journaltest"
)

// damagedStores may be raised for a longer look.
var damagedStores = flag.Int("damaged", 30, "how many times TestDamagedFiles… damages a store, both closed and killed")

// said collects the log of a store.
type said struct{ logbuffer.Text }

func (s *said) log() *slog.Logger {
	return slog.New(slog.NewTextHandler(s, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// stocked returns a directory with live and finished matches, and what is in it.
func stocked(t *testing.T, clean bool) (dir string, want map[match.ID][]match.Event) {
	t.Helper()
	dir = t.TempDir()
	s, err := Open(t.Context(), natsd.Config{Dir: dir, Sync: natsd.Interval, Log: new(said).log()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want = map[match.ID][]match.Event{}
	for round := range 15 {
		for m := range 20 {
			id := randomID(m)
			if round < 15-m%10 { // some have few events
				e := journaltest.Played(id)[round]
				if want[id], err = appended(t.Context(), s, want[id], e); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for m := 0; m < 20; m += 3 {
		if err := s.Archive(t.Context(), randomID(m)); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "the finished ones are put away", func() bool {
		return count(t, s, natsd.ArchiveStream) == 7 && purged(t, s)
	})
	killed := t.TempDir()
	if err := os.CopyFS(killed, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if clean {
		return dir, want
	}
	return killed, want
}

func appended(ctx context.Context, s *Store, log []match.Event, e match.Event) ([]match.Event, error) {
	stored, err := s.Append(ctx, e)
	return append(log, stored), err
}

// total returns the digest of all live logs.
func total(s *Store) setDigest {
	s.index.mu.Lock()
	defer s.index.mu.Unlock()
	return s.index.all
}

func purged(t *testing.T, s *Store) bool {
	info, err := s.node.JetStream.Stream(t.Context(), natsd.MatchesStream)
	return err == nil && info.CachedInfo().State.Msgs == total(s).entries
}

// victims returns the files that a fault of the disk may hit.
func victims(t *testing.T, dir string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && entry.Name() != "lock" && entry.Name() != "node" &&
			entry.Name() != "format" {
			all = append(all, path)
		}
		if strings.HasSuffix(path, ".blk") { // which is where matches are
			all = append(all, path, path, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// spoil damages a file in one of the ways that disks and careless copies do, and returns a description.
func spoil(t *testing.T, path string, rng *rand.Rand) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(b) == 0 {
		return "left empty"
	}
	at := rng.IntN(len(b))
	end := min(len(b), at+1+rng.IntN(600))
	how := ""
	switch rng.IntN(6) {
	case 0:
		b[at] ^= 1 << rng.IntN(8)
		how = fmt.Sprintf("a bit flipped in byte %d", at)
	case 1:
		b = b[:at]
		how = fmt.Sprintf("cut off at %d", at)
	case 2:
		clear(b[at:end])
		how = fmt.Sprintf("zeros from %d to %d", at, end)
	case 3:
		b = append(b[:at:at], b[end:]...)
		how = fmt.Sprintf("bytes %d to %d lost", at, end)
	case 4:
		for i := at; i < end; i++ {
			b[i] = byte(rng.Uint32())
		}
		how = fmt.Sprintf("noise from %d to %d", at, end)
	case 5:
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		return "deleted"
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return how
}

// Whatever happens to the files, no match is read otherwise than it was recorded, and missing data is reported.
func TestDamagedFilesNeverGiveAnotherHistory(t *testing.T) {
	t.Parallel()
	counted := map[string]int{}
	for _, clean := range []bool{true, false} {
		dir, want := stocked(t, clean)
		unhurt := t.TempDir()
		if err := os.CopyFS(unhurt, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		if verdict := stateOf(t, unhurt, want); verdict != "whole" {
			t.Errorf("closed %t, unhurt: %s", clean, verdict)
		}
		files := victims(t, dir)
		for i := range *damagedStores {
			rng := rand.New(rand.NewPCG(uint64(i), 5))
			hurt := t.TempDir()
			if err := os.CopyFS(hurt, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			file := strings.TrimPrefix(files[i%len(files)], dir)
			how := spoil(t, filepath.Join(hurt, file), rng)
			verdict := stateOf(t, hurt, want)
			counted[verdict]++
			if strings.HasPrefix(verdict, "WRONG") || testing.Verbose() {
				t.Logf("closed %t, case %d: %s %s: %s", clean, i, file, how, verdict)
			}
			if strings.HasPrefix(verdict, "WRONG") {
				t.Fail()
			}
		}
	}
	t.Log(counted)
	if counted["whole"] == 0 || counted["said"] == 0 || counted["refused"] == 0 {
		t.Errorf("the damage is not varied enough: %v", counted)
	}
}

// stateOf opens a damaged directory and reads all there should be.
func stateOf(t *testing.T, dir string, want map[match.ID][]match.Event) string {
	t.Helper()
	var received said
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	s, err := Open(ctx, natsd.Config{Dir: dir, Sync: natsd.Interval, Log: received.log()}, nil)
	if errors.Is(err, natsd.ErrRestore) {
		return "refused"
	}
	if err != nil {
		return fmt.Sprintf("WRONG: refused without the way out: %v", err)
	}
	defer func() { _ = s.Close() }()
	short := 0
	for id, events := range want {
		got, err := s.Load(ctx, id, 0)
		switch {
		case err == nil && len(got) == len(events) && reflect.DeepEqual(stamps(got), stamps(events)):
		case errors.Is(err, match.ErrDamaged), errors.Is(err, match.ErrNoSuchMatch):
			short++
		case err == nil && len(got) < len(events) && reflect.DeepEqual(stamps(got), stamps(events[:len(got)])):
			short++
		default:
			return fmt.Sprintf("WRONG: match %s is told as %v, %v", id, got, err)
		}
	}
	switch {
	case short == 0 && received.String() == "":
		return "whole"
	case short == 0:
		return "whole, with words"
	case !strings.Contains(received.String(), "missing") && !strings.Contains(received.String(), "damaged"):
		return fmt.Sprintf("WRONG: %d matches are short and the log says only: %s", short, received.String())
	}
	return "said"
}

// stamps makes times comparable: those that were read from a record have no zone.
func stamps(events []match.Event) []match.Event {
	all := make([]match.Event, len(events))
	for i, e := range events {
		e.At = time.UnixMilli(e.At.UnixMilli())
		all[i] = e
	}
	return all
}

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

package journal

import (
	"context"
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

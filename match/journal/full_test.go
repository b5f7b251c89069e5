//go:build chaos && linux

package journal

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"notakto/match"
	"notakto/match/internal/disk"
	"notakto/match/journal/natsd"
)

// smallDisk mounts a separate file system. Only root can make one.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can mount a file system")
	}
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skip("nothing can be mounted here:", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// fillUp writes a file until left bytes are free, or none.
func fillUp(t *testing.T, path string, left uint64) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for size := 1 << 20; size > 0; {
		if room, err := disk.Free(filepath.Dir(path)); err != nil || room <= left {
			return
		}
		if _, err := f.Write(make([]byte, size)); err != nil {
			size /= 16
		}
	}
}

func quiet(t *testing.T) *slog.Logger { return slog.New(slog.NewTextHandler(t.Output(), nil)) }

// appends returns the error of an append within a second.
func appends(t *testing.T, s *Store, id match.ID, seq uint64) error {
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	_, err := s.Append(ctx, left(id, seq))
	return err
}

// With little free space events are refused with a reason, and recorded again when there is space.
func TestFullDiskIsNotMet(t *testing.T) {
	dir := smallDisk(t, "160m")
	s := open(t, natsd.Config{Dir: dir, Log: quiet(t)})
	if err := appends(t, s, "a", 1); err != nil {
		t.Fatal(err)
	}
	filler := filepath.Join(dir, "filler")
	fillUp(t, filler, natsd.MinFree-1)
	seq := uint64(2)
	eventually(t, "appends are refused", func() bool {
		err := appends(t, s, "a", seq)
		if err == nil {
			seq++
			return false
		}
		if !errors.Is(err, match.ErrUnavailable) || !strings.Contains(err.Error(), "disk is full") {
			t.Errorf("refused with: %v", err)
		}
		return true
	})
	if events, err := s.Load(t.Context(), "a", 0); err != nil || uint64(len(events)) != seq-1 {
		t.Errorf("read %d events of %d, %v", len(events), seq-1, err)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	eventually(t, "appends are taken again", func() bool { return appends(t, s, "a", seq) == nil })
}

// A server whose writes fail is restarted when there is space, with everything that it had acknowledged.
func TestFullDiskIsSurvived(t *testing.T) {
	dir := smallDisk(t, "160m")
	s := open(t, natsd.Config{Dir: dir, Log: quiet(t)})
	received := listen(s)
	note, err := s.Put(t.Context(), match.Entry{Key: "node.a", Text: []byte("up")})
	if err != nil {
		t.Fatal(err)
	}
	s.node.Monitor.MinFree.Store(0) // another process fills the disk faster than the disk monitor checks
	filler := filepath.Join(dir, "filler")
	fillUp(t, filler, 0)
	seq := uint64(1)
	for err = nil; err == nil && seq < 100_000; {
		if err = appends(t, s, "a", seq); err == nil {
			seq++
		}
	}
	if !errors.Is(err, match.ErrUnavailable) {
		t.Errorf("refused with: %v", err)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	eventually(t, "appends are taken again", func() bool {
		events, _ := s.Load(t.Context(), "a", 0)
		seq = uint64(len(events)) + 1
		return appends(t, s, "a", seq) == nil
	})
	events, err := s.Load(t.Context(), "a", 0)
	if err != nil || uint64(len(events)) != seq || strings.Count(received.String(), "a") != int(seq) {
		t.Errorf("read %d events of %d, heard %d, %v", len(events), seq, strings.Count(received.String(), "a"), err)
	}
	if next, err := s.Put(t.Context(), match.Entry{Key: "node.b", Text: []byte("up")}); err != nil ||
		next.Revision <= note.Revision {
		t.Errorf("pinned as %+v, %v", next, err)
	}
}

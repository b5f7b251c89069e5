//go:build unix

package journal

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"notakto/match/internal/disk"
	"notakto/match/journal/natsd"
)

// A link in place of the checkpoint, the lock or the node's name was followed, and its target overwritten; an endless
// file was read until memory ran out.
func TestOddFilesAreLeftAlone(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"tally", "lock", "node", "format", "members", "node.new"} {
		for kind, put := range oddFiles() {
			t.Run(name+" "+kind, func(t *testing.T) {
				dir := t.TempDir()
				target := filepath.Join(dir, "target")
				if err := os.WriteFile(target, []byte("precious"), 0o600); err != nil {
					t.Fatal(err)
				}
				if err := os.Mkdir(filepath.Join(dir, "journal"), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := put(filepath.Join(dir, "journal", name), target); err != nil {
					t.Fatal(err)
				}
				s, err := Open(t.Context(), natsd.Config{Dir: dir, Log: slog.New(slog.DiscardHandler)}, nil)
				if err == nil {
					err = s.Close()
				}
				if isTemporary := strings.HasSuffix(name, ".new"); isTemporary != (err == nil) ||
					!isTemporary && !errors.Is(err, disk.ErrOddFile) {
					t.Errorf("the start says: %v", err)
				}
				if text, err := os.ReadFile(target); err != nil || !bytes.Equal(text, []byte("precious")) {
					t.Errorf("the target is %q, %v", text, err)
				}
				if _, err := os.Lstat(target + "2"); err == nil {
					t.Error("a file was made where a link pointed")
				}
			})
		}
	}
}

// oddFiles put something other than a small file at a path.
func oddFiles() map[string]func(path, target string) error {
	return map[string]func(path, target string) error{
		"link":     func(path, target string) error { return os.Symlink(target, path) },
		"dangling": func(path, target string) error { return os.Symlink(target+"2", path) },
		"endless":  func(path, _ string) error { return os.Symlink("/dev/zero", path) },
		"pipe":     func(path, _ string) error { return unix.Mkfifo(path, 0o600) },
		"large": func(path, _ string) error {
			return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 8<<30))
		},
	}
}

// When the locked file was removed, a second server could start on the same journal.
func TestLockHoldsWithoutItsFile(t *testing.T) {
	dir := t.TempDir()
	open(t, natsd.Config{Dir: dir})
	if err := os.Remove(filepath.Join(dir, "journal", "lock")); err != nil {
		t.Fatal(err)
	}
	if s, err := Open(t.Context(), natsd.Config{Dir: dir, Log: slog.New(slog.DiscardHandler)}, nil); !errors.Is(err,
		disk.ErrLocked) {
		t.Errorf("a second server on the directory: %v", err)
		if err == nil {
			_ = s.Close()
		}
	}
}

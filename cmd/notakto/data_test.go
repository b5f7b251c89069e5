package main

import (
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"notakto/internal/testkit"
)

// A failed rename must leave no copy of the data behind.
func TestABackupThatCannotGetItsNameIsRemoved(t *testing.T) {
	dir, now := t.TempDir(), time.Now().UTC()
	for second := range 30 {
		taken := now.Add(time.Duration(second) * time.Second).Format("notakto-20060102T150405Z.tar")
		testkit.OK(t, os.Mkdir(filepath.Join(dir, taken), 0o700))
	}
	_, err := backUpTo(dir, 0, func(io.Writer) error { return nil })
	if left, _ := filepath.Glob(filepath.Join(dir, "*.part")); err == nil || len(left) > 0 {
		t.Errorf("the backup leaves %v, error %v", left, err)
	}
}

//go:build unix

package hostkeys

import (
	"errors"
	"os"
	"strings"
	"testing"

	"notakto/internal/testkit"
)

// Any user could replace the files of the server.
func TestADirectoryThatAllCanWriteIsRefused(t *testing.T) {
	dir := t.TempDir()
	for mode, want := range map[os.FileMode]error{
		0o777: ErrExposed, 0o702 | os.ModeSticky: ErrExposed, 0o700: nil, 0o755: nil, 0o775: nil,
	} {
		testkit.OK(t, os.Chmod(dir, mode))
		_, err := Load(dir)
		if !errors.Is(err, want) || want != nil && !strings.Contains(err.Error(), "run: chmod o-w "+dir) {
			t.Errorf("mode %o: %v", mode, err)
		}
	}
}

//go:build !unix

package journal

import (
	"io"
	"path/filepath"
)

// lock opens the file only: this system has no flock, so it is the operator who sees to it that one process uses a
// directory.
func lock(dir string) (io.Closer, error) { return openSmall(filepath.Join(dir, "lock"), smallFile) }

//go:build !unix

package disk

import (
	"io"
	"path/filepath"
)

// Lock opens the file only: this system has no flock, so the operator must ensure that one process uses a directory.
func Lock(dir string) (io.Closer, error) { return OpenSmall(filepath.Join(dir, "lock")) }

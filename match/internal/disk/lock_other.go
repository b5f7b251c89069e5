//go:build !unix

package disk

import (
	"io"
	"path/filepath"
)

// Lock only opens the file. This system has no flock, and the operator must ensure that one process uses a directory.
func Lock(dir string) (io.Closer, error) { return OpenSmall(filepath.Join(dir, "lock")) }

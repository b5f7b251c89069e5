//go:build !unix

package disk

import (
	"io"
	"path/filepath"
)

// Lock only opens the lock file, because this system has no flock. The operator must let only one process use a
// directory.
func Lock(dir string) (io.Closer, error) { return OpenSmall(filepath.Join(dir, "lock")) }

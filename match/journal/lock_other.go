//go:build !unix

package journal

import "os"

// lock opens the file only: this system has no flock, so it is the operator who sees to it that one process uses a directory.
func lock(path string) (*os.File, error) { return os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600) }

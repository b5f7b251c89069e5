//go:build unix

package disk

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Lock locks a directory for this process until the result is closed. It locks the directory itself, and a file in it,
// as older versions do. On file systems that cannot lock a directory, such as NFS, it locks only the file.
func Lock(dir string) (io.Closer, error) {
	whole, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := take(whole); errors.Is(err, ErrLocked) {
		return nil, errors.Join(err, whole.Close())
	}
	file, err := OpenSmall(filepath.Join(dir, "lock"))
	if err != nil {
		return nil, errors.Join(err, whole.Close())
	}
	if err := take(file); err != nil {
		return nil, errors.Join(err, file.Close(), whole.Close())
	}
	return locked{whole, file}, nil
}

// take locks an open file or directory.
func take(f *os.File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		err = ErrLocked
	}
	if err != nil {
		return fmt.Errorf("lock %s: %w", f.Name(), err)
	}
	return nil
}

// locked is a locked directory and the file in it.
type locked struct{ dir, file *os.File }

// Close unlocks both.
func (l locked) Close() error { return errors.Join(l.file.Close(), l.dir.Close()) }

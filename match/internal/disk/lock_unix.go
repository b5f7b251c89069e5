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

// Lock locks a directory for this process until the result is closed. The error is [ErrLocked] if another process
// has locked it, or [ErrNotLockFile].
//
// Lock locks the directory itself and a file in it, as older versions do. On file systems that cannot lock a
// directory, such as NFS, it locks only the file.
func Lock(dir string) (io.Closer, error) {
	whole, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := flock(whole); errors.Is(err, ErrLocked) {
		return nil, errors.Join(err, whole.Close())
	}
	file, err := OpenSmall(filepath.Join(dir, "lock"))
	if err != nil {
		return nil, errors.Join(err, whole.Close())
	}
	if err := flock(file); err != nil {
		return nil, errors.Join(err, file.Close(), whole.Close())
	}
	return lockedDir{whole, file}, nil
}

func flock(f *os.File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		err = ErrLocked
	}
	if err != nil {
		return fmt.Errorf("lock %s: %w", f.Name(), err)
	}
	return nil
}

type lockedDir struct{ dir, file *os.File }

func (l lockedDir) Close() error { return errors.Join(l.file.Close(), l.dir.Close()) }

package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// ErrLocked says that another process uses the data directory.
var ErrLocked = errors.New("another process uses this directory: stop it, or give this one a directory of its own")

// ErrOddFile says that a path is not the lock of a data directory.
var ErrOddFile = errors.New("it is not the lock of a data directory; move it away and start again")

// limit is the most bytes that a small file may have.
const limit = 64 << 10

// OpenSmall opens the file at path for reading and writing, and makes it if it does not exist. It refuses a link,
// anything that is not a regular file, and a file that is larger than the limit: [ErrOddFile].
func OpenSmall(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if !errors.Is(err, os.ErrExist) {
		return f, err
	}
	link, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !link.Mode().IsRegular() || link.Size() > limit {
		return nil, fmt.Errorf("%s: %w", path, ErrOddFile)
	}
	f, err = os.OpenFile(path, os.O_RDWR|syscall.O_NONBLOCK, 0) // a named pipe that is put there now must not block
	if err != nil {
		return nil, err
	}
	if opened, err := f.Stat(); err != nil || !os.SameFile(link, opened) {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, ErrOddFile), err, f.Close())
	}
	return f, nil
}

// WriteFile replaces a small file atomically, and returns when the file is on the disk. No other call for the path may
// run at the same time.
func WriteFile(path string, text []byte) error {
	// of an interrupted write, or a link
	if err := os.Remove(path + ".new"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	temp, err := os.OpenFile(path+".new", os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_SYNC, 0o600)
	if err != nil {
		return err
	}
	_, err = temp.Write(text)
	if err := errors.Join(err, temp.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), path); err != nil {
		return err
	}
	return Sync(filepath.Dir(path))
}

// Sync returns when a file or a directory is on the disk.
func Sync(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// SyncTree returns when all below a directory is on the disk.
func SyncTree(dir string) error {
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() && !e.IsDir() {
			return err
		}
		return Sync(path)
	})
}

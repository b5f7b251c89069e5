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

// ErrNotLockFile says that a path is not the lock of a data directory.
var ErrNotLockFile = errors.New("it is not the lock of a data directory; move it away and start again")

// maxSmall is the largest size of a small file in bytes.
const maxSmall = 64 << 10

// OpenSmall opens the file at path for reading and writing, and creates it if it does not exist. The error is
// [ErrNotLockFile] for a link, for a file that is not regular, and for a file larger than maxSmall.
func OpenSmall(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if !errors.Is(err, os.ErrExist) {
		return f, err
	}
	link, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !link.Mode().IsRegular() || link.Size() > maxSmall {
		return nil, fmt.Errorf("%s: %w", path, ErrNotLockFile)
	}
	// O_NONBLOCK keeps a named pipe that is put there after Lstat from blocking.
	f, err = os.OpenFile(path, os.O_RDWR|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if opened, err := f.Stat(); err != nil || !os.SameFile(link, opened) {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, ErrNotLockFile), err, f.Close())
	}
	return f, nil
}

// WriteFile replaces a small file atomically, and returns when the file is on the disk. No other call for the path
// may run at that time.
func WriteFile(path string, text []byte) error {
	// An interrupted write may have left the file, or another user a link.
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

// SyncTree returns when every file and directory below dir is on the disk, and dir itself.
func SyncTree(dir string) error {
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() && !e.IsDir() {
			return err
		}
		return Sync(path)
	})
}

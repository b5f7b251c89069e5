package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// errOddFile says that something else is in the place of one of the journal's small files.
var errOddFile = errors.New("it is not one of the journal's small files; move it away and start again")

// The limits of small files, in bytes.
const (
	smallFile  = 1 << 10  // a name, a number, a checkpoint
	rosterFile = 64 << 10 // the members of a cluster
)

// openSmall opens the file at path for reading and writing, and makes it if nothing is there. What is a link, is no
// regular file or has more bytes than limit is left alone: errOddFile.
func openSmall(path string, limit int64) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if !errors.Is(err, os.ErrExist) {
		return f, err
	}
	return openOld(path, os.O_RDWR, limit)
}

// openOld is openSmall for a file that is there.
func openOld(path string, flag int, limit int64) (*os.File, error) {
	link, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !link.Mode().IsRegular() || link.Size() > limit {
		return nil, fmt.Errorf("%s: %w", path, errOddFile)
	}
	f, err := os.OpenFile(path, flag|syscall.O_NONBLOCK, 0) // a named pipe that has just come there would hold up the start
	if err != nil {
		return nil, err
	}
	if opened, err := f.Stat(); err != nil || !os.SameFile(link, opened) {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, errOddFile), err, f.Close())
	}
	return f, nil
}

// readSmall reads a file as openSmall opens it. An error that is os.ErrNotExist means that nothing is there.
func readSmall(path string, limit int64) ([]byte, error) {
	f, err := openOld(path, os.O_RDONLY, limit)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, limit))
	return text, errors.Join(err, f.Close())
}

// writeFileSync writes a small file that is whole or not there at all, and there for good when it returns, wherever the
// power fails. Nobody else may write it at the same time.
func writeFileSync(path string, text []byte) error {
	if err := os.Remove(path + ".new"); err != nil && !errors.Is(err, os.ErrNotExist) { // of an earlier try, or a link
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
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

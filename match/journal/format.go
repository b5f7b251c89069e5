package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// format is the version of what this program writes into a directory. The file format of the directory holds the
// highest version that has written there; directories without one are of version 1. Version 2 opens a match by one
// entry (eventsEntry).
const format = 2

// ErrNewerFormat says that a newer version of the program has written to the directory. Nothing in it was changed.
var ErrNewerFormat = errors.New("the journal was written by a newer version of the program: start that version, or give this one another directory")

// storedFormat reads the version of a directory without changing anything. [ErrNewerFormat].
func storedFormat(dir string) (int, error) {
	path := filepath.Join(dir, "format")
	text, err := readSmall(path, smallFile)
	if errors.Is(err, os.ErrNotExist) {
		return 1, nil
	}
	if err != nil {
		return 0, err
	}
	stored, err := strconv.Atoi(strings.TrimSpace(string(text)))
	switch {
	case err != nil || stored < 1:
		return 0, fmt.Errorf("%s holds %.20q, which is no version: put back the file, or write %d into it", path, text, format)
	case stored > format:
		return 0, fmt.Errorf("%w (%s has format %d; this version reads up to %d)", ErrNewerFormat, dir, stored, format)
	}
	return stored, nil
}

// raiseFormat notes in the directory that this version has written there.
func (s *Store) raiseFormat(dir string, stored int) error {
	if stored == format {
		return nil
	}
	if exists(files(dir, matchesStream)) {
		s.cfg.Log.Info("the journal is of a newer format from now on: versions of the program before this one cannot read all of it",
			"dir", dir, "before", stored, "now", format)
	}
	return writeFileSync(filepath.Join(dir, "format"), []byte(strconv.Itoa(format)+"\n"))
}

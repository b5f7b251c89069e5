package natsd

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"notakto/match/journal/internal/blocks"
)

// repair cuts torn tails off the server's files, refuses those that are damaged elsewhere where the server does not
// look ([ErrRestore], [ErrReplace]), and makes the server read all of them. In a cluster the node gets what was cut off
// from the others. readArchive is called with the beginning of each file of the archive that is not damaged.
func (d dataDir) repair(cfg Config, readArchive func([]byte)) error {
	for _, stream := range [...]string{MatchesStream, ArchiveStream} {
		read := readArchive
		if stream != ArchiveStream {
			read = func([]byte) {}
		}
		dir := filepath.Join(d.stream(stream), "msgs")
		err := blocks.Repair(dir, filepath.Join(d.file("torn"), stream), anySubject, cfg.Log, read)
		var damaged blocks.DamagedError
		if errors.As(err, &damaged) {
			return unreadable(cfg, damaged)
		}
		if err != nil {
			return err
		}
		// With its index the server would take its files for good and find a damaged message only when somebody asks
		// for it, and everything after that message never. A million finished matches take it a third of a second more.
		if err := os.Remove(filepath.Join(dir, "index.db")); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return d.raiseFormat(cfg.Log)
}

// unreadable is the error of a start with a file that is damaged at a byte.
func unreadable(cfg Config, at blocks.DamagedError) error {
	if cfg.Cluster.Listen != "" {
		return fmt.Errorf("%w (%s, byte %d)", ErrReplace, at.Path, at.At)
	}
	return fmt.Errorf("%w; or move %s away, to go on without what is in it (byte %d)", ErrRestore, at.Path, at.At)
}

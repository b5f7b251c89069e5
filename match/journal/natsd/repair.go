package natsd

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"notakto/match/journal/internal/blocks"
)

// repair cuts torn tails off the server's files, and makes the server read all of them. Files that are damaged
// elsewhere are refused: [ErrRestore], [ErrReplace]. In a cluster the node gets what was cut off from the others.
// readArchive is called with the undamaged beginning of each file of the archive.
func (d dataDir) repair(cfg Config, readArchive func([]byte)) error {
	for _, stream := range fileStreams() {
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
		// With its index the server would notice a damaged message only when it is read, and lose all that follows it.
		// Without, a million finished matches take a third of a second more.
		if err := os.Remove(filepath.Join(dir, "index.db")); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return d.raiseFormat(cfg.Log)
}

// unreadable returns the error of a start with a file that is damaged at a byte.
func unreadable(cfg Config, at blocks.DamagedError) error {
	if cfg.Cluster.Listen != "" {
		return fmt.Errorf("%w (%s, byte %d)", ErrReplace, at.Path, at.At)
	}
	return fmt.Errorf("%w; or move %s away, to go on without what is in it (byte %d)", ErrRestore, at.Path, at.At)
}

package natsd

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"notakto/match/journal/internal/blocks"
	"notakto/match/journal/internal/disk"
)

// repair cuts torn tails off the server's files, and makes the server read all of them. Files that are damaged
// elsewhere are refused: [ErrRestore], [ErrReplace]. In a cluster the node gets what was cut off from the others.
// readArchive is called with the undamaged beginning of each file of the archive. Without readArchive, the files of the
// archive are not read if they are as a server left them that has stopped.
func (d dataDir) repair(cfg Config, readArchive func([]byte)) error {
	for _, stream := range fileStreams() {
		read := readArchive
		if stream != ArchiveStream || read == nil {
			read = func([]byte) {}
		}
		dir := d.messages(stream)
		if stream == ArchiveStream && readArchive == nil && d.isAsStopped() {
			continue
		}
		err := blocks.Repair(dir, filepath.Join(d.file("torn"), stream), anySubject, cfg.Log, read)
		var damaged blocks.DamagedError
		if errors.As(err, &damaged) {
			return cfg.unreadable(damaged)
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

// messages returns the directory of a stream's files.
func (d dataDir) messages(stream string) string { return filepath.Join(d.stream(stream), "msgs") }

// stopped is the path of the file with the state of the archive's files when the server stopped.
func (d dataDir) stopped() string { return d.file("stopped") }

// noteStopped writes that file. The server has stopped. Without the file the next start only takes longer.
func (d dataDir) noteStopped() error {
	state, err := stateOf(d.messages(ArchiveStream), true)
	if err != nil || state == "" {
		return err
	}
	return disk.WriteFile(d.stopped(), []byte(state+"\n"))
}

// isAsStopped reports whether the archive's files are those that the server left when it stopped. It reads none of
// them, so the time does not grow with the number of matches.
func (d dataDir) isAsStopped() bool {
	noted, err := disk.ReadSmall(d.stopped())
	if err != nil {
		return false
	}
	state, err := stateOf(d.messages(ArchiveStream), false)
	return err == nil && state != "" && string(noted) == state+"\n"
}

// stateOf returns a hash of the names, lengths and times of a stream's files; empty if the server's index of them is
// not there. With sync, all is on the disk by then.
func stateOf(dir string, sync bool) (string, error) {
	entries, err := os.ReadDir(dir) // by name
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	hash, hasIndex := sha256.New(), false
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return "", err
		}
		hasIndex = hasIndex || e.Name() == "index.db"
		if sync {
			if err := disk.Sync(filepath.Join(dir, e.Name())); err != nil {
				return "", err
			}
		}
		_, _ = fmt.Fprintln(hash, e.Name(), info.Size(), info.ModTime().UnixNano()) // a hash accepts all
	}
	if !hasIndex {
		return "", nil
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// unreadable returns the error of a start with a file that is damaged at a byte.
func (c Config) unreadable(at blocks.DamagedError) error {
	if c.Cluster.Listen != "" {
		return fmt.Errorf("%w (%s, byte %d)", ErrReplace, at.Path, at.At)
	}
	return fmt.Errorf("%w; or move %s away, to go on without what is in it (byte %d)", ErrRestore, at.Path, at.At)
}

package journal

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"notakto/match/journal/internal/disk"
	"notakto/match/journal/natsd"
)

// backupFormat is the version of the form of a backup. Those of version 1 lack the stream AUDIT.
const backupFormat = 2

// The last two parts of a backup.
const (
	manifestName = "manifest.json"
	manifestHash = "manifest.sha256"
)

// Manifest says what a backup holds. It stands behind the parts, as manifest.json, and its hash behind it.
type Manifest struct {
	Format  int       `json:"format"`  // of the backup
	Journal int       `json:"journal"` // the format of the journal
	Version string    `json:"version"` // of the program
	Began   time.Time `json:"began"`
	Parts   []Part    `json:"parts"`
}

// Part is a file of a backup: the snapshot of a stream, or a file of the data directory.
type Part struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
	// Stream is the state of the stream, with its first and last sequence; nil for a file.
	Stream *jetstream.StreamState `json:"stream,omitempty"`
}

// Backup writes all matches and accounts to w, as a tar file, while players play. Everything that was acknowledged
// before the call is in it. files are other files of the data directory, by their names, such as the host key. It needs
// as much room on the disk as the largest stream, so that a slow w holds up nothing.
func Backup(ctx context.Context, s *Store, w io.Writer, version string, files map[string][]byte) (Manifest, error) {
	m := Manifest{
		Format: backupFormat, Journal: natsd.Format, Version: version, Began: s.clock.now().UTC().Truncate(time.Second),
	}
	to := &countingWriter{w: w}
	out := tar.NewWriter(to)
	for _, stream := range natsd.KeptStreams() {
		part, err := backUpStream(ctx, s, out, stream, m.Began)
		if err != nil {
			return m, fmt.Errorf("back up the stream %s: %w", stream, err)
		}
		m.Parts = append(m.Parts, part)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		part := Part{Name: name, Size: int64(len(files[name])), SHA256: hashOf(files[name])}
		if err := writePart(out, name, part.Size, m.Began, bytes.NewReader(files[name])); err != nil {
			return m, err
		}
		m.Parts = append(m.Parts, part)
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return m, err
	}
	text = append(text, '\n')
	hash := []byte(hashOf(text) + "\n")
	err = errors.Join(
		writePart(out, manifestName, int64(len(text)), m.Began, bytes.NewReader(text)),
		writePart(out, manifestHash, int64(len(hash)), m.Began, bytes.NewReader(hash)),
		out.Close(),
	)
	if err == nil {
		s.stats.backup.Store(&backupFacts{time.Now(), to.n})
	}
	return m, err
}

// countingWriter counts what is written.
type countingWriter struct {
	w io.Writer
	n int64
}

// Write implements [io.Writer].
func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// backUpStream writes a stream, by way of a file: NATS waits for a reader for seconds only, and a part begins with its
// length.
func backUpStream(ctx context.Context, s *Store, out *tar.Writer, stream string, at time.Time) (part Part, err error) {
	dir := ""
	if s.node.Monitor != nil {
		dir = s.node.Path("")
	}
	f, err := os.CreateTemp(dir, "backup-*")
	if err != nil {
		return Part{}, err
	}
	defer func() { err = errors.Join(err, f.Close(), os.Remove(f.Name())) }()
	hash := sha256.New()
	state, err := natsd.TakeSnapshot(ctx, s.node, stream, io.MultiWriter(f, hash))
	if err != nil {
		return Part{}, err
	}
	size, err := f.Seek(0, io.SeekCurrent)
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return Part{}, err
	}
	part = Part{Name: stream, Size: size, SHA256: hex.EncodeToString(hash.Sum(nil)), Stream: &state}
	return part, writePart(out, stream, size, at, f)
}

// writePart writes a part. All bytes of a backup follow from its parts, their names and its time.
func writePart(out *tar.Writer, name string, size int64, at time.Time, r io.Reader) error {
	if err := out.WriteHeader(&tar.Header{Name: name, Size: size, Mode: 0o600, ModTime: at}); err != nil {
		return err
	}
	_, err := io.Copy(out, r)
	return err
}

func hashOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// The errors of [OpenStopped].
var (
	ErrRunning   = errors.New("the server of this directory runs: stop it first")
	ErrNoJournal = errors.New("the directory has no journal of a single server: name one that has with --data")
)

// OpenStopped opens the journal in a data directory whose server does not run, for a command on its machine.
// [ErrRunning], [ErrNoJournal].
func OpenStopped(ctx context.Context, dir string, log *slog.Logger) (s *Store, err error) {
	err = ofStopped(dir, func() error {
		s, err = Open(ctx, natsd.Config{Dir: dir, Log: log}, nil)
		return err
	})
	return s, err
}

// ofStopped calls open, which opens the journal in a directory, and returns its error as [OpenStopped] does.
func ofStopped(dir string, open func() error) error {
	if _, err := os.Stat(filepath.Join(dir, "journal")); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w (%s)", ErrNoJournal, dir)
	}
	err := open()
	if errors.Is(err, disk.ErrLocked) {
		err = fmt.Errorf("%w (%s)", ErrRunning, dir)
	}
	return err
}

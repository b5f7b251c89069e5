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
	"hash"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"notakto/match"
	"notakto/match/internal/codec"
	"notakto/match/internal/disk"
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

// The errors of a backup that is not restored. Nothing is changed then.
var (
	// ErrShortBackup says that the end of a backup is missing.
	ErrShortBackup = errors.New("the backup is truncated: its end is missing")
	// ErrBadBackup says that a backup is not what was written.
	ErrBadBackup = errors.New("the backup is damaged, or the file is no backup")
	// ErrNewerBackup says that a newer version of the program wrote a backup.
	ErrNewerBackup = errors.New("the backup was written by a newer version of the program: use that version")
	// ErrHasJournal says that there are matches where a backup would be restored.
	ErrHasJournal = errors.New("the directory has a journal already: give another one, or move the journal away")
)

// maxManifest is how long a manifest may be, in bytes.
const maxManifest = 1 << 20

// Contents is what a backup was found to hold.
type Contents struct {
	Manifest Manifest
	Finished int // matches that are over
	Live     int // matches in progress
	Damaged  int // of these, matches that cannot be read, already in the server that was backed up
}

// Verify reads a backup, restores it in a temporary directory, and folds all its matches. [ErrShortBackup],
// [ErrBadBackup], [ErrNewerBackup].
func Verify(ctx context.Context, backup io.ReadSeeker, log *slog.Logger) (c Contents, err error) {
	m, err := readManifest(backup)
	if err != nil {
		return Contents{}, err
	}
	dir, err := os.MkdirTemp("", "notakto-verify-")
	if err != nil {
		return Contents{}, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	return unpack(ctx, backup, m, dir, log)
}

// Restore verifies a backup and makes a data directory of it, for a server on its own. The directory may exist, but not
// have a journal: [ErrHasJournal]. A file of the backup that the directory has, such as the host key, stays as it is
// there. Accounts that were erased from what was in the directory before are erased again. The other errors are those
// of [Verify]. After an error the directory is as before.
func Restore(ctx context.Context, backup io.ReadSeeker, dir string, log *slog.Logger) (Contents, error) {
	return restoreTo(dir, func(work string) (Contents, error) {
		m, err := readManifest(backup)
		if err != nil {
			return Contents{}, err
		}
		c, err := unpack(ctx, backup, m, work, log)
		if err != nil {
			return Contents{}, err
		}
		return c, eraseAgain(ctx, dir, work, log)
	})
}

// RestoreNode is as [Restore], from the data directory of the last node of a lost cluster. The files are copied too, if
// that directory has them. [natsd.ErrNoNode], [disk.ErrLocked].
func RestoreNode(ctx context.Context, from, dir string, files []string, log *slog.Logger) (Contents, error) {
	return restoreTo(dir, func(work string) (Contents, error) {
		for _, name := range files {
			text, err := disk.ReadSmall(filepath.Join(from, name))
			if err == nil {
				err = disk.WriteFile(filepath.Join(work, name), text)
			}
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return Contents{}, err
			}
		}
		if err := natsd.CopyNode(ctx, from, work, log); err != nil {
			return Contents{}, err
		}
		return openAndCount(ctx, natsd.Config{Dir: work, Sync: natsd.Interval, Log: log}, nil, nil)
	})
}

// restoreTo makes a data directory of what restore makes in another one.
func restoreTo(dir string, restore func(work string) (Contents, error)) (c Contents, err error) {
	journal := filepath.Join(dir, "journal")
	if _, err := os.Lstat(journal); !errors.Is(err, fs.ErrNotExist) {
		return Contents{}, errors.Join(fmt.Errorf("%w (%s)", ErrHasJournal, dir), err)
	}
	_, before := os.Lstat(dir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return Contents{}, err
	}
	work, err := os.MkdirTemp(dir, "restore-")
	if err != nil {
		return Contents{}, err
	}
	defer func() {
		err = errors.Join(err, os.RemoveAll(work))
		if err != nil && errors.Is(before, fs.ErrNotExist) {
			err = errors.Join(err, os.Remove(dir))
		}
	}()
	if c, err = restore(work); err != nil {
		return Contents{}, err
	}
	if err := disk.SyncTree(work); err != nil {
		return Contents{}, err
	}
	files, err := os.ReadDir(work)
	if err != nil {
		return Contents{}, err
	}
	for _, f := range files {
		if f.IsDir() {
			continue
		}
		err := os.Link(filepath.Join(work, f.Name()), filepath.Join(dir, f.Name()))
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return Contents{}, err
		}
	}
	return c, errors.Join(os.Rename(filepath.Join(work, "journal"), journal), disk.Sync(dir))
}

// readManifest reads a backup through, and returns its manifest if every byte is as it was written.
func readManifest(backup io.ReadSeeker) (m Manifest, err error) {
	left, err := sizeOf(backup)
	if err != nil {
		return m, err
	}
	// A hash of what is there, and one of a backup with the same parts.
	raw, again := sha256.New(), sha256.New()
	in, out := io.TeeReader(backup, raw), tar.NewWriter(again)
	hashes, last := map[string]string{}, ""
	for r := tar.NewReader(in); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return m, badBackup(err)
		}
		left -= h.Size
		if err := checkPart(h, left, hashes); err != nil {
			return m, err
		}
		part, text := sha256.New(), new(bytes.Buffer)
		keep := io.Writer(part)
		if isManifest(h.Name) {
			keep = io.MultiWriter(part, text)
		}
		if err := writePart(out, h.Name, h.Size, h.ModTime, io.TeeReader(r, keep)); err != nil {
			return m, badBackup(err)
		}
		last, hashes[h.Name] = h.Name, sumOf(part)
		switch h.Name {
		case manifestName:
			if err := m.decode(text.Bytes()); err != nil {
				return m, err
			}
		case manifestHash:
			if strings.TrimSpace(text.String()) != hashes[manifestName] {
				return m, badBackup(errors.New(manifestName + " does not have its hash"))
			}
		}
	}
	if _, err := io.Copy(io.Discard, in); err != nil {
		return m, err
	}
	if last != manifestHash {
		return m, ErrShortBackup
	}
	if err := out.Close(); err != nil || sumOf(raw) != sumOf(again) {
		return m, badBackup(errors.New("bytes between its parts or behind them have changed"))
	}
	return m, m.check(hashes)
}

// checkPart refuses a part of a backup that has left bytes behind it, by its length, and one that was there before.
func checkPart(h *tar.Header, left int64, before map[string]string) error {
	switch {
	case left < 0: // cut off, or with holes, whose length costs nothing to write
		return ErrShortBackup
	case before[h.Name] != "":
		return badBackup(fmt.Errorf("it has %.40q twice", h.Name))
	case isManifest(h.Name) && h.Size > maxManifest:
		return badBackup(errors.New("its manifest is too long"))
	}
	return nil
}

func isManifest(name string) bool { return name == manifestName || name == manifestHash }

// sizeOf returns the length of a backup, which is then read from its start.
func sizeOf(backup io.Seeker) (int64, error) {
	size, err := backup.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, err
	}
	_, err = backup.Seek(0, io.SeekStart)
	return size, err
}

func sumOf(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

// badBackup returns the error of a backup that cannot be read.
func badBackup(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrShortBackup
	}
	return fmt.Errorf("%w: %w", ErrBadBackup, err)
}

// decode reads the manifest. A newer one need not have more than its format in common with ours.
func (m *Manifest) decode(text []byte) error {
	var newer struct{ Format, Journal int }
	if err := json.Unmarshal(text, &newer); err != nil {
		return badBackup(err)
	}
	if newer.Format > backupFormat || newer.Journal > natsd.Format {
		return fmt.Errorf("%w (it has format %d of a journal of format %d; this version reads up to %d and %d)",
			ErrNewerBackup, newer.Format, newer.Journal, backupFormat, natsd.Format)
	}
	if err := json.Unmarshal(text, m); err != nil {
		return badBackup(err)
	}
	return nil
}

// check refuses parts that a backup cannot have, or whose hashes, by their names, are not those of the manifest.
func (m *Manifest) check(hashes map[string]string) error {
	var streams []string
	for _, p := range m.Parts {
		switch {
		case hashes[p.Name] != p.SHA256:
			return badBackup(errors.New(p.Name + " does not have its hash"))
		case p.Stream != nil:
			streams = append(streams, p.Name)
		case p.Name != filepath.Base(p.Name) || !filepath.IsLocal(p.Name) || p.Name == "journal":
			return badBackup(fmt.Errorf("it has a file %.40q", p.Name))
		}
	}
	want := natsd.KeptStreams()
	if m.Format == 1 {
		want = slices.DeleteFunc(want, func(name string) bool { return name == natsd.AuditStream })
	}
	if !slices.Equal(streams, want) {
		return badBackup(fmt.Errorf("it has the streams %q, and not %q", streams, want))
	}
	return nil
}

// unpack makes a data directory of a backup whose manifest was read, and opens it as a server does.
func unpack(ctx context.Context, backup io.ReadSeeker, m Manifest, dir string, log *slog.Logger) (Contents, error) {
	if _, err := backup.Seek(0, io.SeekStart); err != nil {
		return Contents{}, err
	}
	cfg := natsd.Config{Dir: dir, Sync: natsd.Interval, Log: log}
	if err := unpackParts(ctx, backup, m, cfg); err != nil {
		return Contents{}, err
	}
	c, err := openAndCount(ctx, cfg, nil, nil)
	c.Manifest = m
	return c, err
}

// openAndCount opens a journal, folds all its matches, calls each with the events of every one, calls then, and closes
// it. Matches of the archive are folded as their files are read at the start: to ask for each would take
// longer. The players of these are as they were recorded. each and then may be nil.
func openAndCount(
	ctx context.Context, cfg natsd.Config, each func([]match.Event), then func(*Store, Contents) error,
) (c Contents, err error) {
	s, read := newStore(cfg, newClock()), uint64(0)
	if each == nil {
		each = func([]match.Event) {}
	}
	s.archive.names.seen = func(seq uint64, record []byte) {
		r, err := codec.DecodeRecord(record)
		if read = seq; err != nil {
			r.Events = nil
		}
		c.countFinished(r.Events)
		each(r.Events)
	}
	if err = s.open(ctx); err == nil {
		err = c.count(ctx, s, read, each)
	}
	if err == nil && then != nil {
		err = then(s, c)
	}
	return c, errors.Join(err, s.Close())
}

// startEmpty starts the server of a directory into which streams are restored. It has to be closed also after an error.
func startEmpty(ctx context.Context, cfg natsd.Config) (*natsd.Node, error) {
	n := natsd.NewNode(cfg, newClock().now)
	err := n.Prepare(ctx)
	if err == nil {
		err = n.Start(ctx, func() uint64 { return 0 })
	}
	return n, err
}

func unpackParts(ctx context.Context, backup io.Reader, m Manifest, cfg natsd.Config) (err error) {
	n, err := startEmpty(ctx, cfg)
	defer func() { err = errors.Join(err, n.Close()) }()
	if err != nil {
		return err
	}
	for r, at := tar.NewReader(backup), 0; at < len(m.Parts); at++ {
		h, err := r.Next()
		p := m.Parts[at]
		switch {
		case err != nil:
			return badBackup(err)
		case h.Name != p.Name:
			return badBackup(fmt.Errorf("%q stands in the place of %s", h.Name, p.Name))
		case p.Stream != nil:
			err = natsd.RestoreSnapshot(ctx, n, p.Name, *p.Stream, r)
		default:
			var text []byte
			if text, err = io.ReadAll(r); err == nil {
				err = disk.WriteFile(filepath.Join(cfg.Dir, p.Name), text)
			}
		}
		if err != nil {
			return fmt.Errorf("restore %s: %w", p.Name, err)
		}
	}
	return nil
}

// errEnd stops reading the archive.
var errEnd = errors.New("all were read")

// readAll calls fn with all matches of the archive after a sequence, and returns those that are not in the archive. The
// archiver may run: a match that is in MATCHES and in ARCHIVE is read once.
func readAll(
	ctx context.Context, s *Store, after uint64, fn func(match.ArchivedMatch) error,
) (map[match.ID]matchLog, error) {
	others := map[match.ID]matchLog{}
	s.index.mu.Lock()
	for id, log := range s.index.logs {
		others[id] = *log
	}
	s.index.mu.Unlock()
	end := s.ArchiveEnd()
	if end <= after {
		return others, nil
	}
	err := s.ReadArchive(ctx, after, func(m match.ArchivedMatch) error {
		delete(others, m.ID)
		if err := fn(m); err != nil {
			return err
		}
		if m.Position >= end {
			return errEnd
		}
		return nil
	})
	if errors.Is(err, errEnd) {
		err = nil
	}
	return others, err
}

// countFinished counts a match of the archive, whose events are none if it cannot be read.
func (c *Contents) countFinished(events []match.Event) {
	c.Finished++
	if _, ok := fold(events); !ok {
		c.Damaged++
	}
}

// count folds and counts all matches but those of the archive up to a sequence, and calls fn with the events of each.
func (c *Contents) count(ctx context.Context, s *Store, after uint64, fn func([]match.Event)) error {
	others, err := readAll(ctx, s, after, func(m match.ArchivedMatch) error {
		c.countFinished(m.Events)
		fn(m.Events)
		return nil
	})
	for _, log := range others {
		fn(log.events)
		state, ok := fold(log.events)
		if log.sealed || state.Over() {
			c.Finished++
		} else {
			c.Live++
		}
		if log.damage != nil || !ok {
			c.Damaged++
		}
	}
	return err
}

// fold returns the state of a match after its events, and whether they are those of a match.
func fold(events []match.Event) (s match.State, ok bool) {
	for _, e := range events {
		next, err := s.Apply(e)
		if err != nil {
			return s, false
		}
		s = next
	}
	return s, len(events) > 0
}

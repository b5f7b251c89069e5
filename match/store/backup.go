package store

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
	"time"

	"notakto/match/internal/disk"
)

// backupFormat is the version of the format of a backup. Release 1.0 and its predecessors wrote versions 1 and 2.
const backupFormat = 3

// backupWork matches the working folders of backups in the data directory.
const backupWork = FileName + "-backup-*"

const (
	manifestName = "manifest.json"
	maxManifest  = 1 << 20 // bytes
)

// ErrBackupElsewhere says that the database is in PostgreSQL and that other programs back it up.
var ErrBackupElsewhere = errors.New("the database is in PostgreSQL: use pg_dump, or its provider's backup")

// Manifest lists the parts of a backup. The manifest is the last file of the backup, manifest.json.
type Manifest struct {
	Format  int       `json:"format"`
	Schema  int       `json:"schema"`  // version of the tables
	Version string    `json:"version"` // of the program
	Began   time.Time `json:"began"`
	Parts   []Part    `json:"parts"` // the database first
}

// Part is a file of a backup, with its size in bytes and its checksum in hexadecimal.
type Part struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// Backup writes a copy of a SQLite database to w, as a tar file, with everything that was acknowledged before the call.
// The parameter files maps the names of further parts, such as the host key, to their contents. Players may go on
// playing, but if SQLite has only one connection, moves wait for the copy of the database. With PostgreSQL the error is
// [ErrBackupElsewhere].
//
// Backup first copies the database within the data directory, because a slow w must not hold up writing. The copy
// needs as much room as the database.
func Backup(ctx context.Context, s *Store, w io.Writer, version string, files map[string][]byte) (Manifest, error) {
	e, ok := s.engine.(*sqliteEngine)
	if !ok {
		return Manifest{}, ErrBackupElsewhere
	}
	all, err := readMigrations()
	m := Manifest{
		Format: backupFormat, Schema: len(all), Version: version, Began: s.Now().UTC().Truncate(time.Second),
	}
	if err != nil {
		return m, err
	}
	work, err := os.MkdirTemp(filepath.Dir(e.path), backupWork)
	if err != nil {
		return m, err
	}
	defer func() { _ = os.RemoveAll(work) }()
	copied := filepath.Join(work, FileName)
	err = s.read(ctx, func(db querier) error {
		return each(ctx, db, `VACUUM INTO $1`, []any{copied}, func(scan) error { return nil })
	})
	if err != nil {
		return m, fmt.Errorf("copy the database: %w", err)
	}
	f, err := os.Open(copied)
	if err != nil {
		return m, err
	}
	defer func() { _ = f.Close() }()
	stat, err := f.Stat()
	if err != nil {
		return m, err
	}
	counted := &countingWriter{w: w}
	out := tar.NewWriter(counted)
	err = m.add(out, FileName, stat.Size(), f)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err == nil {
			err = m.add(out, name, int64(len(files[name])), bytes.NewReader(files[name]))
		}
	}
	if err != nil {
		return m, err
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return m, err
	}
	if err := writePart(out, manifestName, int64(len(text)), m.Began, bytes.NewReader(text)); err != nil {
		return m, err
	}
	if err := out.Close(); err != nil {
		return m, err
	}
	s.stats.backup.Store(&backupFacts{time.Now(), counted.n})
	return m, nil
}

type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

func (m *Manifest) add(out *tar.Writer, name string, size int64, r io.Reader) error {
	sum := sha256.New()
	if err := writePart(out, name, size, m.Began, io.TeeReader(r, sum)); err != nil {
		return err
	}
	m.Parts = append(m.Parts, Part{name, size, hexOf(sum)})
	return nil
}

func writePart(out *tar.Writer, name string, size int64, at time.Time, r io.Reader) error {
	if err := out.WriteHeader(&tar.Header{Name: name, Size: size, Mode: 0o600, ModTime: at}); err != nil {
		return err
	}
	_, err := io.Copy(out, r)
	return err
}

func hexOf(sum hash.Hash) string { return hex.EncodeToString(sum.Sum(nil)) }

// Errors of [VerifyBackup] and [RestoreBackup].
var (
	// ErrShortBackup says that the end of a backup is missing.
	ErrShortBackup = errors.New("the backup is truncated: its end is missing")
	// ErrBadBackup says that a file is no backup or differs from its manifest.
	ErrBadBackup = errors.New("the backup is damaged, or the file is no backup of this version")
	// ErrNewerBackup says that a newer version of the program wrote the backup.
	ErrNewerBackup = errors.New("the backup was written by a newer version of the program: use that version")
	// ErrHasStore says that the directory for a restored backup has a database already.
	ErrHasStore = errors.New("the directory has a database already: give another one, or move the database away")
)

// VerifyBackup unpacks a backup into a temporary directory and inspects it. Errors are [ErrShortBackup],
// [ErrBadBackup], [ErrNewerBackup], [ErrDamagedDatabase], those of [Open], and those of reading and writing files.
func VerifyBackup(ctx context.Context, backup io.Reader, log *slog.Logger) (m Manifest, c Contents, err error) {
	dir, err := os.MkdirTemp("", "notakto-verify-")
	if err != nil {
		return m, c, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	return unpack(ctx, backup, dir, log)
}

// RestoreBackup verifies a backup and puts its files into the data directory dir, created if missing. The error is
// [ErrHasStore] if dir has a database, or one of [VerifyBackup]. After an error no database is restored, unless only
// the last sync of dir has failed.
//
// RestoreBackup keeps a file that dir already has, such as the host key. Accounts that were erased in dir are erased in
// the restored database too. If root restores, the owner of dir gets the files, because the server may run as that
// user.
func RestoreBackup(ctx context.Context, backup io.Reader, dir string, log *slog.Logger) (
	m Manifest, c Contents, err error,
) {
	path := filepath.Join(dir, FileName)
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return m, c, errors.Join(fmt.Errorf("%w (%s)", ErrHasStore, dir), err)
	}
	_, dirErr := os.Lstat(dir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return m, c, err
	}
	work, err := os.MkdirTemp(dir, "restore-")
	if err != nil {
		return m, c, err
	}
	defer func() {
		err = errors.Join(err, os.RemoveAll(work))
		if err != nil && errors.Is(dirErr, fs.ErrNotExist) {
			err = errors.Join(err, os.Remove(dir))
		}
	}()
	if m, c, err = unpack(ctx, backup, work, log); err == nil {
		c.Erased, err = repeatErasure(ctx, dir, work, log)
		err = errors.Join(err, disk.GiveToOwner(work, dir), disk.SyncTree(work))
	}
	if err != nil {
		return m, c, err
	}
	for _, p := range m.Parts[1:] {
		to := filepath.Join(dir, p.Name)
		if _, err := os.Lstat(to); errors.Is(err, fs.ErrNotExist) {
			// os.Rename may replace a file that has appeared since Lstat. os.Link would not, but some file systems lack
			// hard links.
			err = os.Rename(filepath.Join(work, p.Name), to)
			if err != nil {
				return m, c, err
			}
		}
	}
	return m, c, errors.Join(os.Rename(filepath.Join(work, FileName), path), disk.Sync(dir))
}

func unpack(ctx context.Context, backup io.Reader, dir string, log *slog.Logger) (m Manifest, c Contents, err error) {
	if m, err = unpackParts(backup, dir); err != nil {
		return m, c, err
	}
	s, err := Open(ctx, Config{Dir: dir, Log: log})
	if err != nil {
		return m, c, err
	}
	c, err = s.Inspect(ctx)
	return m, c, errors.Join(err, s.Close())
}

// unpackParts writes the parts of a backup into dir and returns the manifest once every part agrees with it.
func unpackParts(backup io.Reader, dir string) (m Manifest, err error) {
	var parts []Part
	for r := tar.NewReader(backup); ; {
		h, err := r.Next()
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return m, ErrShortBackup
		case err != nil:
			return m, fmt.Errorf("%w: %w", ErrBadBackup, err)
		case h.Name == manifestName && h.Size <= maxManifest:
			text, err := io.ReadAll(r)
			if err != nil {
				return m, ErrShortBackup
			}
			return m, m.decode(text, parts)
		case h.Name != filepath.Base(h.Name) || !filepath.IsLocal(h.Name) || len(parts) == 0 && h.Name != FileName:
			return m, fmt.Errorf("%w: it has a file %.40q", ErrBadBackup, h.Name)
		}
		part := Part{Name: h.Name}
		f, err := os.OpenFile(filepath.Join(dir, h.Name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return m, err
		}
		sum := sha256.New()
		part.Size, err = io.Copy(io.MultiWriter(f, sum), r)
		part.SHA256 = hexOf(sum)
		if closed := f.Close(); err == nil && closed != nil {
			return m, closed
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return m, ErrShortBackup
		}
		if err != nil {
			return m, err
		}
		parts = append(parts, part)
	}
}

// decode reads a manifest and compares it with the parts that were read. The versions come first, because the rest
// of a newer manifest may differ.
func (m *Manifest) decode(text []byte, parts []Part) error {
	all, err := readMigrations()
	if err != nil {
		return err
	}
	var newer struct{ Format, Schema int }
	if err := json.Unmarshal(text, &newer); err != nil {
		return fmt.Errorf("%w: %w", ErrBadBackup, err)
	}
	if newer.Format > backupFormat || newer.Schema > len(all) {
		return fmt.Errorf("%w (it has format %d and tables of version %d; this version reads up to %d and %d)",
			ErrNewerBackup, newer.Format, newer.Schema, backupFormat, len(all))
	}
	if err := json.Unmarshal(text, m); err != nil {
		return fmt.Errorf("%w: %w", ErrBadBackup, err)
	}
	if m.Format != backupFormat || len(parts) == 0 || !slices.Equal(m.Parts, parts) {
		return fmt.Errorf("%w: its parts are not those of its manifest", ErrBadBackup)
	}
	return nil
}

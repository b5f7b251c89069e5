package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"notakto/match"
)

// format is the version of the schema and of the fold. A database of another version is deleted and filled again.
const format = 4

const schema = ratedSchema + `
CREATE TABLE progress (format INTEGER NOT NULL, position INTEGER NOT NULL, match TEXT NOT NULL, stamp INTEGER NOT NULL);
CREATE TABLE archived (match TEXT PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE matches (
	number INTEGER PRIMARY KEY, match TEXT NOT NULL UNIQUE, variant TEXT NOT NULL, clock TEXT NOT NULL,
	private INTEGER NOT NULL,
	first TEXT NOT NULL, first_name TEXT NOT NULL, second TEXT NOT NULL, second_name TEXT NOT NULL,
	winner INTEGER NOT NULL, reason TEXT NOT NULL, plies INTEGER NOT NULL, ended INTEGER NOT NULL, pool INTEGER NOT NULL
);
CREATE TABLE played (
	player TEXT NOT NULL, number INTEGER NOT NULL, side INTEGER NOT NULL, PRIMARY KEY (player, number)
) WITHOUT ROWID;
CREATE TABLE unseen (
	player TEXT NOT NULL, number INTEGER NOT NULL, side INTEGER NOT NULL, PRIMARY KEY (player, number)
) WITHOUT ROWID;
CREATE TABLE players (
	player TEXT PRIMARY KEY, matches INTEGER NOT NULL, won INTEGER NOT NULL, lost INTEGER NOT NULL,
	chances INTEGER NOT NULL, kept INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE pairings (
	player TEXT NOT NULL, opponent TEXT NOT NULL, matches INTEGER NOT NULL, won INTEGER NOT NULL, lost INTEGER NOT NULL,
	PRIMARY KEY (player, opponent)
) WITHOUT ROWID;`

// FileName is the name of the database in a data directory.
const FileName = "history.db"

// Config configures a [Store].
type Config struct {
	Path string       // of the database; empty for one in memory
	Log  *slog.Logger // default: no log
}

// Store is the history of all players, and a [match.ArchiveIndex] of all matches. Its methods may be called from any
// goroutine, but Follow.
type Store struct {
	db    *sql.DB
	finds *sql.Stmt // of FindArchived; nil after Read
	log   *slog.Logger
	shown func(match.Player) match.Player
	stop  context.CancelFunc
	work  sync.WaitGroup

	ladders   ladders
	indexedTo atomic.Uint64     // the position up to which the database has the archive
	current   chan struct{}     // closed once all that was in the archive at first has been read
	ended     chan *match.State // matches that have just ended

	mu      sync.Mutex
	version uint64        // grows with each transaction that adds matches
	changed chan struct{} // closed with the next transaction
}

// Open opens the database. A file that is damaged or of another version is deleted. The store answers from what it has
// until Follow is called.
func Open(c Config) (*Store, error) {
	db, at, err := openFile(c.Path)
	if err != nil {
		return nil, fmt.Errorf("open the history: %w", err)
	}
	s := newStore(c, db)
	s.indexedTo.Store(at.position)
	if err := s.ladders.read(context.Background(), db); err != nil {
		return nil, errors.Join(fmt.Errorf("open the history: %w", err), db.Close())
	}
	if s.finds, err = db.Prepare(`SELECT position FROM archived WHERE match = ?`); err != nil {
		return nil, errors.Join(fmt.Errorf("open the history: %w", err), db.Close())
	}
	return s, nil
}

// Start opens the database for an archive: Open, Attach and Follow.
func Start(c Config, archive match.Archive) (*Store, error) {
	s, err := Open(c)
	if err != nil {
		return nil, err
	}
	if err := s.Attach(context.Background(), archive); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.Follow(archive, nil)
	return s, nil
}

// Follow reads the archive, to which the store must be attached, in the background until Close. shown returns a player
// of an old match as the player is shown now, and must not block; nil for players as they were recorded. Follow must be
// called before other goroutines use the store.
func (s *Store) Follow(archive match.Archive, shown func(match.Player) match.Player) {
	if shown != nil {
		s.shown = shown
	}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	s.work.Go(func() { s.follow(ctx, archive) })
}

// Add takes in a match that has just ended, before it is archived. It never blocks: a match that finds no room comes
// with the archive. The state must not be changed.
func (s *Store) Add(m *match.State) {
	select {
	case s.ended <- m:
	default:
	}
}

// Attach implements [match.ArchiveIndex].
func (s *Store) Attach(ctx context.Context, archive match.Archive) error {
	at, err := prepareTables(s.db)
	if err != nil || at.position == 0 {
		return err
	}
	isSame := false
	if archive.ArchiveEnd() >= at.position {
		err := archive.ReadArchive(ctx, at.position-1, func(m match.ArchivedMatch) error {
			isSame = at == progressOf(m)
			return errStop
		})
		if !errors.Is(err, errStop) {
			return err
		}
	}
	if isSame {
		return nil
	}
	s.log.Warn("the history is not of this archive: it is computed anew", "event", "history-rebuilt")
	return s.apply(ctx, batch{archived: []match.ArchivedMatch{{}}}) // deletes everything
}

// errStop stops reading the archive.
var errStop = errors.New("enough was read")

// IndexedTo implements [match.ArchiveIndex].
func (s *Store) IndexedTo() uint64 { return s.indexedTo.Load() }

// FindArchived implements [match.ArchiveIndex].
func (s *Store) FindArchived(ctx context.Context, id match.ID) (position uint64, err error) {
	err = s.finds.QueryRowContext(ctx, string(id)).Scan(&position)
	return position, ignoreMissing(err)
}

// ErrNone says that a directory has no history that this version can read.
var ErrNone = errors.New("there is no history: run the server of this version there once")

// Read opens the database of a data directory for queries only, also while a server uses it: FindArchived and Follow
// must not be called. [ErrNone].
func Read(dir string) (*Store, error) {
	path := filepath.Join(dir, FileName)
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, ErrNone)
	}
	db, err := sql.Open("sqlite", fileName(path, url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(5000)"}}))
	if err != nil {
		return nil, err
	}
	at, err := prepareTables(db)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", dir, ErrNone), db.Close())
	}
	s := newStore(Config{Path: path}, db)
	s.indexedTo.Store(at.position)
	if err := s.ladders.read(context.Background(), db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return s, nil
}

func newStore(c Config, db *sql.DB) *Store {
	s := &Store{
		db: db, log: c.Log, stop: func() {}, current: make(chan struct{}),
		ended: make(chan *match.State, maxBatch), changed: make(chan struct{}),
		shown: func(p match.Player) match.Player { return p },
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	return s
}

// Current is closed once all that was in the archive when Follow was called has been read. Until then, which takes
// long after the database was deleted, queries return what has been read so far.
func (s *Store) Current() <-chan struct{} { return s.current }

// Version grows with every match that is taken in. See does not change it.
func (s *Store) Version() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}

// nextChange returns a channel that is closed with the next change.
func (s *Store) nextChange() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

// noteChange tells those who wait that what the queries return has changed.
func (s *Store) noteChange() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version++
	close(s.changed)
	s.changed = make(chan struct{})
}

// Close ends what Open began, and closes the database.
func (s *Store) Close() error {
	s.stop()
	s.work.Wait()
	return s.db.Close()
}

// openFile returns a database with the schema, and how far it has read the archive.
func openFile(path string) (*sql.DB, progress, error) {
	db, at, err := openDatabase(path)
	if err == nil || path == "" {
		return db, at, err
	}
	if err := removeFiles(path); err != nil {
		return nil, progress{}, err
	}
	return openDatabase(path)
}

var errOtherFormat = errors.New("the database is of another version")

func openDatabase(path string) (db *sql.DB, at progress, err error) {
	settings := url.Values{
		"_pragma": {"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(NORMAL)", "cache_size(-500)"},
	}
	name := fileName(path, settings)
	if path == "" {
		name = ":memory:"
	} else if err := makePrivate(path); err != nil {
		return nil, at, err
	}
	if db, err = sql.Open("sqlite", name); err != nil {
		return nil, at, err
	}
	connections := 2 // one that writes, and one for queries at the same time
	if path == "" {
		connections = 1 // each would have a database of its own
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	if at, err = prepareTables(db); err == nil {
		err = connect(db, connections)
	}
	if err != nil {
		return nil, at, errors.Join(err, db.Close())
	}
	return db, at, nil
}

// makePrivate creates the file of a database, and has only its user open that and those beside it: the data directory
// may be open to others. SQLite gives new files the mode of the first.
func makePrivate(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	err = f.Close()
	for _, name := range filesOf(path) {
		if failed := os.Chmod(name, 0o600); !errors.Is(failed, os.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	return err
}

// Remove deletes what was computed from the matches of a data directory whose server does not run. The next start
// computes it again.
func Remove(dir string) error { return removeFiles(filepath.Join(dir, FileName)) }

func removeFiles(path string) (err error) {
	for _, name := range filesOf(path) {
		if failed := os.Remove(name); !errors.Is(failed, os.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	return err
}

// filesOf returns the files that a database may have.
func filesOf(path string) []string { return []string{path, path + "-wal", path + "-shm"} }

// connect opens all connections now, so that their files do not take descriptors from players later.
func connect(db *sql.DB, n int) error {
	for range n {
		c, err := db.Conn(context.Background())
		if err != nil {
			return err
		}
		defer func() { _ = c.Close() }() // it stays open, for others to use
		var position uint64
		if err := c.QueryRowContext(context.Background(), `SELECT position FROM progress`).Scan(&position); err != nil {
			return err
		}
	}
	return nil
}

// fileName is how the driver names a file.
func fileName(path string, settings url.Values) string {
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + settings.Encode()
}

// progress is how far the archive was read: up to a match at a position, or not at all.
type progress struct {
	position uint64
	match    match.ID
	stamp    int64 // in nanoseconds: an archive that was filled again may have the same match at the same position
}

func progressOf(m match.ArchivedMatch) progress {
	at := progress{position: m.Position, match: m.ID}
	if !m.Stamp.IsZero() {
		at.stamp = m.Stamp.UnixNano()
	}
	return at
}

// prepareTables makes the tables of an empty database, checks those of another one, and returns how far the archive was
// read.
func prepareTables(db *sql.DB) (at progress, err error) {
	var tables, version int
	if err := db.QueryRow(`SELECT count(*) FROM sqlite_master`).Scan(&tables); err != nil {
		return at, err
	}
	if tables == 0 {
		if _, err := db.Exec(schema); err != nil {
			return at, err
		}
		_, err := db.Exec(`INSERT INTO progress VALUES (?, 0, '', 0)`, format)
		return at, err
	}
	row := db.QueryRow(`SELECT format, position, match, stamp FROM progress`)
	if err := row.Scan(&version, &at.position, &at.match, &at.stamp); err != nil {
		return at, err
	}
	if version != format {
		return at, errOtherFormat
	}
	for _, table := range computed() {
		if err := db.QueryRow(`SELECT count(*) FROM (SELECT 1 FROM ` + table + ` LIMIT 1)`).Scan(&tables); err != nil {
			return at, err
		}
	}
	return at, nil
}

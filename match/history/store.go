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

	_ "modernc.org/sqlite" // the driver "sqlite"

	"notakto/match"
)

// format is the version of the schema and of the fold. A database of another version is deleted and filled again.
const format = 2

const schema = `
CREATE TABLE progress (format INTEGER NOT NULL, position INTEGER NOT NULL, match TEXT NOT NULL);
CREATE TABLE matches (
	position INTEGER PRIMARY KEY, match TEXT NOT NULL, variant TEXT NOT NULL, clock TEXT NOT NULL,
	private INTEGER NOT NULL,
	first TEXT NOT NULL, first_name TEXT NOT NULL, second TEXT NOT NULL, second_name TEXT NOT NULL,
	winner INTEGER NOT NULL, reason TEXT NOT NULL, plies INTEGER NOT NULL, ended INTEGER NOT NULL
);
CREATE TABLE played (
	player TEXT NOT NULL, position INTEGER NOT NULL, side INTEGER NOT NULL, PRIMARY KEY (player, position)
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
	Path    string        // of the database; empty for one in memory
	Archive match.Archive // nil to read only what the database has
	Log     *slog.Logger  // default: no log
	// Shown returns a player of an old match as the player is shown now. It must not block. Default: as recorded.
	Shown func(match.Player) match.Player
}

// Store is the history of all players. Its methods may be called from any goroutine.
type Store struct {
	db    *sql.DB
	log   *slog.Logger
	shown func(match.Player) match.Player
	stop  context.CancelFunc
	work  sync.WaitGroup

	current chan struct{} // closed once all that was in the archive at first has been read
}

// Open opens the database and begins to read the archive. A file that is damaged, of another version, or of another
// archive is deleted.
func Open(c Config) (*Store, error) {
	db, at, err := openFile(c.Path)
	if err != nil {
		return nil, fmt.Errorf("open the history: %w", err)
	}
	s := newStore(c, db)
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	s.work.Go(func() { follow(ctx, s, c.Archive, at) })
	return s, nil
}

// ErrNone says that a directory has no history that this version can read.
var ErrNone = errors.New("there is no history: run the server of this version there once")

// Read opens the database of a data directory to read what it has, also while a server uses it. [ErrNone].
func Read(dir string) (*Store, error) {
	path := filepath.Join(dir, FileName)
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, ErrNone)
	}
	db, err := sql.Open("sqlite", fileName(path, url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(5000)"}}))
	if err != nil {
		return nil, err
	}
	var version int
	if err := db.QueryRow(`SELECT format FROM progress`).Scan(&version); err != nil || version != format {
		return nil, errors.Join(fmt.Errorf("%s: %w", dir, ErrNone), db.Close())
	}
	return newStore(Config{Path: path}, db), nil
}

func newStore(c Config, db *sql.DB) *Store {
	s := &Store{db: db, log: c.Log, shown: c.Shown, stop: func() {}, current: make(chan struct{})}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.shown == nil {
		s.shown = func(p match.Player) match.Player { return p }
	}
	return s
}

// Current is closed once all that was in the archive when the store was opened has been read. Until then, which takes
// long after the database was deleted, queries return what has been read so far.
func (s *Store) Current() <-chan struct{} { return s.current }

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
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, progress{}, err
		}
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
	if at, err = readProgress(db); err == nil {
		err = connect(db, connections)
	}
	if err != nil {
		return nil, at, errors.Join(err, db.Close())
	}
	return db, at, nil
}

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
}

// readProgress reads how far the archive was read, and makes the tables of an empty database.
func readProgress(db *sql.DB) (at progress, err error) {
	var tables, version int
	if err := db.QueryRow(`SELECT count(*) FROM sqlite_master`).Scan(&tables); err != nil {
		return at, err
	}
	if tables == 0 {
		if _, err := db.Exec(schema); err != nil {
			return at, err
		}
		_, err := db.Exec(`INSERT INTO progress VALUES (?, 0, '')`, format)
		return at, err
	}
	if err := db.QueryRow(`SELECT format, position, match FROM progress`).Scan(&version, &at.position,
		&at.match); err != nil {
		return at, err
	}
	if version != format {
		return at, errOtherFormat
	}
	return at, nil
}

package store

import (
	"bufio"
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"notakto/match/internal/disk"
)

// FileName is the name of the database in a data directory.
const FileName = "notakto.db"

// ErrNetworkFileSystem says that SQLite would lose data in a directory, because the locks of its file system do not
// work.
var ErrNetworkFileSystem = errors.New("a database cannot be on a network file system: name a directory on a local disk")

// ErrOldData says that a directory has data of release 1.0.
var ErrOldData = errors.New("the directory has the data of release 1.0: write it to a file with notakto export --all " +
	"of that release, then import the file into a new directory with notakto import")

func hasOldData(dir string) bool {
	_, databaseErr := os.Lstat(filepath.Join(dir, FileName))
	_, journalErr := os.Lstat(filepath.Join(dir, "journal"))
	return errors.Is(databaseErr, fs.ErrNotExist) && journalErr == nil
}

// sqliteReaders is the number of connections for reading.
const sqliteReaders = 2

type sqliteEngine struct {
	path    string
	lock    io.Closer
	writer  *sql.DB
	readers *sqliteReadPool // nil if the file system has no shared memory. The method read then uses conn.

	connMu   sync.Mutex           // guards conn and prepared, and is held from begin to commit or rollback
	conn     *sql.Conn            // the only connection of writer
	prepared map[string]*sql.Stmt // by the text of a statement or query
}

func openSQLite(ctx context.Context, dir string, log *slog.Logger) (_ *sqliteEngine, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, FileName)
	if hasOldData(dir) {
		return nil, fmt.Errorf("%w (%s)", ErrOldData, dir)
	}
	lock, err := disk.Lock(dir)
	if err != nil {
		return nil, err
	}
	e := &sqliteEngine{path: path, lock: lock, prepared: make(map[string]*sql.Stmt)}
	defer func() {
		if err != nil {
			err = errors.Join(err, e.close())
		}
	}()
	if name := disk.NetworkFileSystem(dir); name != "" {
		return nil, fmt.Errorf("%s: %w (%s)", dir, ErrNetworkFileSystem, name)
	}
	if err := cmp.Or(checkWAL(path+"-wal"), makePrivate(path), removeBackupWork(dir)); err != nil {
		return nil, err
	}
	err = e.connect(ctx, path, "NORMAL")
	if isSharedMemoryMissing(err) {
		missing := err
		if err = e.connect(ctx, path, "EXCLUSIVE"); err == nil {
			log.Warn("the file system has no shared memory: reading the database waits for writing",
				"event", "store-exclusive", "path", path, "error", missing)
		}
	} else if err == nil {
		var pool *sql.DB
		pool, err = openPool(path, url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(5000)"}}, sqliteReaders)
		if err == nil {
			e.readers = newSQLiteReadPool(pool)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return e, nil
}

// removeBackupWork removes the copies of interrupted backups, because a copy is as large as the database.
func removeBackupWork(dir string) error {
	left, err := fs.Glob(os.DirFS(dir), backupWork)
	for _, name := range left {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, name)))
	}
	return err
}

// connect opens the connection that writes, and creates or migrates the tables.
//
// SQLite needs the locking mode before the journal mode. connect executes the pragmas itself, because the driver would
// sort pragmas in the data source name.
func (e *sqliteEngine) connect(ctx context.Context, path, locking string) error {
	writer, err := openPool(path, nil, 1)
	if err != nil {
		return err
	}
	conn, err := writer.Conn(ctx)
	if err != nil {
		return errors.Join(err, writer.Close())
	}
	_, err = conn.ExecContext(ctx, `PRAGMA busy_timeout = 5000; PRAGMA locking_mode = `+locking+`;
		PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -8000;
		PRAGMA journal_size_limit = 8000000`) // shrinks a large WAL, because a start after a crash reads all of it
	if err == nil {
		err = e.migrate(ctx, conn)
	}
	if err != nil {
		return errors.Join(err, conn.Close(), writer.Close())
	}
	e.writer, e.conn = writer, conn
	return nil
}

func (e *sqliteEngine) migrate(ctx context.Context, conn *sql.Conn) (err error) {
	var isThere bool
	var version int64
	err = conn.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'head')`).Scan(&isThere)
	if err == nil && isThere {
		err = conn.QueryRowContext(ctx, `SELECT version FROM head`).Scan(&version)
	}
	if err != nil {
		return err
	}
	todo, err := pending(version)
	if err != nil {
		return err
	}
	for _, text := range todo {
		if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE;\n"+inSQLite(text)+"COMMIT"); err != nil {
			_, _ = conn.ExecContext(ctx, "ROLLBACK")
			return fmt.Errorf("migrate the database from version %d: %w", version, err)
		}
		version++
	}
	return nil
}

func openPool(path string, settings url.Values, connections int) (*sql.DB, error) {
	name := "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + settings.Encode()
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}

// makePrivate creates the file of a database if it is missing, and lets only the owner read and write the files of
// the database. Other users may have access to the data directory. SQLite gives new files beside the database the mode
// of the database.
func makePrivate(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	err = f.Close()
	for _, name := range [...]string{path, path + "-wal", path + "-shm"} {
		if failed := os.Chmod(name, 0o600); !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	return err
}

func isSharedMemoryMissing(err error) bool {
	var failed *sqlite.Error
	if !errors.As(err, &failed) {
		return false
	}
	switch failed.Code() {
	case sqlite3.SQLITE_IOERR_SHMOPEN, sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_SHMLOCK,
		sqlite3.SQLITE_IOERR_SHMMAP, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PROTOCOL:
		return true
	}
	return false
}

func (e *sqliteEngine) isShared() bool { return false }

func (e *sqliteEngine) name() string { return "sqlite" }

func (e *sqliteEngine) listen(context.Context, func(int64)) {}

// exec executes a statement and keeps it prepared. exec takes no context, because a local disk needs no deadline.
func (e *sqliteEngine) exec(query string, args ...any) error {
	s, err := e.prepare(query)
	if err == nil {
		_, err = s.Exec(args...)
	}
	return err
}

func (e *sqliteEngine) prepare(query string) (*sql.Stmt, error) {
	if s := e.prepared[query]; s != nil {
		return s, nil
	}
	s, err := e.conn.PrepareContext(context.Background(), statement(query).sqlite())
	if err == nil {
		e.prepared[query] = s
	}
	return s, err
}

func (e *sqliteEngine) begin(_ context.Context, questions []question) (h head, err error) {
	e.connMu.Lock()
	defer func() {
		if err != nil {
			e.rollback()
		}
	}()
	if err := e.exec(`BEGIN IMMEDIATE`); err != nil {
		return h, err
	}
	for _, q := range questions {
		for _, row := range q.rows {
			if err := e.query(pipelinedQuery{string(q.statement), row, q.answer}); err != nil {
				return h, err
			}
		}
	}
	return e.scanHead()
}

func (e *sqliteEngine) readHead(context.Context) (head, error) {
	e.connMu.Lock()
	defer e.connMu.Unlock()
	return e.scanHead()
}

func (e *sqliteEngine) scanHead() (h head, err error) {
	s, err := e.prepare(selectHead)
	if err != nil {
		return h, err
	}
	return h, s.QueryRow().Scan(&h.position, &h.clock, &h.version)
}

func (e *sqliteEngine) runQueries(_ context.Context, queries ...pipelinedQuery) error {
	for _, q := range queries {
		if err := e.query(q); err != nil {
			return err
		}
	}
	return nil
}

func (e *sqliteEngine) query(q pipelinedQuery) (err error) {
	s, err := e.prepare(q.text)
	if err != nil {
		return err
	}
	rows, err := s.Query(q.args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := q.answer(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (e *sqliteEngine) write(_ context.Context, b *batch) error {
	for _, s := range b.statements {
		for _, row := range b.rows[s] {
			if err := e.exec(string(s), row...); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *sqliteEngine) disableTimeouts(context.Context) error { return nil } // its statements have no timeout

func (e *sqliteEngine) commit(ctx context.Context, b *batch, h head) (isUnknown bool, err error) {
	if err := e.write(ctx, b); err != nil {
		return false, err
	}
	if err := e.exec(updateHead, h.position, h.clock); err != nil {
		return false, err
	}
	if err := e.exec(`COMMIT`); err != nil {
		return false, err
	}
	e.connMu.Unlock()
	return false, nil
}

// rollback ignores the error of ROLLBACK, because SQLite may have rolled back by itself.
func (e *sqliteEngine) rollback() {
	_ = e.exec(`ROLLBACK`)
	e.connMu.Unlock()
}

// settle is never called, because commit knows its outcome.
func (e *sqliteEngine) settle(context.Context, row) (bool, error) { return false, nil }

// ErrUnreadable says that SQLite cannot read its file. Either the disk fails, or the file is damaged. SQLite reports
// both alike.
var ErrUnreadable = errors.New("the database cannot be read: look for errors of the disk in the system's log, and if " +
	"there are none restore a backup")

func isDamage(err error) bool {
	code := codeOf(err)
	return code == sqlite3.SQLITE_CORRUPT || code == sqlite3.SQLITE_NOTADB
}

// codeOf returns the primary result code of an error of SQLite, 0 for another error.
func codeOf(err error) int {
	var failed *sqlite.Error
	if !errors.As(err, &failed) {
		return 0
	}
	return failed.Code() & 0xff
}

func (e *sqliteEngine) reason(err error) string {
	if codeOf(err) == sqlite3.SQLITE_FULL {
		return "the disk is full"
	}
	return ""
}

func (e *sqliteEngine) isBadValue(err error) bool {
	switch codeOf(err) {
	case sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_MISMATCH:
		return true
	}
	return false
}

func (e *sqliteEngine) read(ctx context.Context, fn func(querier) error) error {
	if e.readers != nil {
		return e.readers.do(ctx, fn)
	}
	e.connMu.Lock()
	defer e.connMu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	return fn(e.conn)
}

// sqliteReadPool is a querier that keeps every query prepared, because SQLite takes longer to parse a short query than
// to run it. The number of texts is small: a query has one, or one for each number of its parameters.
//
// The method do runs queries on sqliteReaders goroutines, from newSQLiteReadPool to Close. SQLite needs a stack of 16
// KB or more, to which the stack of each new session would have to grow. A snapshot runs on its caller's goroutine.
type sqliteReadPool struct {
	*sql.DB
	prepared sync.Map // from the text of a query to its *sql.Stmt

	jobs    chan func()
	closed  chan struct{}
	running sync.WaitGroup
}

func newSQLiteReadPool(db *sql.DB) *sqliteReadPool {
	p := &sqliteReadPool{DB: db, jobs: make(chan func()), closed: make(chan struct{})}
	for range sqliteReaders {
		p.running.Go(func() {
			for {
				select {
				case job := <-p.jobs:
					job()
				case <-p.closed:
					return
				}
			}
		})
	}
	return p
}

// do calls fn on a goroutine of the pool. fn must not call do. A panic of fn becomes a panic of do. The error is that
// of fn, of ctx while all goroutines are busy, or sql.ErrConnDone after Close.
func (p *sqliteReadPool) do(ctx context.Context, fn func(querier) error) (err error) {
	var fault any
	done := make(chan struct{})
	job := func() {
		defer close(done)
		defer func() { fault = recover() }()
		err = fn(p)
	}
	select {
	case p.jobs <- job:
		<-done
	case <-p.closed:
		return sql.ErrConnDone
	case <-ctx.Done():
		return ctx.Err()
	}
	if fault != nil {
		panic(fault)
	}
	return err
}

// Close waits for the calls of do that run.
func (p *sqliteReadPool) Close() error {
	close(p.closed)
	p.running.Wait()
	return p.DB.Close()
}

func (p *sqliteReadPool) prepare(ctx context.Context, query string) (*sql.Stmt, error) {
	if known, ok := p.prepared.Load(query); ok {
		return known.(*sql.Stmt), nil
	}
	s, err := p.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	if known, ok := p.prepared.LoadOrStore(query, s); ok { // another goroutine was first
		return known.(*sql.Stmt), s.Close()
	}
	return s, nil
}

func (p *sqliteReadPool) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	s, err := p.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(ctx, args...)
}

func (p *sqliteReadPool) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	s, err := p.prepare(ctx, query)
	if err != nil {
		return p.DB.QueryRowContext(ctx, query, args...) // returns the error in the row
	}
	return s.QueryRowContext(ctx, args...)
}

func (e *sqliteEngine) snapshot(ctx context.Context, fn func(querier) error) (err error) {
	if e.readers == nil {
		return e.read(ctx, fn)
	}
	tx, err := e.readers.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	return errors.Join(fn(tx), tx.Rollback())
}

func (e *sqliteEngine) measure(context.Context) (f facts, err error) {
	for _, path := range [...]string{e.path, e.path + "-wal"} {
		stat, err := os.Stat(path)
		if err != nil {
			return f, err
		}
		f.size += stat.Size()
	}
	f.free, err = disk.Free(filepath.Dir(e.path))
	return f, err
}

// close closes the readers before the writer. The last connection to close moves the WAL into the database and removes
// the file. Only the writer can do so, and only without an open statement.
func (e *sqliteEngine) close() (err error) {
	if e.readers != nil {
		err = e.readers.Close()
	}
	for _, s := range e.prepared {
		err = errors.Join(err, s.Close())
	}
	if e.conn != nil {
		err = errors.Join(err, e.conn.Close(), e.writer.Close())
	}
	return errors.Join(err, e.lock.Close())
}

// ErrDamagedWAL says that SQLite would silently leave out commits that it has acknowledged. SQLite reads the
// WAL (write-ahead log), the file with the suffix -wal, only up to the first damaged frame.
var ErrDamagedWAL = errors.New("the database's log is damaged in the middle, and what was recorded after that cannot " +
	"be read: check the disk and restore a backup; to continue with the records before the damage, move this " +
	"file away and start again")

// Sizes and numbers of the WAL, from https://www.sqlite.org/fileformat2.html#walformat.
const (
	walHeaderSize   = 32
	frameHeaderSize = 24
	// walMagic begins a WAL with little-endian checksums. walMagic+1 begins a WAL with big-endian checksums.
	walMagic = 0x377f0682
)

// checkWAL returns [ErrDamagedWAL] if the WAL at path has lost an acknowledged commit. The file may be missing. Damage
// in the last transaction is no error, because a crash may have ended that transaction before its acknowledgement.
//
// A transaction begins only when the commit before it is on the disk. A frame after a commit therefore proves that
// the commit was on the disk, and SQLite must be able to read that commit.
func checkWAL(path string) (err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	in := bufio.NewReaderSize(f, 1<<20)
	header := make([]byte, walHeaderSize)
	if _, err := io.ReadFull(in, header); err != nil {
		return nil //nolint:nilerr // nothing was written yet
	}
	var words binary.ByteOrder = binary.LittleEndian
	if binary.BigEndian.Uint32(header)&1 != 0 {
		words = binary.BigEndian
	}
	pageBytes := binary.BigEndian.Uint32(header[8:])
	if pageBytes < 512 || pageBytes > 1<<16 {
		pageBytes = 4096 // the header is damaged, and pages of a new database have 4096 bytes
	}
	salts := [8]byte(header[16:24])
	var sum walSum
	sum.add(words, header[:24])
	isWhole := sum.matches(header[24:32]) && binary.BigEndian.Uint32(header)&^1 == walMagic
	isSalted := isWhole // the salts are known. Otherwise the salts of the first frame are taken.
	frame := make([]byte, frameHeaderSize+int(pageBytes))
	hasUnreadCommit := false // the last frame with these salts ends a transaction that SQLite will not read
	for {
		if _, err := io.ReadFull(in, frame); err != nil {
			return nil //nolint:nilerr // the end, perhaps of a frame that was being written
		}
		if !isSalted {
			salts, isSalted = [8]byte(frame[8:16]), true
		}
		if [8]byte(frame[8:16]) != salts {
			isWhole = false // a frame that is older than the header, or damage
			continue
		}
		if hasUnreadCommit {
			return fmt.Errorf("%s: %w", path, ErrDamagedWAL)
		}
		if isWhole {
			sum.add(words, frame[:8])
			sum.add(words, frame[frameHeaderSize:])
			isWhole = sum.matches(frame[16:24])
		}
		isCommit := binary.BigEndian.Uint32(frame[4:]) != 0 // the last frame of a transaction
		hasUnreadCommit = !isWhole && isCommit
	}
}

// walSum is the checksum of the header and all frames until now.
type walSum [2]uint32

func (w *walSum) add(words binary.ByteOrder, b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		w[0] += words.Uint32(b) + w[1]
		w[1] += words.Uint32(b[4:]) + w[0]
	}
}

func (w *walSum) matches(b []byte) bool {
	return w[0] == binary.BigEndian.Uint32(b) && w[1] == binary.BigEndian.Uint32(b[4:])
}

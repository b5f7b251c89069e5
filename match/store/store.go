package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"notakto/match"
	"notakto/match/internal/disk"
)

// Config configures a [Store].
type Config struct {
	Dir string       // data directory, which one process uses at a time; the SQLite database is in it
	URL string       // of a PostgreSQL database, which several servers may share; then Dir need not exist
	Log *slog.Logger // default: no log
}

// Store is a [match.Store]. [Store.Accounts], [Store.Audit] and [Store.History] return its
// other parts. Its methods may be called from any goroutine.
type Store struct {
	engine  engine
	log     *slog.Logger
	clock   *clock
	history History
	stats   *Stats

	queue chan *request
	wake  chan struct{} // other servers may have written
	quit  chan struct{}
	lost  chan struct{}
	close func() error
	work  sync.WaitGroup

	delivered atomic.Int64              // the position up to which rows were delivered
	failing   atomic.Pointer[time.Time] // when writing began to fail; nil while it works

	// Only the committing goroutine uses these after the start.
	version  int64  // of the schema
	identity string // of the database server at the last look
	loss     error  // wraps ErrLostCommits once commits are lost, after which nothing is written

	mu     sync.Mutex // guards memory, revision and held; held while subscribers are called
	memory memory
	// These are used if entries are in memory only.
	revision uint64          // of the newest entry
	held     map[string]bool // the keys of entries that the group under way is about to change
}

// ErrLostCommits says that the database lacks commits that it had acknowledged to this server: an older copy, or a
// standby that was behind, took its place.
var ErrLostCommits = errors.New("the database has lost what it had acknowledged: restart this server")

// Open opens the database, creates or migrates its tables, and reads all live matches, accounts and entries into
// memory.
//
// Errors with SQLite: [disk.ErrLocked], [ErrOldData], [ErrUnreadable], [ErrDamagedWAL], [ErrNetworkFileSystem]. With
// PostgreSQL: [disk.ErrLocked], [ErrDatabaseURL], [ErrOldPostgres]. With both: [ErrNewerSchema].
func Open(ctx context.Context, c Config) (s *Store, err error) {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.URL == "" {
		e, err := openSQLite(ctx, c.Dir, c.Log)
		if err == nil {
			s, err = start(ctx, e, c.Log)
		}
		if isDamage(err) {
			err = fmt.Errorf("%s: %w (%w)", filepath.Join(c.Dir, FileName), ErrUnreadable, err)
		}
		return s, err
	}
	lock, err := disk.Lock(c.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	e, err := openPostgres(ctx, c.URL, c.Log)
	if err != nil {
		if lock != nil {
			err = errors.Join(err, lock.Close())
		}
		return nil, advised(err)
	}
	e.lock = lock
	s, err = start(ctx, e, c.Log)
	return s, advised(err)
}

// start loads a store from an open engine and starts its goroutines. It closes the engine after an error.
func start(ctx context.Context, e engine, log *slog.Logger) (*Store, error) {
	s := &Store{
		engine: e, log: log,
		memory: memory{log: log, live: make(map[match.ID]*liveMatch), entries: make(map[string]match.Entry)},
		queue:  make(chan *request, maxGroup), wake: make(chan struct{}, 1), quit: make(chan struct{}),
		lost: make(chan struct{}), held: make(map[string]bool),
	}
	s.history.store = s
	s.stats = newStats(e.name(), s.lost)
	if err := s.load(ctx); err != nil {
		return nil, errors.Join(err, e.close())
	}
	s.stats.measure(ctx, e)
	s.work.Go(s.run)
	listening, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.close = sync.OnceValue(func() error {
		close(s.quit)
		stop()
		s.work.Wait()
		return e.close()
	})
	s.work.Go(func() { e.listen(listening, s.wakeUp) })
	s.work.Go(func() { s.stats.keepMeasuring(listening, e) })
	return s, nil
}

// wakeUp tells the committing goroutine that a server has written up to a position; 0 if the position is unknown.
func (s *Store) wakeUp(position int64) {
	if position != 0 && position <= s.delivered.Load() {
		return // it was delivered already
	}
	select {
	case s.wake <- struct{}{}:
	default: // the committing goroutine has yet to receive an earlier one
	}
}

// load fills the memory of the server from one snapshot of the database, and sets the clock.
func (s *Store) load(ctx context.Context) error {
	looked, err := s.engine.look(ctx)
	if err != nil {
		return err
	}
	s.identity = looked.identity
	return s.engine.snapshot(ctx, func(db querier) error {
		var h head
		if err := db.QueryRowContext(ctx, selectHead).Scan(&h.position, &h.clock, &h.version); err != nil {
			return err
		}
		s.version = h.version
		if ahead := time.Until(time.UnixMicro(h.clock)); ahead > time.Minute {
			s.log.Warn("the last record is of the future: the clock goes on from there", "event", "store-clock-ahead",
				"ahead", ahead.Round(time.Second))
		}
		s.clock = newClock(time.UnixMicro(h.clock))
		if looked.now != 0 {
			s.clock.set(time.UnixMicro(looked.now))
		}
		s.clock.pass(time.UnixMicro(h.clock))
		err := each(ctx, db, selectCurrent, nil, func(scan scan) error {
			var r row
			err := r.read(scan)
			s.memory.deliver(r)
			return err
		})
		if err != nil {
			return err
		}
		s.memory.forgetEntries(s.clock.now())
		s.memory.position, s.memory.at, s.memory.isLoaded = h.position, 0, true
		s.delivered.Store(h.position)
		return s.history.ladders.read(ctx, db)
	})
}

// Close stops the store and closes the database. Calls that still wait return [match.ErrUnavailable].
func (s *Store) Close() error { return s.close() }

// Lost returns a channel that is closed when the database has lost commits. The server then has to be restarted. See
// [ErrLostCommits].
func (s *Store) Lost() <-chan struct{} { return s.lost }

// Now implements [match.Journal].
func (s *Store) Now() time.Time { return s.clock.now() }

// leastRoom is the free space of SQLite's disk, in bytes, below which commits may fail soon.
const leastRoom = 16 << 20

// trialSize is the length in bytes of the event that Check writes. Most events are shorter.
const trialSize = 8 << 10

// deleteTrial deletes the event that Check wrote. All other events have a position above 0.
const deleteTrial statement = `DELETE FROM event WHERE position = 0`

// checkTimeout is the time for Check or CatchUp. It is enough for a database to restart.
const checkTimeout = 5 * time.Second

// Check implements [match.Journal]. In a shared database, which has its disk and standby on other machines, Check
// writes head. While writing fails, or if the disk is nearly full, Check also writes and deletes an event, because head
// may fit where no event does. Otherwise it writes nothing with SQLite: a server without players lets the disk rest.
func (s *Store) Check(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, checkTimeout)
	defer stop()
	free, isKnown := s.stats.FreeBytes() // a file system that hangs must not hold up Check
	mustTry := s.failing.Load() != nil || !s.engine.isShared() && (!isKnown || free < leastRoom)
	if !mustTry && !s.engine.isShared() {
		return s.CatchUp(ctx) // waits for the commit under way, which may have no end
	}
	return s.do(ctx, &request{decide: func(g *group) error {
		g.isTouched = s.engine.isShared()
		if mustTry {
			body := make([]byte, trialSize)
			_, _ = rand.Read(body) // which cannot be compressed; never fails
			g.batch.add(eventRow.insert(), int64(0), "", int64(0), int64(0), body)
			g.batch.add(deleteTrial)
		}
		return nil
	}})
}

// CatchUp implements [match.Journal].
func (s *Store) CatchUp(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, checkTimeout)
	defer stop()
	return s.do(ctx, &request{})
}

// read calls fn with a querier on connections that do not hold up writing.
func (s *Store) read(ctx context.Context, fn func(querier) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.engine.read(ctx, fn)
}

// unavailableError is a [match.ErrUnavailable]. Its text is for players, so it leaves out the cause, which may name
// hosts and users.
type unavailableError struct {
	reason string
	cause  error
}

// Error implements error.
func (e *unavailableError) Error() string { return match.ErrUnavailable.Error() + ": " + e.reason }

// Unwrap lets [errors.Is] find [match.ErrUnavailable] and the cause.
func (e *unavailableError) Unwrap() []error { return []error{match.ErrUnavailable, e.cause} }

// unavailable wraps an error of the database so that it is a [match.ErrUnavailable]. It returns nil, [context.Canceled]
// and errors that are one already as they are.
func (s *Store) unavailable(err error) error {
	if err == nil || errors.Is(err, match.ErrUnavailable) || errors.Is(err, context.Canceled) {
		return err
	}
	reason := s.engine.reason(err)
	switch {
	case errors.Is(err, errClosed), errors.Is(err, ErrLostCommits), errors.Is(err, ErrNewerSchema):
		reason = "the server has to be restarted"
	case reason == "":
		reason = "the database does not answer"
	}
	return &unavailableError{reason, err}
}

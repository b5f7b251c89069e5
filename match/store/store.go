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
	Dir string       // data directory, which this process uses alone: of a SQLite database, or of a server with a URL
	URL string       // of a PostgreSQL database that several servers may share; then Dir may be missing
	Log *slog.Logger // default: no log
}

// Store is a [match.Journal] and a [match.Registry]. [Store.Accounts], [Store.Audit] and [Store.History] return what
// else it has. Its methods may be called from any goroutine.
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
	failing   atomic.Pointer[time.Time] // since when nothing could be written; nil if it can be

	version  int64  // of the schema
	identity string // of the database server, as the committing goroutine knows it
	loss     error  // why nothing is written any more; of the committing goroutine

	mu       sync.Mutex // of memory and revision; held while subscribers are called
	memory   memory
	revision uint64 // of the entries, if they are in memory only
}

// ErrLostCommits says that a database does not have what it had acknowledged to this server: an older copy or a
// standby that was behind took its place.
var ErrLostCommits = errors.New("the database has lost what it had acknowledged: restart this server")

// Open opens the database, and makes or migrates its tables. It returns once all live matches, accounts and entries
// have been read. [ErrNewerSchema], [ErrUnreadable], [ErrDamagedWAL], [ErrNetworkFileSystem], [disk.ErrLocked],
// [ErrDatabaseURL], [ErrOldPostgres].
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

// start returns a store on an open engine, which it closes after an error.
func start(ctx context.Context, e engine, log *slog.Logger) (*Store, error) {
	s := &Store{
		engine: e, log: log, memory: newMemory(log),
		queue: make(chan *request, maxGroup), wake: make(chan struct{}, 1), quit: make(chan struct{}),
		lost: make(chan struct{}),
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

// wakeUp has the goroutine that commits read what other servers have written up to a position.
func (s *Store) wakeUp(position int64) {
	if position != 0 && position <= s.delivered.Load() {
		return // this server has written it
	}
	select {
	case s.wake <- struct{}{}:
	default: // it is awake
	}
}

// load reads what a server has in memory, as it was at one moment.
func (s *Store) load(ctx context.Context) error {
	now, err := s.engine.look(ctx)
	if err != nil {
		return err
	}
	s.identity = now.identity
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
		if now.now != 0 {
			s.clock.set(time.UnixMicro(now.now))
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

// Close stops the store. Requests that wait are refused.
func (s *Store) Close() error { return s.close() }

// Lost is closed when the database turns out to have lost what it had acknowledged: [ErrLostCommits]. The server has to
// be restarted.
func (s *Store) Lost() <-chan struct{} { return s.lost }

// Now implements [match.Journal].
func (s *Store) Now() time.Time { return s.clock.now() }

// trialSize is the length of the event that a check writes: more than of most.
const trialSize = 8 << 10

// deleteTrial deletes the event of a check. Others have a position.
const deleteTrial statement = `DELETE FROM event WHERE position = 0`

// checkTimeout is the time for a check or for catching up, in which a database may restart.
const checkTimeout = 5 * time.Second

// Check implements [match.Journal]. It writes the time to a shared database, whose disk and standby are elsewhere.
// After a failure, or on a disk that is nearly full, it writes and deletes an event: the time may fit where no event
// does. Else it only waits for its turn, so that a server without players lets the disk rest.
func (s *Store) Check(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, checkTimeout)
	defer stop()
	mustTry := s.failing.Load() != nil || !s.engine.hasRoom()
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

// read calls fn with connections for queries.
func (s *Store) read(ctx context.Context, fn func(querier) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.engine.read(ctx, fn)
}

// unavailableError is a [match.ErrUnavailable] whose text is for players, and its cause, which is not: it may have
// names of hosts and users.
type unavailableError struct {
	reason string
	cause  error
}

// Error implements error.
func (e *unavailableError) Error() string { return match.ErrUnavailable.Error() + ": " + e.reason }

// Unwrap lets [errors.Is] find both.
func (e *unavailableError) Unwrap() []error { return []error{match.ErrUnavailable, e.cause} }

// unavailable returns the error for callers when the database fails.
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

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
	Dir string       // data directory with the SQLite database, for one process at a time
	URL string       // of a PostgreSQL database that several servers may share. Dir need not exist then.
	Log *slog.Logger // nil for no log
}

// Store implements [match.Store]. Its methods may be called from any goroutine.
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

	outages []match.Period // until the start of this store

	delivered atomic.Int64              // rows up to this position are delivered
	committed atomic.Int64              // time of the last commit in microseconds, 0 after an outage at the start
	checked   atomic.Int64              // time of the last Check in microseconds
	failing   atomic.Pointer[time.Time] // when writing began to fail, nil while it works
	days      sync.Map                  // the *dayResults of each day

	// After the start, only the committing goroutine uses version, identity and loss.
	version  int64  // of the schema
	identity string // of the database server at the last begin or readHead
	loss     error  // wraps ErrLostCommits once commits are lost, and ends all writing

	mu     sync.Mutex // guards memory, revision and held. Subscribers are called with mu held.
	memory memory
	// revision and held matter only with SQLite, where entries are in memory only.
	revision uint64          // of the newest entry
	held     map[string]bool // keys of entries that the current group is about to change
}

// ErrLostCommits says that the database lacks commits that it had acknowledged to this server. An older copy has
// taken its place, or a standby that was behind.
var ErrLostCommits = errors.New("the database has lost what it had acknowledged: restart this server")

// Open opens the database, creates or migrates its tables, and reads the live matches, accounts, entries and
// ladders into memory.
//
// With either database, Open returns [disk.ErrLocked] or [ErrNewerSchema]. [ErrOldData], [ErrUnreadable],
// [ErrDamagedWAL] and [ErrNetworkFileSystem] come only with SQLite, [ErrDatabaseURL] and [ErrOldPostgres] only with
// PostgreSQL. Other errors come from the file system and the database.
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
		return nil, withAdvice(err)
	}
	e.lock = lock
	s, err = start(ctx, e, c.Log)
	return s, withAdvice(err)
}

// start loads a store from e and starts its goroutines. After an error start closes e.
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
		if !e.isShared() && s.checked.Load() > s.committed.Load() { // a server ran, not only a command
			_, _ = s.try([]*request{{decide: writeHead, done: make(chan error, 1)}})
		}
		return e.close()
	})
	s.work.Go(func() { e.listen(listening, s.wakeUp) })
	s.work.Go(func() { s.stats.keepMeasuring(listening, e) })
	if err := s.loadOutages(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// wakeUp tells the committing goroutine that another server has written. position is that of the server's last row, 0
// if unknown.
func (s *Store) wakeUp(position int64) {
	if position != 0 && position <= s.delivered.Load() {
		return
	}
	select {
	case s.wake <- struct{}{}:
	default: // an earlier wake is still waiting
	}
}

func (s *Store) load(ctx context.Context) error {
	current, err := s.engine.readHead(ctx)
	if err != nil {
		return err
	}
	s.identity = current.identity
	return s.engine.snapshot(ctx, func(db querier) error {
		var h head
		if err := db.QueryRowContext(ctx, selectHead).Scan(&h.position, &h.clock, &h.version); err != nil {
			return err
		}
		s.version = h.version
		if ahead := time.Until(time.UnixMicro(h.clock)); ahead > time.Minute {
			s.log.Warn("the last record has a time in the future: the clock continues from there", "event", "store-clock-ahead",
				"ahead", ahead.Round(time.Second))
		}
		s.clock = newClock(time.UnixMicro(h.clock))
		if current.now != 0 {
			s.clock.set(time.UnixMicro(current.now))
		}
		s.clock.advance(time.UnixMicro(h.clock))
		if now := s.clock.now(); s.isOutage(h.clock, now.UnixMicro()) {
			s.outages = []match.Period{{From: time.UnixMicro(h.clock), To: now}}
		} else {
			s.committed.Store(h.clock)
		}
		err := each(ctx, db, selectCurrent, nil, func(scan scan) error {
			var r row
			if err := r.read(scan); err != nil {
				return err
			}
			s.memory.deliver(r)
			return nil
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

// Lost returns a channel that is closed when the database has lost commits (see [ErrLostCommits]). The server must
// then be restarted.
func (s *Store) Lost() <-chan struct{} { return s.lost }

// Now implements [match.Journal].
func (s *Store) Now() time.Time { return s.clock.now() }

// leastRoom is the free disk space in bytes that SQLite needs. With less, commits may fail soon.
const leastRoom = 16 << 20

// trialSize is the length in bytes of the event that Check writes. Most events are shorter.
const trialSize = 8 << 10

// deleteTrial deletes the event that Check writes. Other events have a position above 0.
const deleteTrial statement = `DELETE FROM event WHERE position = 0`

// checkTimeout limits Check and CatchUp. A database can restart within this time.
const checkTimeout = 5 * time.Second

// Check implements [match.Journal]. Check writes head to a shared database, because only a commit proves that the
// remote disk and standby work. With SQLite, Check writes head only when aliveEvery has passed since the last commit,
// to let the disk of an idle server rest.
//
// Check also writes and deletes an event while writing fails, or while SQLite's free space is small or unknown. The
// reason is that head may fit where no event does.
func (s *Store) Check(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, checkTimeout)
	defer stop()
	free, isKnown := s.stats.FreeBytes() // reads no disk, because a file system that hangs must not hold up Check
	now := s.Now().UnixMicro()
	s.checked.Store(now)
	mustWriteHead := s.engine.isShared() || now-s.committed.Load() >= aliveEvery.Microseconds()
	mustTry := s.failing.Load() != nil || !s.engine.isShared() && (!isKnown || free < leastRoom)
	if !mustTry && !mustWriteHead {
		return s.CatchUp(ctx) // waits for the commit under way, and fails if that commit hangs
	}
	return s.do(ctx, &request{decide: func(g *group) error {
		g.mustWriteHead = mustWriteHead
		if mustTry {
			body := make([]byte, trialSize)
			_, _ = rand.Read(body) // random bytes cannot be compressed
			g.batch.add(eventRow.insertStatement(), int64(0), "", int64(0), int64(0), body)
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

func (s *Store) read(ctx context.Context, fn func(querier) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.engine.read(ctx, fn)
}

// unavailableError is a [match.ErrUnavailable]. Its text is for players and leaves out the cause, because a cause
// may name hosts and users.
type unavailableError struct {
	reason string
	cause  error
}

func (e *unavailableError) Error() string { return match.ErrUnavailable.Error() + ": " + e.reason }

func (e *unavailableError) Unwrap() []error { return []error{match.ErrUnavailable, e.cause} }

// unavailable wraps an error of the database as a [match.ErrUnavailable]. nil, [context.Canceled] and errors that
// already are an ErrUnavailable stay as they are.
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

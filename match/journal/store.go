package journal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"notakto/match"
)

// Store is a [match.Journal] and a [match.Registry] on NATS JetStream.
type Store struct {
	cfg         Config
	run         string  // of this process, for the other nodes of a cluster
	roster      *roster // of the embedded server; nil at an outside NATS
	wasMember   bool    // of its cluster, when this process started
	lock        io.Closer
	scratch     string // of an embedded server that keeps everything in memory
	embedded    *embeddedServer
	diskMonitor *diskMonitor // nil without files of our own
	checkpoint  *checkpoint  // nil without files of our own, and in a cluster
	conn        *nats.Conn
	searches    *nats.Conn // of the archive
	js          jetstream.JetStream

	publisher *publisher
	committer *committer
	index     *index
	registry  *registry
	clock     clock
	names     *names // of the archive

	archiveEnd atomic.Uint64 // the last sequence of ARCHIVE that is known here

	stop   context.CancelFunc
	work   sync.WaitGroup
	closed sync.Once
}

// Open starts what cfg names and returns when all that was recorded can be read. ctx bounds that; [Store.Close] ends
// it.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	s := newStore(cfg, newClock())
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open the journal: %w", err), s.Close())
	}
	return s, nil
}

func newStore(cfg Config, c clock) *Store {
	return &Store{
		cfg: cfg.withDefaults(), run: newRun(), clock: c, index: newIndex(c), registry: newRegistry(), names: newNames(),
	}
}

func (s *Store) open(ctx context.Context) error {
	if err := s.cfg.check(); err != nil {
		return err
	}
	if err := s.startEmbedded(ctx); err != nil {
		return err
	}
	if err := s.connect(); err != nil {
		return err
	}
	var err error
	if s.js, err = jetstream.New(s.conn); err != nil {
		return err
	}
	if s.cfg.Outside.URL != "" {
		if err := s.checkOutside(ctx); err != nil {
			return err
		}
	}
	s.publisher = newPublisher(s.conn, s.diskMonitor)
	s.committer = newCommitter(s.publisher, !s.cfg.syncsEach())
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.stop = stop
	if s.cfg.Cluster.Listen != "" {
		if err := serveInfo(s.conn, s.info); err != nil {
			return err
		}
		s.work.Go(func() { s.watch(running) })
	}
	if err := s.begin(ctx, running); err != nil {
		return err
	}
	return s.ready(ctx)
}

// begin makes the streams where they are missing and follows them, until running ends.
func (s *Store) begin(ctx, running context.Context) error {
	infos, err := s.ensureAll(ctx)
	if err != nil {
		return err
	}
	matches, archive := infos[matchesStream].State, infos[archiveStream].State
	s.archiveEnd.Store(archive.LastSeq)
	archiver := newArchiver(s, s.cfg.Log)
	s.index.due = archiver.add
	followers := []*follower{
		newFollower(s.conn, s.cfg.Log, s.clock, archiveStream, s.names.end(archive.LastSeq)+1, s.archived),
		newFollower(s.conn, s.cfg.Log, s.clock, matchesStream, 1, s.index.deliver),
		newFollower(s.conn, s.cfg.Log, s.clock, registryStream, 1, s.registry.deliver),
	}
	followers[2].mend = s.mendRegistry
	if s.cfg.Outside.URL != "" {
		followers[0].mend = s.mendLog(infos[archiveStream], s.loseRecords)
		followers[1].mend = s.mendLog(infos[matchesStream], s.loseEvents)
	}
	for _, f := range followers {
		s.work.Go(func() { f.run(running) })
	}
	s.conn.SetReconnectHandler(func(*nats.Conn) {
		for _, f := range followers {
			f.restart() // its consumer may have died with the server
		}
	})
	for _, f := range followers {
		select {
		case <-f.caught:
		case <-ctx.Done():
			return fmt.Errorf("the stream %s is not read through: %w", f.stream, ctx.Err())
		}
	}
	if err := s.audit(ctx, archive); err != nil {
		return err
	}
	s.index.setLoaded(matches.LastSeq)
	s.checkpoint.archive(archive.LastSeq)
	s.work.Go(func() { s.committer.run(running) })
	if s.diskMonitor != nil {
		s.work.Go(func() { s.diskMonitor.run(running) })
	}
	s.work.Go(func() { archiver.run(running) })
	return nil
}

// archived takes a message of ARCHIVE.
func (s *Store) archived(m message) {
	if id, err := recordID(m.body); err == nil {
		s.names.add(id, m.seq)
	}
	if m.seq <= s.archiveEnd.Load() {
		return // it was there when the journal was opened, and nothing of it is live
	}
	s.archiveEnd.Store(m.seq)
	s.checkpoint.archive(m.seq)
	r, err := decodeRecord(m.body)
	if errors.Is(err, match.ErrNewer) {
		s.cfg.Log.Warn("a finished match was written by a newer version of the program: it is left as it is, and not shown", "sequence", m.seq)
		return
	}
	if err != nil {
		s.cfg.Log.Error("a record of the archive cannot be read", "subject", m.subject, "sequence", m.seq, "err", err)
		return
	}
	s.index.finish(r)
}

// Close stops everything that [Open] started, and returns when it has ended. A second time it does nothing.
func (s *Store) Close() (err error) {
	s.closed.Do(func() { err = s.closeOnce() })
	return err
}

func (s *Store) closeOnce() error {
	if s.stop != nil {
		s.stop()
	}
	s.work.Wait()
	for _, conn := range []*nats.Conn{s.conn, s.searches} {
		if conn != nil {
			conn.Close()
		}
	}
	if s.embedded != nil {
		s.embedded.stop()
	}
	var err error
	if s.checkpoint != nil {
		err = s.checkpoint.file.Close()
	}
	if s.lock != nil {
		err = errors.Join(err, s.lock.Close())
	}
	if s.scratch != "" {
		err = errors.Join(err, os.RemoveAll(s.scratch))
	}
	return err
}

// Subscribe implements [match.Journal].
func (s *Store) Subscribe(fn func(match.Event)) (stop func()) { return s.index.subscribe(fn) }

// Now implements [match.Journal].
func (s *Store) Now() time.Time { return s.clock.now() }

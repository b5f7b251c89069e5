package journal

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/journal/internal/codec"
	"notakto/match/journal/internal/disk"
	"notakto/match/journal/natsd"
)

// Store is a [match.Journal], a [match.Archive] and a [match.Registry] on NATS JetStream.
type Store struct {
	archiveReader
	node       *natsd.Node
	registry   *registry
	people     *people
	accounts   *account.Directory
	clock      clock
	index      *index
	archiver   *archiver
	committer  *committer
	checkpoint *checkpoint // nil without files of our own, and in a cluster
	openIndex  func() match.ArchiveIndex

	stats *Stats

	stop   context.CancelFunc
	work   sync.WaitGroup
	closed sync.Once
}

// Open opens the store that cfg describes, and returns when all that was recorded can be read. ctx bounds that only.
// The names of the finished matches that an index has are not kept in memory. openIndex returns the index, or nil for
// none; it is called once the directory is locked. openIndex may be nil.
func Open(ctx context.Context, cfg natsd.Config, openIndex func() match.ArchiveIndex) (*Store, error) {
	s := newStore(cfg, newClock())
	s.openIndex = openIndex
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open the journal: %w", err), s.Close())
	}
	return s, nil
}

func newStore(cfg natsd.Config, c clock) *Store {
	n, v := natsd.NewNode(cfg, c.now), newIndex(c)
	return &Store{
		node: n, clock: c, index: v, stats: newStats(n),
		registry: newRegistry(n, c), people: newPeople(n),
		archiveReader: archiveReader{c, &archive{node: n, names: newNames(nil), index: v}},
	}
}

func (s *Store) open(ctx context.Context) error {
	if err := s.node.Prepare(ctx); err != nil {
		return err
	}
	if s.openIndex != nil {
		s.archive.names = newNames(s.openIndex())
	}
	if err := s.readFiles(); err != nil {
		return err
	}
	if err := s.node.Start(ctx, s.registry.firstSeq); err != nil {
		return err
	}
	p := newPublisher(s.node.JetStream)
	s.registry.publisher, s.people.publisher = p, p
	s.committer = p.newCommitter(!s.node.Config.SyncsEach())
	s.archiver = s.archive.newArchiver(p)
	s.index.due = s.archiver.add
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.stop = stop
	if s.node.Config.Cluster.Listen != "" {
		s.work.Go(func() { s.node.Watch(running) })
	}
	if err := s.follow(ctx, running); err != nil {
		return err
	}
	return s.node.Ready(ctx)
}

// readFiles opens the checkpoint of a server that is on its own, and repairs the files of an embedded server.
func (s *Store) readFiles() (err error) {
	if s.node.Monitor == nil {
		return nil
	}
	if s.node.Config.IsStandalone() {
		s.checkpoint, err = openCheckpoint(s.node.Path("tally"))
		if errors.Is(err, errCheckpoint) {
			s.node.Config.Log.Error("whether acknowledged events are missing from the journal cannot be told",
				"event", "checkpoint-unreadable", "error", err)
			err = nil
		}
		if err != nil {
			return err
		}
		s.index.checkpoint, s.archive.checkpoint = s.checkpoint, s.checkpoint
	}
	if s.archive.names.base > 0 {
		return s.node.Repair(nil) // the follower of ARCHIVE reads what the index has not
	}
	return s.node.Repair(s.archive.names.read)
}

// follow makes missing streams and follows all, until running ends. It returns when everything that was recorded has
// been delivered and audited.
func (s *Store) follow(ctx, running context.Context) error {
	n := s.node
	if err := n.Streams.Open(ctx); err != nil {
		return err
	}
	streams := n.Streams
	matches, archived := streams.Matches.CachedInfo().State, streams.Archive.CachedInfo().State
	s.archive.end.Store(archived.LastSeq)
	followers := s.followersOf(streams.Archive)
	n.JetStream.Conn().SetReconnectHandler(func(*nats.Conn) {
		for _, f := range followers {
			f.restart() // its consumer may have died with the server
		}
	})
	s.stats.followers, s.stats.Node = followers, n.Config.Node
	if err := catchUpAll(ctx, running, s, followers[:1]); err != nil {
		return err
	}
	if err := openAccounts(ctx, s); err != nil {
		return err
	}
	known, err := s.archive.names.attach(ctx, s.archiveReader, archived.LastSeq)
	if err != nil {
		return err
	}
	followers[1].next = known + 1
	if err := catchUpAll(ctx, running, s, followers[1:]); err != nil {
		return err
	}
	if err := s.audit(ctx, archived); err != nil {
		return err
	}
	s.index.setLoaded(matches.LastSeq)
	s.checkpoint.archive(archived.LastSeq)
	s.work.Go(func() { s.committer.run(running) })
	if n.Monitor != nil {
		s.work.Go(func() { n.Monitor.Run(running) })
	}
	s.work.Go(func() { s.archiver.run(running) })
	s.work.Go(func() { s.stats.measure(running) })
	return nil
}

// followersOf returns the followers of all streams, that of PEOPLE first: the others need the secret of the accounts.
func (s *Store) followersOf(archive jetstream.Stream) []*follower {
	n, streams := s.node, s.node.Streams
	all := []*follower{
		newFollower(n, s.clock, streams.People, 1, s.people.deliver),
		newFollower(n, s.clock, archive, 1, s.archive.deliver),
		newFollower(n, s.clock, streams.Matches, 1, s.index.deliver),
		newFollower(n, s.clock, streams.Registry, 1, s.registry.deliver),
	}
	all[3].mend = s.registry.mend
	if n.Config.Outside.URL != "" {
		all[0].mend = mendLog(n, streams.People.CachedInfo(), s.people.restore)
		all[1].mend = mendLog(n, archive.CachedInfo(), s.archive.lose)
		all[2].mend = mendLog(n, streams.Matches.CachedInfo(), func(ctx context.Context, _, missing uint64) (uint64, error) {
			return loseEvents(ctx, n, s.index, missing)
		})
	}
	return all
}

// catchUpAll starts followers, and returns when everything that was recorded has been delivered.
func catchUpAll(ctx, running context.Context, s *Store, followers []*follower) error {
	for _, f := range followers {
		s.work.Go(func() { f.run(running) })
	}
	for _, f := range followers {
		select {
		case <-f.caught:
		case <-ctx.Done():
			return fmt.Errorf("the stream %s is not read through: %w", f.stream.CachedInfo().Config.Name, ctx.Err())
		}
	}
	return nil
}

// openAccounts reads the log of the accounts, and draws their secret if there is none yet. A copy of the secret is in
// a file: with another one, nothing that was recorded would belong to any key.
func openAccounts(ctx context.Context, s *Store) error {
	path := s.node.Path("secret")
	var secret []byte
	if s.node.Monitor != nil {
		text, err := disk.ReadSmall(path)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if secret, err = hex.DecodeString(strings.TrimSpace(string(text))); err != nil || len(secret) == 0 {
			secret = nil
		}
		if secret != nil && s.people.end() == 0 {
			s.node.Config.Log.Error("what players decided about their accounts is missing from the journal: its "+
				"files were damaged, or are an older copy; keys keep their accounts",
				"event", "accounts-incomplete", "stream", natsd.PeopleStream)
		}
	}
	accounts, _, err := account.Open(ctx, s.people, secret, s.clock.now) // it follows for as long as the store is open
	if err != nil {
		return err
	}
	s.accounts, s.index.upgraded, s.archive.upgraded = accounts, accounts.Upgraded, accounts.Upgraded
	if s.node.Monitor == nil || bytes.Equal(secret, accounts.Secret()) {
		return nil
	}
	return disk.WriteFile(path, []byte(hex.EncodeToString(accounts.Secret())+"\n"))
}

// Accounts returns the accounts of the players, and their log.
func (s *Store) Accounts() (*account.Directory, account.Log) { return s.accounts, s.people }

// audit compares what was delivered with the checkpoint, repairs what it can, and logs what is missing.
func (s *Store) audit(ctx context.Context, archived jetstream.StreamState) error {
	t := s.checkpoint
	lacks := t != nil && (t.previous.matchesEnd == 0 || s.index.loadedUpTo(t.previous.matchesEnd) != t.previous.setDigest)
	if s.node.Config.Cluster.Listen != "" || lacks {
		// A node that was killed replays its log, and NATS 2.15 then loses purges: finished matches seem to be live.
		if err := s.archiver.finishAll(ctx); err != nil {
			return err
		}
	}
	if t == nil {
		return nil
	}
	had, log := t.previous, s.node.Config.Log.With("dir", s.node.Path(""))
	found := s.index.loadedUpTo(had.matchesEnd)
	if lack := max(had.entries, found.entries) - found.entries; lack > 0 || found != had.setDigest && had.matchesEnd > 0 {
		log.Error("acknowledged events are missing from the journal: its files were damaged, or are an older copy; "+
			"matches go on from what is left", "event", "journal-incomplete",
			"missing", max(lack, 1))
	}
	if end := max(had.archiveEnd, archived.LastSeq); archived.Msgs < end {
		log.Error("finished matches are missing from the archive: its files were damaged, or are an older copy",
			"event", "archive-incomplete",
			"missing", end-archived.Msgs)
	}
	return nil
}

// Check returns nil if an event can be recorded now, and wraps [match.ErrUnavailable] if not. An embedded server of its
// own must run and have room on the disk. In a cluster, and at an outside NATS, the leader of MATCHES must answer
// within two seconds and be in contact with a majority. It may be called from any goroutine.
func (s *Store) Check(ctx context.Context) error { return s.node.Check(ctx) }

// Stats returns what monitors read of the store.
func (s *Store) Stats() *Stats { return s.stats }

// ClusterOf returns the manager of the cluster that an open store is in; nil without one.
func ClusterOf(s *Store) *natsd.ClusterManager { return natsd.ManagerOf(s.node) }

// Subscribe implements [match.Journal].
func (s *Store) Subscribe(fn func(match.Event)) (stop func()) { return s.index.subscribe(fn) }

// Put implements [match.Registry].
func (s *Store) Put(ctx context.Context, e match.Entry) (match.Entry, error) {
	if len(e.Text) == 0 {
		return match.Entry{}, fmt.Errorf("%w: an entry without a text", codec.ErrUnwritable)
	}
	return s.registry.put(ctx, e)
}

// Delete implements [match.Registry].
func (s *Store) Delete(ctx context.Context, e match.Entry) error {
	if e.Revision == 0 {
		return entryChanged(e.Key)
	}
	e.Text = nil
	_, err := s.registry.put(ctx, e)
	return err
}

// Watch implements [match.Registry].
func (s *Store) Watch(fn func(match.Entry)) (stop func()) { return s.registry.watch(fn) }

// Now implements [match.Journal].
func (s *Store) Now() time.Time { return s.clock.now() }

// Close stops everything that [Open] started, and returns when it has ended. A second time it does nothing.
func (s *Store) Close() (err error) {
	s.closed.Do(func() {
		if s.stop != nil {
			s.stop()
		}
		s.work.Wait()
		err = errors.Join(s.checkpoint.close(), s.node.Close())
	})
	return err
}

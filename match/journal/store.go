package journal

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/internal/codec"
	"notakto/match/internal/disk"
	"notakto/match/journal/natsd"
	"notakto/match/stats"
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

// Load implements [match.Journal].
func (s *Store) Load(ctx context.Context, id match.ID, after uint64) ([]match.Event, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	events, live, err := s.index.read(id, after)
	if live {
		return events, err
	}
	if events, live, err = s.catchUp(ctx, id, after); live || err != nil {
		return events, err
	}
	r, err := s.archive.find(ctx, id)
	if err != nil || after >= uint64(len(r.Events)) {
		return nil, err
	}
	for i := range r.Events {
		r.Events[i].At = s.clock.past(r.Events[i].At)
		r.Events[i].Player = s.accounts.Shown(r.Events[i].Player)
	}
	return r.Events[after:], nil
}

// catchUp waits for a live match that another node has opened and that was not delivered here yet.
func (s *Store) catchUp(ctx context.Context, id match.ID, after uint64) (events []match.Event, live bool, err error) {
	if !nameable(id) {
		return nil, false, noSuchMatch(id)
	}
	last, err := lastSeq(ctx, s.node.Streams.Matches, natsd.MatchSubject+string(id))
	if err != nil || last == 0 {
		return nil, false, err
	}
	if err := s.index.waitSeq(ctx, id, last); err != nil {
		return nil, false, natsd.Unavailable(err)
	}
	return s.index.read(id, after)
}

// CatchUp implements [match.Journal]. It asks the leader of MATCHES for the last sequence and waits until the
// follower has delivered it, ten seconds at most.
func (s *Store) CatchUp(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	last, err := lastSeq(ctx, s.node.Streams.Matches, natsd.MatchSubject+"*")
	if err != nil {
		return err
	}
	return natsd.Unavailable(s.index.progress.wait(ctx, func() bool { return s.index.at >= last }))
}

func noSuchMatch(id match.ID) error { return fmt.Errorf("%w: %.40q", match.ErrNoSuchMatch, id) }

const (
	// aliveWithin is how long a follower may give no sign that it goes on. One that waits for a server gives some.
	aliveWithin = time.Minute
	// measureEvery is how often the streams are measured.
	measureEvery = 5 * time.Second
)

// Stats is what monitors read of an open store.
type Stats struct {
	Node string // the name of this server in its cluster; empty on its own

	// How long it took to record events, by how that ended: recorded, another event came first, or anything else.
	Recorded, Conflicts, Unavailable *stats.Histogram

	natsd     *natsd.Node
	backup    atomic.Pointer[backupFacts]
	streams   atomic.Pointer[[]natsd.StreamFacts]
	followers []*follower
}

func newStats(n *natsd.Node) *Stats {
	const ms = time.Millisecond
	times := func() *stats.Histogram {
		return stats.NewHistogram(ms/2, ms, 2*ms, 5*ms, 10*ms, 25*ms, 50*ms, 100*ms, 250*ms, 500*ms, time.Second,
			2500*ms, 5*time.Second, 10*time.Second)
	}
	return &Stats{natsd: n, Recorded: times(), Conflicts: times(), Unavailable: times()}
}

// backupFacts is when a backup was complete, and how long it is.
type backupFacts struct {
	at   time.Time
	size int64
}

// Backup returns when the last backup since the store was opened was complete, and its bytes; false without one.
func (s *Stats) Backup() (at time.Time, size int64, ok bool) {
	if last := s.backup.Load(); last != nil {
		return last.at, last.size, true
	}
	return time.Time{}, 0, false
}

// appended counts a call of [Store.Append].
func (s *Stats) appended(err error, took time.Duration) {
	switch {
	case err == nil:
		s.Recorded.Observe(took)
	case errors.Is(err, match.ErrConflict), errors.Is(err, match.ErrArchived):
		s.Conflicts.Observe(took)
	default:
		s.Unavailable.Observe(took)
	}
}

// measure measures the streams from time to time until ctx ends.
func (s *Stats) measure(ctx context.Context) {
	for ctx.Err() == nil {
		if all := natsd.Measure(ctx, s.natsd); len(all) > 0 {
			s.streams.Store(&all)
		}
		natsd.Wait(ctx, measureEvery)
	}
}

// Streams returns the streams as they were a few seconds ago, or when their leaders last answered; none at first. The
// slice must not be modified.
func (s *Stats) Streams() []natsd.StreamFacts {
	if all := s.streams.Load(); all != nil {
		return *all
	}
	return nil
}

// Lag returns how many messages of a stream this server had not read when it was measured.
func (s *Stats) Lag(of natsd.StreamFacts) uint64 {
	for _, f := range s.followers {
		if f.stream.CachedInfo().Config.Name == of.Name {
			return max(of.LastSeq, f.delivered.Load()) - f.delivered.Load()
		}
	}
	return 0
}

// FreeBytes returns the free space of the journal's disk; false without a disk of its own.
func (s *Stats) FreeBytes() (n uint64, ok bool) {
	if s.natsd.Monitor == nil {
		return 0, false
	}
	return s.natsd.Monitor.Free.Load(), true
}

// Cluster returns what is known of the servers of the cluster; nil on its own.
func (s *Stats) Cluster() *natsd.ClusterFacts { return s.natsd.ClusterFacts.Load() }

// Alive returns an error if events are no longer delivered for a reason of this process's own, which only a restart
// ends. It does not depend on the disk or on other servers, and never blocks.
func (s *Stats) Alive() error {
	for _, f := range s.followers {
		if still := time.Since(time.Unix(0, f.ticked.Load())); still > aliveWithin {
			return fmt.Errorf("the follower of the stream %s has stood still for %v", f.stream.CachedInfo().Config.Name,
				still.Round(time.Second))
		}
	}
	return nil
}

// Audit is what administrators have done: the stream AUDIT, from which nothing is removed before its time. Its methods
// may be called from any goroutine.
type Audit struct {
	node      *natsd.Node
	clock     clock
	publisher *publisher
}

// NewAudit returns the audit of an open store.
func NewAudit(s *Store) *Audit { return &Audit{s.node, s.clock, s.people.publisher} }

// Append stores a record of a command. The name of the command is words of small letters. The errors wrap
// [match.ErrUnavailable].
func (a *Audit) Append(ctx context.Context, command string, record []byte) error {
	if err := a.node.Monitor.Writable(); err != nil {
		return err
	}
	subject := natsd.AuditSubject + strings.ReplaceAll(command, " ", "-")
	_, err := a.publisher.publish(ctx, a.publisher.message(subject, noExpectedSeq, record))
	return err
}

// Read calls fn with the records since a time, the oldest first, of all servers; of more than most with the newest. It
// ends when fn fails.
func (a *Audit) Read(
	ctx context.Context, since time.Time, most int, fn func(at time.Time, record []byte) error,
) error {
	info, err := natsd.StreamInfo(ctx, a.node.JetStream, natsd.AuditStream)
	if err != nil {
		return natsd.Unavailable(err)
	}
	first, end := max(info.State.FirstSeq, 1), info.State.LastSeq+1
	if n := end - first; n > uint64(most) {
		first = end - uint64(most)
	}
	// Records are in the order of their times. One that is gone stands for the next.
	first += uint64(sort.Search(int(end-first), func(i int) bool {
		m, failed := a.get(ctx, first+uint64(i))
		err = errors.Join(err, failed)
		return failed != nil || m == nil || !m.Time.Before(since)
	}))
	for err == nil && first < end {
		var m *jetstream.RawStreamMsg
		if m, err = a.get(ctx, first); err != nil || m == nil {
			break
		}
		first = m.Sequence + 1
		err = fn(a.clock.past(m.Time), m.Data)
	}
	return err
}

// get returns the record with a sequence, or the next one; nil if there is none.
func (a *Audit) get(ctx context.Context, seq uint64) (m *jetstream.RawStreamMsg, err error) {
	err = persist(ctx, func(ctx context.Context) error {
		m, err = a.node.Streams.Audit.GetMsg(ctx, seq, jetstream.WithGetMsgSubject(">"))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			m, err = nil, nil
		}
		return err
	})
	return m, err
}

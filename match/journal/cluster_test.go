package journal

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"notakto/match"
	"notakto/match/journal/natsd"
	"notakto/match/journaltest"
)

// nodes is a cluster in this process.
type nodes struct {
	t       testing.TB
	configs []natsd.Config
	stores  []*Store
	ahead   []time.Duration // the nodes' clocks
}

func startNodes(t testing.TB, n int) *nodes {
	t.Helper()
	c := newNodes(t, n)
	c.startAll(0, 1, 2)
	if t.Failed() {
		t.FailNow()
	}
	return c
}

func newNodes(t testing.TB, n int) *nodes {
	c := &nodes{t: t, stores: make([]*Store, n), ahead: make([]time.Duration, n)}
	addresses := journaltest.FreePorts(t, n)
	files := journaltest.Certificates(t)
	for i := range n {
		peers := slices.Delete(slices.Clone(addresses), i, i+1)
		c.configs = append(c.configs, natsd.Config{
			Dir: t.TempDir(), Node: fmt.Sprintf("node%d", i),
			Cluster: natsd.Cluster{
				Name: "test", Listen: addresses[i], Peers: peers, Secret: "between us", CertFile: files.Cert,
				KeyFile: files.Key, CAFile: files.CA,
			},
			Log: slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelError})).With("node", i),
		})
	}
	t.Cleanup(func() {
		for i := range c.stores {
			c.stop(i)
		}
	})
	return c
}

func (c *nodes) startAll(all ...int) {
	var starts sync.WaitGroup
	for _, i := range all {
		starts.Go(func() { c.start(i) })
	}
	starts.Wait()
}

func (c *nodes) start(i int) {
	if err := c.try(i, c.configs[i]); err != nil {
		c.t.Errorf("node %d: %v", i, err)
	}
}

// try starts a node that may fail.
func (c *nodes) try(i int, cfg natsd.Config) error {
	ctx, cancel := context.WithTimeout(c.t.Context(), 2*time.Minute)
	defer cancel()
	clock := newClock()
	clock.start = clock.start.Add(c.ahead[i])
	s := newStore(cfg, clock)
	if err := s.open(ctx); err != nil {
		return errors.Join(err, s.Close())
	}
	c.stores[i] = s
	return nil
}

func (c *nodes) stop(i int) {
	if s := c.stores[i]; s != nil {
		if err := s.Close(); err != nil {
			c.t.Errorf("node %d: %v", i, err)
		}
		c.stores[i] = nil
	}
}

// retry appends until there is a quorum again.
func retry(t *testing.T, s *Store, e match.Event) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 40*time.Second)
	defer cancel()
	for {
		_, err := s.Append(ctx, e)
		if err == nil {
			return
		}
		events, _ := s.Load(ctx, e.Match, e.Seq-1)
		if errors.Is(err, match.ErrConflict) && len(events) > 0 {
			return // one of the tries before
		}
		if !errors.Is(err, match.ErrUnavailable) && !errors.Is(err, match.ErrConflict) || ctx.Err() != nil {
			t.Fatal(err)
		}
	}
}

// natsLog collects the log of a node's NATS.
type natsLog struct {
	mu    sync.Mutex
	lines []string
}

func listen(s *Store) *natsLog {
	e := &natsLog{}
	s.Subscribe(func(event match.Event) {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.lines = append(e.lines, fmt.Sprintf("%s%d", event.Match, event.Seq))
	})
	return e
}

func (e *natsLog) String() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return fmt.Sprint(e.lines)
}

func TestCluster(t *testing.T) {
	t.Parallel()
	c := startNodes(t, 3)
	ears := []*natsLog{listen(c.stores[0]), listen(c.stores[1]), listen(c.stores[2])}
	t.Run("what one appends all hear", func(t *testing.T) {
		putAll(t, c.stores[0], []match.Event{left("a", 1), left("a", 2)})
		for i, s := range c.stores {
			if events, err := s.Load(t.Context(), "a", 0); err != nil || len(events) == 0 {
				t.Errorf("node %d reads %v, %v", i, events, err)
			}
			eventually(t, "all hear", func() bool { return ears[i].String() == "[a1 a2]" })
		}
	})
	t.Run("a server that has caught up has heard what another one recorded", func(t *testing.T) {
		for n := range uint64(20) {
			putAll(t, c.stores[n%3], []match.Event{left("caught", n+1)})
			behind := c.stores[(n+1)%3]
			if err := behind.CatchUp(t.Context()); err != nil {
				t.Fatal(err)
			}
			if events, live, err := behind.index.read("caught", n); !live || len(events) != 1 || err != nil {
				t.Fatalf("event %d has not been heard: %v, %v", n+1, events, err)
			}
		}
	})
	t.Run("of two rivals one wins", func(t *testing.T) { c.rivals(t) })
	t.Run("all know a key by one identifier", func(t *testing.T) { c.knowsKeys(t) })
	t.Run("of two who claim a name one gets it", func(t *testing.T) { c.rivalNames(t) })
	t.Run("a ban holds at all within a second", func(t *testing.T) { c.bans(t) })
	t.Run("what administrators did is read at all", func(t *testing.T) { c.audits(t) })
	t.Run("notes are seen everywhere", func(t *testing.T) { c.entries(t) })
	t.Run("of two notes under a key one stands", func(t *testing.T) { c.rivalEntries(t) })
	t.Run("a finished match is read anywhere", func(t *testing.T) {
		putAll(t, c.stores[1], journaltest.Events(testID))
		if err := c.stores[2].Archive(t.Context(), testID); err != nil {
			t.Fatal(err)
		}
		for _, s := range c.stores {
			eventually(t, "it is put away", func() bool { _, live, _ := s.index.read(testID, 0); return !live })
			if events, err := s.Load(t.Context(), testID, 0); err != nil || len(events) != len(journaltest.Events(testID)) {
				t.Errorf("read %v, %v", events, err)
			}
		}
	})
	t.Run("two go on and the third catches up, whose file was torn", func(t *testing.T) {
		c.stop(0)
		tear(t, block(t, c.configs[0].Dir), 3, 4, asTheyAre)
		retry(t, c.stores[1], left("b", 1))
		retry(t, c.stores[2], left("b", 2))
		c.start(0)
		retry(t, c.stores[0], left("b", 3))
		eventually(t, "the node keeps all that the others do", func() bool {
			return c.stored(0) == c.stored(1) && c.stored(1) == c.stored(2)
		})
		isBanned(t, c.stores[0], bannedNetwork)
	})
	t.Run("one alone records nothing", func(t *testing.T) {
		for _, s := range c.stores {
			eventually(t, "a node can record", func() bool { return s.Check(t.Context()) == nil })
		}
		c.stop(1)
		c.stop(2)
		began := time.Now()
		eventually(t, "it says so", func() bool {
			inTime, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			err := c.stores[0].Check(inTime)
			if part, cause := natsd.PartOf(err); err != nil && part != natsd.ClusterPart {
				t.Errorf("without the other servers the %s is at fault: %v", part, cause)
			}
			return errors.Is(err, match.ErrUnavailable)
		})
		if took := time.Since(began); took > 7*time.Second {
			t.Errorf("it said so after %v", took)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		if _, err := c.stores[0].Append(ctx, left("lonely", 1)); !errors.Is(err, match.ErrUnavailable) {
			t.Errorf("append: %v", err)
		}
		c.startAll(1, 2)
		retry(t, c.stores[0], left("lonely", 1))
	})
}

// stored describes the messages of live matches that a node itself stores: how many, and their first and last sequence.
func (c *nodes) stored(i int) string {
	info, err := c.stores[i].node.Embedded().Jsz(&server.JSzOptions{Streams: true})
	if err != nil {
		c.t.Fatal(err)
	}
	for _, account := range info.AccountDetails {
		for _, stream := range account.Streams {
			if stream.Name == natsd.MatchesStream {
				return fmt.Sprintf("%d messages, %d to %d", stream.State.Msgs, stream.State.FirstSeq, stream.State.LastSeq)
			}
		}
	}
	return "nothing"
}

func (c *nodes) rivals(t *testing.T) {
	for seq := uint64(1); seq <= 20; seq++ {
		var all sync.WaitGroup
		wins := make([]bool, len(c.stores))
		for i, s := range c.stores {
			all.Go(func() {
				_, err := s.Append(t.Context(), left("rivals", seq))
				if err != nil && !errors.Is(err, match.ErrConflict) {
					t.Error(err)
				}
				wins[i] = err == nil
				if events, err := s.Load(t.Context(), "rivals", seq-1); err != nil || len(events) == 0 {
					t.Errorf("node %d cannot read event %d: %v", i, seq, err)
				}
			})
		}
		all.Wait()
		if fmt.Sprint(wins) != "[true false false]" && fmt.Sprint(wins) != "[false true false]" &&
			fmt.Sprint(wins) != "[false false true]" {
			t.Fatalf("event %d: %v", seq, wins)
		}
	}
}

// The leader refuses an entry without giving the last sequence while it records another under the key. The client then
// waited for a sequence that never came, and an opponent in the queue with it, until ten seconds were over.
func (c *nodes) rivalEntries(t *testing.T) {
	for round := range 50 {
		ctx, cancel := context.WithTimeout(t.Context(), 9*time.Second) // the wait was of ten
		defer cancel()
		var all sync.WaitGroup
		var won atomic.Int32
		for _, s := range c.stores {
			all.Go(func() {
				_, err := s.Put(ctx, match.Entry{Key: fmt.Sprintf("seek.rivals-%d", round), Text: []byte("mine")})
				switch {
				case err == nil:
					won.Add(1)
				case !errors.Is(err, match.ErrConflict):
					t.Error(err)
				}
			})
		}
		all.Wait()
		if won.Load() != 1 || t.Failed() {
			t.Fatalf("round %d: %d notes stand", round, won.Load())
		}
	}
}

func (c *nodes) entries(t *testing.T) {
	n, err := c.stores[0].Put(t.Context(), match.Entry{Key: "seek.1", Text: []byte("one")})
	if err != nil {
		t.Fatal(err)
	}
	seen := make(chan match.Entry, 8)
	defer c.stores[1].Watch(func(n match.Entry) { seen <- n })()
	if got := <-seen; got.Revision != n.Revision || string(got.Text) != "one" {
		t.Errorf("seen as %+v", got)
	}
	if err := c.stores[1].Delete(t.Context(), n); err != nil {
		t.Error(err)
	}
	if got := <-seen; got.Text != nil {
		t.Errorf("seen as %+v", got)
	}
	if _, err := c.stores[0].Put(t.Context(), n); !errors.Is(err, match.ErrConflict) {
		t.Errorf("pinned over what was taken down: %v", err)
	}
}

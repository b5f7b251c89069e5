package journal

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/internal/disk"
	"notakto/match/journal/natsd"
	"notakto/match/journaltest"
)

// logs gives every node a log that the test reads.
func (c *nodes) logs() []*said {
	all := make([]*said, len(c.configs))
	for i := range c.configs {
		all[i] = new(said)
		c.configs[i].Log = slog.New(slog.NewTextHandler(all[i], &slog.HandlerOptions{Level: slog.LevelInfo}))
	}
	return all
}

// wipe deletes the data of a stopped node.
func (c *nodes) wipe(i int) {
	if err := os.RemoveAll(filepath.Join(c.configs[i].Dir, "journal")); err != nil {
		c.t.Fatal(err)
	}
}

// current waits until every stream has three complete copies.
func (c *nodes) current(t *testing.T, i int) natsd.ClusterStatus {
	t.Helper()
	var status natsd.ClusterStatus
	eventually(t, "all copies are complete", func() bool {
		var err error
		if status, err = natsd.NewClusterManager(c.configs[i]).Status(t.Context()); err != nil {
			return false
		}
		for _, s := range status.Streams {
			if len(s.Copies) != 3 || s.Leader == "" {
				return false
			}
			for _, of := range s.Copies {
				if of.State != "leads" && of.State != "current" {
					return false
				}
			}
		}
		return true
	})
	return status
}

// A node that lost its data used to become ready without a copy of anything, while its old name still counted as a
// replica.
func TestLostDisk(t *testing.T) {
	t.Parallel()
	c := newNodes(t, 3)
	logs := c.logs()
	for i, fingerprint := range [...]string{"SHA256:one", "SHA256:one", "SHA256:other"} {
		c.configs[i].Fingerprint = fingerprint
	}
	c.ahead[2] = time.Hour
	c.startAll(0, 1, 2)
	if t.Failed() {
		for _, l := range logs {
			t.Log(l)
		}
		t.FailNow()
	}
	putAll(t, c.stores[0], []match.Event{left("a", 1), left("a", 2)})
	t.Run("host keys and clocks that differ are said", func(t *testing.T) {
		for i, l := range logs {
			eventually(t, "the log says both", func() bool {
				text := l.String()
				return strings.Contains(text, "different host keys") && strings.Contains(text, "SHA256:other") &&
					strings.Contains(text, "SHA256:one") && strings.Contains(text, "clocks of two servers")
			})
			if n := strings.Count(l.String(), "clocks of two"); i < 2 && n != 1 || n > 2 {
				t.Errorf("node %d says %d times that clocks differ", i, n)
			}
		}
	})
	c.stop(2)
	c.wipe(2)
	before := len(logs[0].String()) // on a busy machine there were troubles with routes at the start
	t.Run("a node that is down is said once", func(t *testing.T) {
		eventually(t, "it is said", func() bool { return strings.Contains(logs[0].String(), "does not answer") })
		if text := logs[0].String()[before:]; strings.Count(text, "does not answer") != 1 || strings.Contains(text, "route") {
			t.Error(text)
		}
	})
	if c.refused(t); t.Failed() {
		return
	}
	c.configs[2].Node, c.configs[2].Cluster.Replace = "", "node2"
	c.interrupted(t)
	c.configs[2].Cluster.Replace = "" // it is known from the start before
	c.start(2)
	t.Run("then another node may die", func(t *testing.T) {
		eventually(t, "it is back", func() bool { return strings.Contains(logs[0].String(), "is back") })
		c.stop(1)
		retry(t, c.stores[2], left("a", 3))
		if events, err := c.stores[2].Load(t.Context(), "a", 0); err != nil || len(events) != 3 {
			t.Errorf("read %v, %v", events, err)
		}
	})
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// interrupted leaves the data that a kill of node 2 leaves while it replaces the lost node: the node must not continue
// with it.
func (c *nodes) interrupted(t *testing.T) {
	dir := filepath.Join(c.configs[2].Dir, "journal")
	partial, replacing := filepath.Join(dir, "jetstream", "$SYS", "partial"), filepath.Join(dir, "replacing")
	err := errors.Join(
		os.MkdirAll(partial, 0o700), os.WriteFile(filepath.Join(dir, "node"), []byte("node2\n"), 0o600),
		os.WriteFile(replacing, []byte("node2\n"), 0o600),
	)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if isThere(partial) || isThere(replacing) {
			t.Error("it went on with what it had copied, or begins again at each start")
		}
	})
}

// refused starts node 2, whose data is lost, in ways that must not work. Each takes as long as it waits for the members
// that do not answer, so two are tried side by side. Three servers without data would take each other for a new
// cluster.
func (c *nodes) refused(t *testing.T) {
	tests := [...]struct{ node, replace, want string }{
		{"node2", "", "has all its members, node0, node1, node2; these do not answer: node2"},
		{"another", "", "--replace NAME"},
		{"", "node1", "a server of its name, node1, runs at"},
		{"", "node9", "no member node9 to replace; the members are node0, node1, node2"},
		{"another", "node2", "leave --node-name out"},
	}
	ports := journaltest.FreePorts(t, len(tests))
	var tries errgroup.Group
	tries.SetLimit(2)
	for i, test := range tests {
		cfg := c.configs[2]
		if i > 0 { // the first has the node's own directory and address
			cfg.Dir, cfg.Cluster.Listen = t.TempDir(), ports[i]
		}
		cfg.Node, cfg.Cluster.Replace = test.node, test.replace
		tries.Go(func() error {
			began := time.Now()
			err := c.try(2, cfg)
			if !errors.Is(err, natsd.ErrNotAdmitted) && !errors.Is(err, natsd.ErrNodeName) ||
				!strings.Contains(err.Error(), test.want) {
				t.Errorf("as %q for %q: %v, want %q", test.node, test.replace, err, test.want)
			}
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("as %q for %q it took %v", test.node, test.replace, took)
			}
			return nil
		})
	}
	_ = tries.Wait()
}

// Old versions let a node that had lost its disk in under another name. Removing the lost one repairs the cluster.
func TestRemoveMember(t *testing.T) {
	t.Parallel()
	c := startNodes(t, 3)
	putAll(t, c.stores[0], []match.Event{left("a", 1)})
	err := natsd.NewClusterManager(c.configs[0]).Remove(t.Context(), "node2")
	if !errors.Is(err, natsd.ErrNoMember) || !strings.Contains(err.Error(), "stop it first") {
		t.Errorf("while it runs: %v", err)
	}
	c.stop(2)
	c.wipe(2)
	if err := natsd.NewClusterManager(c.configs[0]).Remove(t.Context(), "node9"); !errors.Is(err, natsd.ErrNoMember) {
		t.Errorf("one that is no member: %v", err)
	}
	c.configs[2].Node = "ghost"
	system := filepath.Join(c.configs[2].Dir, "journal", "jetstream", "$SYS")
	if err := os.MkdirAll(system, 0o700); err != nil { // so it is let in
		t.Fatal(err)
	}
	started := make(chan struct{})
	go func() {
		c.start(2)
		close(started)
	}()
	eventually(t, "it is a member", func() bool {
		status, err := natsd.NewClusterManager(c.configs[0]).Status(t.Context())
		return err == nil && len(status.Nodes) == 4
	})
	select {
	case <-started:
		t.Error("it is ready without a copy of anything")
	default:
	}
	ctx, cancel := context.WithTimeout(t.Context(), 40*time.Second)
	defer cancel()
	if err := ClusterOf(c.stores[0]).Remove(ctx, "node2"); err != nil { // as a server of the cluster
		t.Fatal(err)
	}
	<-started
	if status := c.current(t, 0); len(status.Nodes) != 3 {
		t.Errorf("the members are %+v", status.Nodes)
	}
	c.stop(1)
	retry(t, c.stores[0], left("a", 2))
}

// What the settings say of the copies holds again after a repair: copies that are missing are made, and those of a
// server that is down are moved to one that has none.
func TestRepairOfTheCopies(t *testing.T) {
	t.Parallel()
	c := newNodes(t, 4)
	c.startAll(0, 1, 2, 3)
	if t.Failed() {
		t.FailNow()
	}
	putAll(t, c.stores[0], []match.Event{left("a", 1)})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cluster := ClusterOf(c.stores[0])
	if changed, err := cluster.Repair(ctx); err != nil || len(changed) > 0 {
		t.Errorf("there is nothing to repair, and it repairs %v, %v", changed, err)
	}
	js := c.stores[0].node.JetStream
	info, err := natsd.StreamInfo(ctx, js, natsd.PeopleStream)
	if err == nil {
		info.Config.Replicas = 1
		_, err = js.UpdateStream(ctx, info.Config)
	}
	if err != nil {
		t.Fatal(err)
	}
	if changed, err := cluster.Repair(ctx); err != nil || !slices.Equal(changed, []string{natsd.PeopleStream}) {
		t.Errorf("it repairs %v, %v", changed, err)
	}
	status := c.current(t, 0)
	for _, n := range status.Nodes {
		if !n.Up || n.LastSeen.IsZero() || n.CertificateEnd.Before(time.Now()) {
			t.Errorf("a server is %+v", n)
		}
	}
	kept := slices.IndexFunc(status.Streams, func(s natsd.StreamStatus) bool { return s.Name == natsd.MatchesStream })
	lost := status.Streams[kept].Copies[2].Node // not the first server, by their order
	c.stop(int(lost[len(lost)-1] - '0'))
	eventually(t, "it is known to be down", func() bool {
		status, err := cluster.Status(ctx)
		return err == nil && slices.ContainsFunc(status.Nodes, func(n natsd.NodeStatus) bool {
			return n.Name == lost && !n.Up && !n.LastSeen.IsZero()
		})
	})
	if changed, err := cluster.Repair(ctx); err != nil || !slices.Contains(changed, natsd.MatchesStream) {
		t.Errorf("it repairs %v, %v", changed, err)
	}
	for _, s := range c.current(t, 0).Streams {
		if slices.ContainsFunc(s.Copies, func(of natsd.StreamCopy) bool { return of.Node == lost }) {
			t.Errorf("the lost server still keeps %+v", s)
		}
	}
	retry(t, c.stores[0], left("a", 2))
	for i := 1; i < 4; i++ {
		if i != int(lost[len(lost)-1]-'0') {
			c.stop(i)
		}
	}
	eventually(t, "a repair says at once that too few servers are up", func() bool {
		_, err := cluster.Repair(ctx)
		return err != nil && ctx.Err() == nil && strings.Contains(err.Error(), "must be up, and 1 of 4 are")
	})
}

// A removed node is refused with a reason if it starts with its old data, and can join as a new one.
func TestRemovedMemberComesBack(t *testing.T) {
	t.Parallel()
	c := startNodes(t, 3)
	putAll(t, c.stores[0], []match.Event{left("a", 1)})
	c.stop(2)
	var log said
	c.configs[0].Log = slog.New(slog.NewTextHandler(&log, nil))
	defer func() {
		if text := log.String(); text != "" {
			t.Error("an operator reads", text)
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 40*time.Second)
	defer cancel()
	if err := natsd.NewClusterManager(c.configs[0]).Remove(ctx, "node2"); err != nil {
		t.Fatal(err)
	}
	if err := c.try(2, c.configs[2]); !errors.Is(err, natsd.ErrRemoved) || !strings.Contains(err.Error(), "node0, node1") {
		t.Errorf("with its data: %v", err)
	}
	c.wipe(2)
	c.configs[2].Node = "node3"
	began := time.Now()
	c.start(2)
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
	c.current(t, 0)
	c.stop(1)
	retry(t, c.stores[2], left("a", 2))
}

// The last node of a cluster used to be reported as damaged, and no command could open it.
func TestRestoreNode(t *testing.T) {
	t.Parallel()
	c := startNodes(t, 3)
	putAll(t, c.stores[0], []match.Event{left("a", 1), left("a", 2)})
	for seq := uint64(1); seq <= 50; seq++ {
		putAll(t, c.stores[1], []match.Event{left("b", seq)})
	}
	killed := t.TempDir() // as kill -9 leaves it
	if err := os.CopyFS(killed, os.DirFS(c.configs[2].Dir)); err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	to := filepath.Join(t.TempDir(), "new")
	if _, err := RestoreNode(t.Context(), c.configs[2].Dir, to, nil, log); !errors.Is(err, disk.ErrLocked) || isThere(to) {
		t.Errorf("while it runs: %v", err)
	}
	if _, err := RestoreNode(t.Context(), t.TempDir(), to, nil, log); !errors.Is(err, natsd.ErrNoNode) || isThere(to) {
		t.Errorf("of an empty directory: %v", err)
	}
	key := c.stores[0].accounts.Key(annsKey)
	for i := range c.stores {
		c.stop(i)
	}
	for name, dir := range map[string]string{"stopped": c.configs[2].Dir, "killed": killed} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			restoresNode(t, dir, key)
		})
	}
}

func restoresNode(t *testing.T, dir string, key account.KeyID) {
	_, err := Open(t.Context(), natsd.Config{Dir: dir, Log: new(said).log()}, nil)
	if !errors.Is(err, natsd.ErrClusterFiles) || !strings.Contains(err.Error(), "restore --from-node") ||
		!strings.Contains(err.Error(), "of a cluster of 3: node0, node1, node2") {
		t.Errorf("before: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "host_key"), []byte("key"), 0o600); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "new")
	found, err := RestoreNode(t.Context(), dir, to, []string{"host_key", "other"}, slog.New(slog.DiscardHandler))
	if err != nil || found.Live != 2 {
		t.Fatalf("%+v, %v", found, err)
	}
	if text, err := os.ReadFile(filepath.Join(to, "host_key")); err != nil || string(text) != "key" {
		t.Errorf("the file is %q, %v", text, err)
	}
	if !isThere(filepath.Join(dir, "journal", "jetstream", "$SYS")) {
		t.Error("the node's directory is another one")
	}
	s := open(t, natsd.Config{Dir: to})
	for id, want := range map[match.ID]int{"a": 2, "b": 50} {
		if events, err := s.Load(t.Context(), id, 0); err != nil || len(events) != want {
			t.Errorf("%s has %d events, %v", id, len(events), err)
		}
	}
	putAll(t, s, []match.Event{left("b", 51)})
	if id := s.accounts.Key(annsKey); id != key {
		t.Errorf("a key is known as %s, and was as %s", id, key)
	}
}

// BOARD is in memory. With one copy of three left NATS elects no leader until all three servers are up, and no player
// was paired. Nor does it place a copy on a server from which the leader has received nothing since it started.
func TestRegistryIsRecreated(t *testing.T) {
	t.Parallel()
	for name, restarted := range map[string][]int{"one restarts": {1}, "two restart": {0, 1}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startNodes(t, 3)
			for _, i := range slices.Concat(restarted, []int{2}) {
				c.stop(i)
			}
			c.startAll(restarted...)
			if t.Failed() {
				return
			}
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			if _, err := c.stores[1].Put(ctx, match.Entry{Key: "seek.1", Text: []byte("one")}); err != nil {
				t.Error(err)
			}
			c.start(2)
			info, err := natsd.StreamInfo(t.Context(), c.stores[1].node.JetStream, natsd.RegistryStream)
			if err != nil || info.Config.Replicas != 3 {
				t.Errorf("with all servers back the stream is %+v, %v", info, err)
			}
		})
	}
}

// A start that waits for other nodes ends with its context; one that cannot open its port fails with that reason.
func TestStartEndsSoon(t *testing.T) {
	t.Parallel()
	addresses := journaltest.FreePorts(t, 2)
	cluster := natsd.Cluster{Name: "test", Listen: addresses[0], Peers: addresses[1:], Secret: "s"}
	cfg := natsd.Config{Dir: t.TempDir(), Cluster: cluster, Log: new(said).log()}
	for _, name := range [...]string{"before it may join", "in a cluster without a leader"} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		_, err := Open(ctx, cfg, nil)
		cancel()
		if deadline, _ := ctx.Deadline(); err == nil || time.Since(deadline) > 2*time.Second {
			t.Errorf("%s: %v, %v after its end", name, err, time.Since(deadline))
		}
		if err := os.MkdirAll(filepath.Join(cfg.Dir, "journal", "jetstream", "$SYS"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	l, err := net.Listen("tcp", addresses[0])
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	began := time.Now()
	if _, err := Open(t.Context(), cfg, nil); err == nil || !strings.Contains(err.Error(), "in use") ||
		time.Since(began) > 5*time.Second {
		t.Errorf("its port is taken: %v after %v", err, time.Since(began))
	}
}

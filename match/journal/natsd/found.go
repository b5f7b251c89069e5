package natsd

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"notakto/match/internal/disk"
)

// found turns the directory of a single server into that of the first member of a new cluster, with all matches. It
// works on a copy. The other members join as to any cluster, and copy the streams.
func found(ctx context.Context, cfg Config, dir dataDir) error {
	cfg.Sync = Interval // all is synced at the end
	alone := cfg
	alone.Cluster = Cluster{}
	if err := dir.repair(alone, nil); err != nil {
		return err
	}
	work := dir.file(converting)
	cfg.Log.Warn("this server has matches of its own and becomes the first of its cluster: the others copy them",
		"event", "cluster-found", "dir", string(dir))
	if err := os.RemoveAll(work); err != nil { // of an interrupted try
		return err
	}
	if err := errors.Join(os.Mkdir(work, 0o700), moveStreams(ctx, alone, cfg, dir, work)); err != nil {
		return errors.Join(fmt.Errorf("%w: %w", ErrNotFounded, err), os.RemoveAll(work))
	}
	if err := errors.Join(disk.SyncTree(work), dir.writeName(cfg.Node)); err != nil {
		return err
	}
	kept, err := swap(dir, work)
	if err == nil {
		cfg.Log.Warn("what was there before is kept; it can be deleted once all servers are ready",
			"event", "cluster-founded", "dir", kept)
	}
	return err
}

// converting is the directory of the copy that becomes one of a cluster.
const converting = "converting"

// swap replaces the streams by those of the finished copy, and returns the directory in which it keeps them.
func swap(dir dataDir, work string) (kept string, err error) {
	kept = dir.file("single-" + time.Now().UTC().Format("20060102T150405Z"))
	if err := os.Mkdir(kept, 0o700); err != nil {
		return "", err
	}
	// a cluster has no tally
	for _, name := range [...]string{"tally", "jetstream"} {
		err := os.Rename(dir.file(name), filepath.Join(kept, name))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", err
		}
	}
	return kept, errors.Join(finishSwap(dir), os.RemoveAll(work))
}

// finishSwap completes a swap that was interrupted.
func finishSwap(dir dataDir) error {
	done := filepath.Join(dir.file(converting), "jetstream")
	if exists(dir.file("jetstream")) || !exists(done) {
		return nil
	}
	return os.Rename(done, dir.file("jetstream"))
}

// ReplaceStreams puts the streams of the data directory from, which it takes, in the place of those of another. It
// deletes these, and all older copies of them. Both directories are those of single servers that do not run.
// [disk.ErrLocked].
func ReplaceStreams(dir, from string) (err error) {
	old, fresh := dataDir(filepath.Join(dir, "journal")), dataDir(filepath.Join(from, "journal"))
	lock, err := disk.Lock(string(old))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	work := old.file(converting)
	err = errors.Join(os.RemoveAll(work), os.Mkdir(work, 0o700),
		os.Rename(fresh.file("jetstream"), filepath.Join(work, "jetstream")))
	if err == nil {
		_, err = swap(old, work)
	}
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(string(old))
	for _, e := range entries {
		for _, copies := range [...]string{"single-", "cluster-", "torn", "backup-"} {
			if strings.HasPrefix(e.Name(), copies) {
				err = errors.Join(err, os.RemoveAll(old.file(e.Name())))
			}
		}
	}
	return err
}

// moveStreams makes the streams of a single server in dir again as those of a cluster's only member in work.
func moveStreams(ctx context.Context, alone, member Config, dir dataDir, work string) error {
	states := map[string]jetstream.StreamState{}
	part := func(stream string) string { return filepath.Join(work, stream) }
	n, err := startOn(ctx, alone, dir)
	if err == nil {
		err = errors.Join(eachStream(dir, func(stream string) error {
			f, err := os.Create(part(stream))
			if err != nil {
				return err
			}
			states[stream], err = TakeSnapshot(ctx, n, stream, f)
			return errors.Join(err, f.Close())
		}), n.Close())
	}
	if err == nil {
		err = begin(ctx, member, work)
	}
	if err != nil {
		return err
	}
	return onlyMember(ctx, member, dataDir(work), func(n *Node) error {
		return eachStream(dir, func(stream string) error {
			f, err := os.Open(part(stream))
			if err != nil {
				return err
			}
			err = RestoreSnapshot(ctx, n, stream, states[stream], f)
			return errors.Join(err, f.Close(), os.Remove(part(stream)))
		})
	})
}

// eachStream calls fn with the streams of a directory. An older version may have written fewer.
func eachStream(dir dataDir, fn func(name string) error) error {
	for _, name := range fileStreams() {
		if !exists(dir.stream(name)) {
			continue
		}
		if err := fn(name); err != nil {
			return fmt.Errorf("the stream %s: %w", name, err)
		}
	}
	return nil
}

// startOn starts the server of a node on a directory. cfg.Node is its name.
func startOn(ctx context.Context, cfg Config, dir dataDir) (*Node, error) {
	n := NewNode(cfg, time.Now)
	options, err := cfg.options(dir)
	if err != nil {
		return nil, err
	}
	n.server = &embeddedServer{options: options, logger: natsLogger{log: cfg.Log, isBrief: true}}
	return n, n.server.start(ctx)
}

// localMember returns the settings of a member of a cluster on this machine, which knows the address of another.
func (c Config) localMember(name, secret, other string) Config {
	c.Node = name
	c.Cluster = Cluster{Name: c.Cluster.Name, Listen: "127.0.0.1:-1", Peers: []string{other}, Secret: secret}
	return c
}

const noAddress = "127.0.0.1:9"

// begin makes a cluster of the node, in work, and of another that is gone afterwards: NATS begins none with one.
func begin(ctx context.Context, cfg Config, work string) error {
	secret := rand.Text()
	first, err := startOn(ctx, cfg.localMember(cfg.Node, secret, noAddress), dataDir(work))
	if err != nil {
		return err
	}
	defer first.server.stop()
	s := first.Embedded()
	second := cfg.localMember("second", secret, s.ClusterAddr().String())
	other, err := startOn(ctx, second, dataDir(filepath.Join(work, "second")))
	if err != nil {
		return err
	}
	defer other.server.stop()
	for len(metaPeers(s)) < 2 || !s.JetStreamIsCurrent() {
		if Wait(ctx, RetryDelay); ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// onlyMember calls fn with the node of a cluster on a directory, as its only member.
func onlyMember(ctx context.Context, cfg Config, dir dataDir, fn func(*Node) error) error {
	secret := rand.Text()
	n, err := startOn(ctx, cfg.localMember(cfg.Node, secret, noAddress), dir)
	if err != nil {
		return err
	}
	defer func() { _ = n.Close() }()
	// NATS elects no leader in a cluster whose server has no route to another.
	guest := cfg.localMember("", secret, n.Embedded().ClusterAddr().String())
	other, err := newGuestServer(ctx, guest, guest.Cluster)
	if err != nil {
		return err
	}
	defer other.close()
	if err := rescue(ctx, n.server); err != nil {
		return err
	}
	if n.JetStream, err = n.connect(); err != nil {
		return err
	}
	return fn(n)
}

// ErrNoNode says that a directory is not that of a node of a cluster.
var ErrNoNode = errors.New("the directory has no data of a server of a cluster")

// CopyNode makes the journal of a single server in the directory to, which has none, from the last node of a lost
// cluster, with all that the node had. The node's directory is only read; no other process may use it. [ErrNoNode],
// [disk.ErrLocked].
func CopyNode(ctx context.Context, from, to string, log *slog.Logger) (err error) {
	source, copied := dataDir(filepath.Join(from, "journal")), dataDir(filepath.Join(to, "journal"))
	if !source.joined() {
		return fmt.Errorf("%w (%s)", ErrNoNode, from)
	}
	lock, err := disk.Lock(string(source))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if err := os.CopyFS(copied.file("jetstream"), os.DirFS(source.file("jetstream"))); err != nil {
		return err
	}
	for _, name := range [...]string{"node", "format", "secret"} {
		text, err := disk.ReadSmall(source.file(name))
		if err == nil {
			err = disk.WriteFile(copied.file(name), text)
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	name, err := disk.ReadSmall(copied.file("node"))
	if err != nil {
		return err
	}
	cfg := Config{Node: strings.TrimSpace(string(name)), Sync: Interval, Log: log}.withDefaults()
	err = onlyMember(ctx, cfg, copied, func(n *Node) error {
		return eachStream(copied, func(stream string) error { return unreplicate(ctx, n, stream) })
	})
	return errors.Join(err, os.RemoveAll(copied.file("jetstream/$SYS")))
}

// rescue makes the only running node the only member of its cluster.
func rescue(ctx context.Context, node *embeddedServer) error {
	system, err := nats.Connect("", node.login(systemUser))
	if err != nil {
		return err
	}
	defer system.Close()
	if err := systemRequest(ctx, system, server.JSApiMetaRescue,
		server.JSApiMetaRescueRequest{QuorumNeeded: 1}); err != nil {
		return err
	}
	for _, id := range metaPeers(node.running())[1:] {
		if err := removePeer(ctx, system, id); err != nil {
			return err
		}
	}
	return nil
}

// unreplicate makes a stream one without replicas, and returns when this node has applied its whole log.
func unreplicate(ctx context.Context, n *Node, name string) error {
	for {
		info, err := StreamInfo(ctx, n.JetStream, name)
		switch {
		case err == nil && info.Config.Replicas == 1 && len(info.Cluster.Replicas) == 0:
			return nil
		case err == nil && info.Cluster.Leader == n.Config.Node && info.Config.Replicas > 1 && applied(n.Embedded()):
			cfg := info.Config
			cfg.Replicas = 1
			_, err = n.JetStream.UpdateStream(ctx, cfg)
		}
		if ctx.Err() != nil {
			return errors.Join(err, context.Cause(ctx))
		}
		if err != nil && !IsTransient(err) {
			return err
		}
		Wait(ctx, RetryDelay)
	}
}

// applied reports whether a server has applied its logs to its streams.
func applied(s *server.Server) bool {
	status := s.Raftz(&server.RaftzOptions{AccountFilter: "$G"})
	for _, groups := range *status {
		for name, g := range groups {
			if strings.HasPrefix(name, "S-") && g.State == "LEADER" && (g.Applied < g.Committed || g.Committed < g.PIndex) {
				return false
			}
		}
	}
	return true
}

package natsd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"notakto/match/journal/internal/disk"
)

// ErrNotLeft says that a directory cannot become that of a standalone server.
var ErrNotLeft = errors.New("the directory is left as it is")

// Leave turns the directory of a node whose cluster is lost into that of a single server, with all matches that the
// node had. The other nodes must never run again. Leave works on a copy, and returns the directory to which it moved
// the original. No other process may use the directory. [disk.ErrLocked], [ErrNotLeft].
func Leave(ctx context.Context, cfg Config) (kept string, err error) {
	cfg = cfg.withDefaults()
	dir := dataDir(filepath.Join(cfg.Dir, "journal"))
	if !dir.joined() {
		return "", fmt.Errorf("%w: %s has no data of a cluster; a server starts on it as it is", ErrNotLeft, string(dir))
	}
	lock, err := disk.Lock(string(dir))
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if cfg.Cluster.Listen != "" {
		if err := lastOne(ctx, cfg); err != nil {
			return "", err
		}
	}
	work := dir.file(converting)
	cfg.Log.Info("copying the matches, and making the copy one of a single server; this takes some seconds",
		"event", "cluster-leave",
		"from", string(dir))
	if err := os.RemoveAll(work); err != nil { // of an interrupted try
		return "", err
	}
	if err := os.CopyFS(filepath.Join(work, "jetstream"), os.DirFS(dir.file("jetstream"))); err != nil {
		return "", fmt.Errorf("%w: %w", ErrNotLeft, err)
	}
	if err := separate(ctx, cfg, dir, work); err != nil {
		return "", errors.Join(fmt.Errorf("%w: %w", ErrNotLeft, err), os.RemoveAll(work))
	}
	if err := os.Rename(filepath.Join(work, "jetstream", "$SYS"), filepath.Join(work, "$SYS")); err != nil {
		return "", err
	}
	return swap(dir, work, "cluster", "members")
}

// lastOne returns an error if another node of the cluster answers.
func lastOne(ctx context.Context, cfg Config) error {
	v, err := guest(ctx, cfg)
	if err != nil {
		return err
	}
	defer v.close()
	_, answers, err := v.meet(ctx)
	if errors.Is(err, ErrNoClusterFound) {
		return nil
	}
	if err == nil {
		err = fmt.Errorf("%w: %s answers at %s: a cluster with a server that runs is repaired by --replace", ErrNotLeft,
			answers[0].Name, answers[0].Address)
	}
	return err
}

// converting is the directory of the copy that becomes one of a single server, or of a cluster.
const converting = "converting"

// swap replaces the streams by those of the finished copy. It moves them and the named files into a directory of that
// kind, and returns that.
func swap(dir dataDir, work, kind string, files ...string) (kept string, err error) {
	kept = dir.file(kind + "-" + time.Now().UTC().Format("20060102T150405Z"))
	if err := os.Mkdir(kept, 0o700); err != nil {
		return "", err
	}
	for _, name := range append(files, "jetstream") {
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

// separate starts the node on a copy of its files, makes it the only member of its cluster, and makes the streams ones
// without replicas.
func separate(ctx context.Context, cfg Config, dir dataDir, work string) error {
	name, err := disk.ReadSmall(dir.file("node"))
	if err != nil {
		return err
	}
	cfg.Node = strings.TrimSpace(string(name))
	return onlyMember(ctx, cfg, dataDir(work), func(n *Node) error {
		return eachStream(dataDir(work), func(stream string) error { return unreplicate(ctx, n, stream) })
	})
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

package natsd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"notakto/match/journal/internal/disk"
)

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

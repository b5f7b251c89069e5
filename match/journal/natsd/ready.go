package natsd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Ready returns once this node of a cluster has a complete copy of every stream that it has to keep, and an event can
// be recorded.
func (n *Node) Ready(ctx context.Context) error {
	if n.Config.Cluster.Listen == "" {
		return nil
	}
	said := time.Now()
	for {
		err := n.unready(ctx)
		switch {
		case err == nil:
			return os.RemoveAll(n.dir.replacing())
		case errors.Is(err, ErrRemoved):
			return err
		case ctx.Err() != nil:
			return fmt.Errorf("%w: %w", err, context.Cause(ctx))
		case time.Since(said) >= sayWaiting:
			n.Config.Log.Info("waiting until this server can take players", "event", "ready-wait", "error", err)
			said = time.Now()
		}
		Wait(ctx, RetryDelay)
	}
}

// Watch watches the other nodes of the cluster until ctx ends.
func (n *Node) Watch(ctx context.Context) { n.newWatcher().run(ctx) }

// unready returns what this node of a cluster still lacks.
func (n *Node) unready(ctx context.Context) error {
	if err := n.isMember(ctx); err != nil {
		return err
	}
	for _, name := range streams() {
		info, err := StreamInfo(ctx, n.JetStream, name)
		if err != nil {
			return fmt.Errorf("the leader of the stream %s: %w", name, err)
		}
		if err := n.holds(ctx, info); err != nil {
			return err
		}
	}
	return n.Check(ctx)
}

// isMember returns an error if the other nodes do not know this one as a member of their cluster. It is [ErrRemoved] if
// most of them say so and this node was one.
func (n *Node) isMember(ctx context.Context) error {
	answers := askNodes(ctx, n.JetStream.Conn(), n.run, func(all []nodeAnswer) bool {
		_, found := find(union(all), n.Config.Node)
		return found || len(all) >= len(n.Config.Cluster.others())
	}, n.now)
	answers = slices.DeleteFunc(answers, func(a nodeAnswer) bool { return len(a.Members) < 2 }) // it has just started
	members := union(answers)
	_, found := find(members, n.Config.Node)
	switch {
	case found || len(members) == 0:
		return nil
	case n.wasMember && 2*len(answers) > len(members):
		return fmt.Errorf("%w; its members are %s", ErrRemoved, list(members))
	default:
		return fmt.Errorf("the cluster of %s to let it in: a server of the name of one that was removed is let "+
			"in five minutes after that, and one of another --node-name at once", list(members))
	}
}

// holds returns an error unless this node has a complete copy of a stream. In a cluster of more than three nodes it may
// have none.
func (n *Node) holds(ctx context.Context, info *jetstream.StreamInfo) error {
	name, cluster := info.Config.Name, info.Cluster
	if cluster == nil || cluster.Leader == "" {
		return fmt.Errorf("the stream %s to have a leader", name)
	}
	if cluster.Leader == n.Config.Node {
		return nil
	}
	holders := []string{cluster.Leader}
	for _, r := range cluster.Replicas {
		if isPeer(r, n.Config.Node) {
			if !r.Current || r.Offline {
				return fmt.Errorf("the copy of the stream %s here to be complete", name)
			}
			return nil
		}
		holders = append(holders, n.peerName(r))
	}
	replicas := n.Config.Cluster.replicas()
	if info.Config.Replicas < replicas { // the cluster has grown
		cfg := info.Config
		cfg.Replicas = replicas
		_, err := n.JetStream.UpdateStream(ctx, cfg)
		return errors.Join(fmt.Errorf("the stream %s to be copied here", name), err)
	}
	if len(n.Config.Cluster.others()) >= maxReplicas {
		return nil
	}
	return fmt.Errorf("a copy of the stream %s here, which %s keep: if one of them is lost for good, run:"+
		" notakto cluster remove NAME", name, strings.Join(holders, ", "))
}

// peerName returns the name of a replica's node, or NATS's name for it.
func (n *Node) peerName(r *jetstream.PeerInfo) string {
	if m, ok := findIn(n.members(), r); ok {
		return m.String()
	}
	return r.Name
}

// findIn returns the member that a replica is on.
func findIn(members []member, r *jetstream.PeerInfo) (member, bool) {
	for _, m := range members {
		if r.Name == m.Name || strings.Contains(r.Name, m.ID) {
			return m, true
		}
	}
	return member{}, false
}

// inContact is how recently a replica of MATCHES must have answered its leader to count as in contact with it. The
// leader asks once a second.
const inContact = 3 * time.Second

// Check returns nil if an event can be recorded now, and wraps [match.ErrUnavailable] if not. An embedded server of its
// own must run and have room on the disk. In a cluster, and at an outside NATS, the leader of MATCHES must answer
// within two seconds and be in contact with a majority. It records nothing. It may be called from any goroutine.
func (n *Node) Check(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := n.Monitor.Writable(); err != nil {
		return err
	}
	if n.server != nil && !n.server.records() {
		return Unavailable(errNoServer)
	}
	if n.Config.IsStandalone() {
		return nil
	}
	info, err := StreamInfo(ctx, n.JetStream, MatchesStream)
	switch {
	case err == nil && info.Cluster != nil && !hasMajority(info.Cluster):
		err = errNoMajority
	case n.server != nil && errors.Is(err, context.DeadlineExceeded):
		err = errNoAnswer
	}
	return Unavailable(err)
}

// hasMajority reports whether a stream has a leader that is in contact with enough replicas to record. A leader that
// was cut off takes itself for one for up to ten seconds more. Replicas does not list the leader.
func hasMajority(c *jetstream.ClusterInfo) bool {
	if c.Leader == "" {
		return false
	}
	reached := 1
	for _, r := range c.Replicas {
		if !r.Offline && r.Active < inContact {
			reached++
		}
	}
	return 2*reached > len(c.Replicas)+1
}

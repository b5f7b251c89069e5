package journal

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

// ready returns once this node of a cluster keeps a complete copy of every stream that it has to keep, and an event
// can be recorded.
func (s *Store) ready(ctx context.Context) error {
	if s.cfg.Cluster.Listen == "" {
		return nil
	}
	said := time.Now()
	for {
		err := s.unready(ctx)
		if err == nil {
			err = os.Remove(replacingFile(s.diskMonitor.dir))
			if errors.Is(err, os.ErrNotExist) {
				err = nil
			}
			return err
		}
		if errors.Is(err, ErrRemoved) {
			return err
		}
		if ctx.Err() != nil {
			return fmt.Errorf("%w: %w", err, context.Cause(ctx))
		}
		if time.Since(said) >= sayWaiting {
			s.cfg.Log.Info("waiting until this server can take players", "for", err)
			said = time.Now()
		}
		wait(ctx, retryDelay)
	}
}

// unready says what this node of a cluster still lacks.
func (s *Store) unready(ctx context.Context) error {
	if err := s.isMember(ctx); err != nil {
		return err
	}
	for _, name := range [...]string{matchesStream, archiveStream, registryStream} {
		info, err := askStream(ctx, s.js, name)
		if err != nil {
			return fmt.Errorf("the leader of the stream %s: %w", name, err)
		}
		if err := s.holds(ctx, info); err != nil {
			return err
		}
	}
	return s.Check(ctx)
}

// isMember is an error if the other nodes do not take this one for a member of their cluster. [ErrRemoved], if most of
// them say so and this node had been one.
func (s *Store) isMember(ctx context.Context) error {
	answers := askNodes(ctx, s.conn, s.run, func(all []nodeAnswer) bool {
		_, found := find(union(all), s.cfg.Node)
		return found || len(all) >= len(s.cfg.Cluster.others())
	}, s.clock.now)
	answers = slices.DeleteFunc(answers, func(a nodeAnswer) bool { return len(a.Members) < 2 }) // which has just begun
	members := union(answers)
	_, found := find(members, s.cfg.Node)
	switch {
	case found || len(members) == 0:
		return nil
	case s.wasMember && 2*len(answers) > len(members):
		return fmt.Errorf("%w; its members are %s", ErrRemoved, list(members))
	default:
		return fmt.Errorf("the cluster of %s to let it in: a server of the name of one that was removed is let in five minutes"+
			" after that, and one of another --node-name at once", list(members))
	}
}

// holds is an error unless this node has a complete copy of a stream. In a cluster of more than three nodes it need
// not have any.
func (s *Store) holds(ctx context.Context, info *jetstream.StreamInfo) error {
	name, cluster := info.Config.Name, info.Cluster
	if cluster == nil || cluster.Leader == "" {
		return fmt.Errorf("the stream %s to have a leader", name)
	}
	if cluster.Leader == s.cfg.Node {
		return nil
	}
	holders := []string{cluster.Leader}
	for _, r := range cluster.Replicas {
		if isPeer(r, s.cfg.Node) {
			if !r.Current || r.Offline {
				return fmt.Errorf("the copy of the stream %s here to be complete", name)
			}
			return nil
		}
		holders = append(holders, s.peerName(r))
	}
	replicas := s.cfg.Cluster.replicas()
	if info.Config.Replicas < replicas { // the cluster has grown
		cfg := info.Config
		cfg.Replicas = replicas
		_, err := s.js.UpdateStream(ctx, cfg)
		return errors.Join(fmt.Errorf("the stream %s to be copied here", name), err)
	}
	if len(s.cfg.Cluster.others()) >= maxReplicas {
		return nil
	}
	return fmt.Errorf("a copy of the stream %s here, which %s keep: if one of them is lost for good, run:"+
		" notakto cluster remove NAME", name, strings.Join(holders, ", "))
}

// peerName is the name of a replica's node, or what NATS says in its place.
func (s *Store) peerName(r *jetstream.PeerInfo) string {
	if m, ok := findIn(s.members(), r); ok {
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

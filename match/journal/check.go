package journal

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// inContact is how recently a replica of MATCHES must have answered its leader to count as in contact with it. The
// leader asks once a second.
const inContact = 3 * time.Second

// errNoMajority says that the leader of a stream has lost contact with most of its replicas.
var errNoMajority = errors.New("the leader of the matches is in contact with too few servers")

// Check returns nil if an event can be recorded now, and wraps [match.ErrUnavailable] if not. An embedded server of its
// own must run and have room on the disk. In a cluster, and at an outside NATS, the leader of MATCHES must answer
// within two seconds and be in contact with a majority. Check records nothing. It may be called from any goroutine.
func (s *Store) Check(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.publisher.checkDisk(); err != nil {
		return err
	}
	if s.embedded != nil && !s.embedded.records() {
		return unavailable(errNoServer)
	}
	if s.cfg.isStandalone() {
		return nil
	}
	info, err := askStream(ctx, s.js, matchesStream)
	if err == nil && info.Cluster != nil && !hasMajority(info.Cluster) {
		err = errNoMajority
	}
	return unavailable(err)
}

// askStream returns what the leader of a stream says about it.
func askStream(ctx context.Context, js jetstream.JetStream, name string) (*jetstream.StreamInfo, error) {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	stream, err := js.Stream(ctx, name)
	if err != nil {
		return nil, err
	}
	return stream.CachedInfo(), nil
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

package journal

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	// askEvery is how often a node asks the others of its cluster how they are.
	askEvery = 1500 * time.Millisecond
	// answerTimeout is how long they have to answer.
	answerTimeout = time.Second
	// downAfter is how long a node may give no answer before it counts as down.
	downAfter = 5 * time.Second
	// sayEvery is how often the log is told what has not changed.
	sayEvery = time.Minute
	// clocksWithin is how far the clocks of two nodes may be apart without a word.
	clocksWithin = 2 * time.Second
	// registryTimeout is how long a cluster may take to find a leader for BOARD. NATS's elections take up to nine
	// seconds.
	registryTimeout = 12 * time.Second
)

// remote is another member of the cluster as this node sees it.
type remote struct {
	lastAnswer  time.Time // when it answered last, by this process's clock
	downSaid    time.Time // when the log was told that it is down; zero while it is up
	clockSaid   time.Time // when the log was told that its clock differs
	fingerprint string    // of its host key, as the log was told
}

// watcher tells the log which nodes of the cluster are down, and whose clock or host key differs from this node's. It
// belongs to one goroutine.
type watcher struct {
	log  *slog.Logger
	self nodeInfo
	seen map[string]*remote // by ID
}

// watch asks the other nodes again and again until ctx ends.
func (s *Store) watch(ctx context.Context) {
	led := time.Now()
	n := &watcher{log: s.cfg.Log, self: s.info(), seen: map[string]*remote{}}
	for ctx.Err() == nil {
		others := slices.DeleteFunc(s.members(), func(m member) bool { return m.ID == peerID(s.cfg.Node) })
		answers := askNodes(ctx, s.conn, s.run, haveAnswered(others), s.clock.now)
		if err := s.meet(answers); err != nil {
			s.cfg.Log.Warn("the members of the cluster cannot be noted", "err", err)
		}
		if ctx.Err() == nil {
			n.compare(others, answers, s.clock.now())
		}
		if !s.lacksRegistry(ctx) {
			led = time.Now()
		} else if time.Since(led) > registryTimeout {
			s.renewRegistry(ctx)
			led = time.Now()
		}
		wait(ctx, askEvery)
	}
}

// lacksRegistry reports whether this node leads the cluster, and MATCHES can be recorded but BOARD has no leader.
func (s *Store) lacksRegistry(ctx context.Context) bool {
	server := s.embedded.running()
	if server == nil || !server.JetStreamIsLeader() {
		return false
	}
	info, err := askStream(ctx, s.js, registryStream)
	leads := err == nil && (info.Cluster == nil || info.Cluster.Leader != "")
	return !leads && !errors.Is(err, jetstream.ErrStreamNotFound) && s.Check(ctx) == nil
}

// renewRegistry deletes BOARD and makes it anew. Servers that restart come back without their copies, which are in
// memory, and then NATS elects no leader until all of them are up. The nodes renew what was there.
func (s *Store) renewRegistry(ctx context.Context) {
	s.cfg.Log.Warn("the stream of the notices is made anew: too many of its copies were lost in restarts",
		"stream", registryStream)
	one, cancel := context.WithTimeout(ctx, 2*answerWithin)
	defer cancel()
	err := s.js.DeleteStream(one, registryStream)
	if err == nil {
		err = s.restore(ctx)
	}
	if err != nil && ctx.Err() == nil {
		s.cfg.Log.Error("the stream of the notices cannot be made anew", "stream", registryStream, "err", err)
	}
}

// meet notes the names of the members that answered.
func (s *Store) meet(answers []nodeAnswer) error {
	server := s.embedded.running()
	if server == nil {
		return nil
	}
	ids := metaPeers(server)
	if len(ids) < 2 {
		return nil // it has not joined yet
	}
	met := []member{{ID: peerID(s.cfg.Node), Name: s.cfg.Node, Address: s.cfg.Cluster.Listen}}
	for _, a := range answers {
		if a.Joined {
			met = append(met, member{ID: peerID(a.Name), Name: a.Name, Address: a.Address})
		}
	}
	return s.roster.meet(met, ids)
}

// compare compares what was answered with what was known before, and tells the log what is new or lasts.
func (n *watcher) compare(others []member, answers []nodeAnswer, now time.Time) {
	answered := map[string]nodeAnswer{}
	for _, a := range answers {
		answered[peerID(a.Name)] = a
	}
	known := map[string]*remote{}
	for _, m := range others {
		if known[m.ID] = n.seen[m.ID]; known[m.ID] == nil {
			known[m.ID] = &remote{lastAnswer: now}
		}
		if a, ok := answered[m.ID]; ok {
			n.upText(known[m.ID], a, now)
		} else {
			n.downText(known[m.ID], m, now)
		}
	}
	n.seen = known
}

// upText is what is to be said about a node that answers.
func (n *watcher) upText(it *remote, a nodeAnswer, now time.Time) {
	if !it.downSaid.IsZero() {
		n.log.Info("a server of the cluster is back",
			"name", a.Name, "address", a.Address, "after", now.Sub(it.lastAnswer).Round(time.Second))
	}
	it.lastAnswer, it.downSaid = now, time.Time{}
	differs := a.Fingerprint != "" && n.self.Fingerprint != "" && a.Fingerprint != n.self.Fingerprint
	if differs && it.fingerprint != a.Fingerprint {
		n.log.Error("two servers of the cluster have different host keys, and players will be warned of an impostor:"+
			" copy host_ed25519 from one to the others and restart them",
			"here", n.self.Fingerprint, "name", a.Name, "there", a.Fingerprint)
	}
	it.fingerprint = a.Fingerprint
	if a.ahead.Abs() > clocksWithin+a.off && (it.clockSaid.IsZero() || now.Sub(it.clockSaid) >= sayEvery) {
		n.log.Error("the clocks of two servers of the cluster differ: set both by NTP, and restart the one that was wrong",
			"name", a.Name, "address", a.Address, "ahead", a.ahead.Round(time.Millisecond))
		it.clockSaid = now
	}
}

// downText is what is to be said about a node that does not answer.
func (n *watcher) downText(it *remote, m member, now time.Time) {
	quiet := now.Sub(it.lastAnswer)
	switch {
	case quiet < downAfter, !it.downSaid.IsZero() && now.Sub(it.downSaid) < sayEvery:
		return
	case it.downSaid.IsZero():
		n.log.Warn("a server of the cluster does not answer", "name", m.String(), "address", m.Address)
	default:
		n.log.Warn("a server of the cluster still does not answer; one that is lost for good can be replaced (--replace)"+
			" or removed (notakto cluster remove)", "name", m.String(), "address", m.Address, "for", quiet.Round(time.Second))
	}
	it.downSaid = now
}

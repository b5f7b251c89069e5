package natsd

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	// askEvery is how often a node asks the others of its cluster for their state.
	askEvery = 1500 * time.Millisecond
	// answerTimeout is how long they have to answer.
	answerTimeout = time.Second
	// downAfter is how long a node may give no answer before it counts as down.
	downAfter = 5 * time.Second
	// sayEvery is how often the log repeats what has not changed.
	sayEvery = time.Minute
	// clocksWithin is how far the clocks of two nodes may differ without an error in the log.
	clocksWithin = 2 * time.Second
	// registryTimeout is how long a cluster may take to find a leader for BOARD. NATS's elections take up to nine
	// seconds.
	registryTimeout = 12 * time.Second
)

// remote is another member of the cluster as this node sees it.
type remote struct {
	lastAnswer  time.Time // when it answered last, by this process's clock
	downSaid    time.Time // when it was last logged as down; zero while it is up
	clockSaid   time.Time // when its clock was last logged
	fingerprint string    // of its host key, as it was logged
}

// watcher logs which nodes of the cluster are down, and whose clock or host key differs from this node's. It also makes
// BOARD anew if that has no leader. It belongs to one goroutine.
type watcher struct {
	node *Node
	log  *slog.Logger
	self nodeInfo
	seen map[string]*remote // by ID
}

func (n *Node) newWatcher() *watcher {
	return &watcher{node: n, log: n.Config.Log, self: n.info(), seen: map[string]*remote{}}
}

// run watches until ctx ends.
func (w *watcher) run(ctx context.Context) {
	n, led := w.node, time.Now()
	for ctx.Err() == nil {
		others := slices.DeleteFunc(n.members(), func(m member) bool { return m.ID == peerID(n.Config.Node) })
		answers := askNodes(ctx, n.JetStream.Conn(), n.run, haveAnswered(others), n.now)
		if err := w.meet(answers); err != nil {
			n.Config.Log.Warn("the members of the cluster cannot be noted", "event", "members-unsaved", "error", err)
		}
		if ctx.Err() == nil {
			w.compare(others, answers, n.now())
			n.ClusterFacts.Store(w.facts())
		}
		if !w.lacksRegistry(ctx) {
			led = time.Now()
		} else if time.Since(led) > registryTimeout {
			w.renewRegistry(ctx)
			led = time.Now()
		}
		Wait(ctx, askEvery)
	}
}

// lacksRegistry reports whether this node leads the cluster, and MATCHES can be recorded but BOARD has no leader.
func (w *watcher) lacksRegistry(ctx context.Context) bool {
	server := w.node.Embedded()
	if server == nil || !server.JetStreamIsLeader() {
		return false
	}
	info, err := StreamInfo(ctx, w.node.JetStream, RegistryStream)
	leads := err == nil && (info.Cluster == nil || info.Cluster.Leader != "")
	return !leads && !errors.Is(err, jetstream.ErrStreamNotFound) && w.node.Check(ctx) == nil
}

// renewRegistry deletes BOARD and makes it anew. Its copies are in memory and lost when a server restarts, and NATS
// then elects no leader until all servers are up. The nodes write their entries again.
func (w *watcher) renewRegistry(ctx context.Context) {
	w.log.Warn("the stream of the notices is made anew: too many of its copies were lost in restarts",
		"event", "registry-renewed",
		"stream", RegistryStream)
	one, cancel := context.WithTimeout(ctx, 2*AnswerWithin)
	defer cancel()
	err := w.node.JetStream.DeleteStream(one, RegistryStream)
	if err == nil {
		err = w.node.Streams.Restore(ctx)
	}
	if err != nil && ctx.Err() == nil {
		w.log.Error("the stream of the notices cannot be made anew",
			"event", "registry-failed", "stream", RegistryStream, "error", err)
	}
}

// meet adds the members that answered to the roster.
func (w *watcher) meet(answers []nodeAnswer) error {
	server := w.node.Embedded()
	if server == nil {
		return nil
	}
	ids := metaPeers(server)
	if len(ids) < 2 {
		return nil // it has not joined yet
	}
	met := []member{{ID: peerID(w.node.Config.Node), Name: w.node.Config.Node, Address: w.node.Config.Cluster.Listen}}
	for _, a := range answers {
		if a.Joined {
			met = append(met, member{ID: peerID(a.Name), Name: a.Name, Address: a.Address})
		}
	}
	return w.node.roster.meet(met, ids)
}

// compare compares the answers with what was known before, and logs what is new or lasts.
func (w *watcher) compare(others []member, answers []nodeAnswer, now time.Time) {
	answered := map[string]nodeAnswer{}
	for _, a := range answers {
		answered[peerID(a.Name)] = a
	}
	known := map[string]*remote{}
	for _, m := range others {
		if known[m.ID] = w.seen[m.ID]; known[m.ID] == nil {
			known[m.ID] = &remote{lastAnswer: now}
		}
		if a, ok := answered[m.ID]; ok {
			w.logUp(known[m.ID], a, now)
		} else {
			w.logDown(known[m.ID], m, now)
		}
	}
	w.seen = known
}

// logUp logs what is new about a node that answers.
func (w *watcher) logUp(it *remote, a nodeAnswer, now time.Time) {
	if !it.downSaid.IsZero() {
		w.log.Info("a server of the cluster is back", "event", "node-up",
			"name", a.Name, "address", a.Address, "duration_ms", now.Sub(it.lastAnswer).Milliseconds())
	}
	it.lastAnswer, it.downSaid = now, time.Time{}
	differs := a.Fingerprint != "" && w.self.Fingerprint != "" && a.Fingerprint != w.self.Fingerprint
	if differs && it.fingerprint != a.Fingerprint {
		w.log.Error("two servers of the cluster have different host keys, and players will be warned of an impostor:"+
			" copy host_ed25519 from one to the others and restart them", "event", "host-keys-differ",
			"here", w.self.Fingerprint, "name", a.Name, "there", a.Fingerprint)
	}
	it.fingerprint = a.Fingerprint
	if a.ahead.Abs() > clocksWithin+a.off && (it.clockSaid.IsZero() || now.Sub(it.clockSaid) >= sayEvery) {
		w.log.Error("the clocks of two servers of the cluster differ: set both by NTP, and restart the one that was wrong",
			"event", "clocks-differ",
			"name", a.Name, "address", a.Address, "ahead_ms", a.ahead.Milliseconds())
		it.clockSaid = now
	}
}

// logDown logs that a node does not answer.
func (w *watcher) logDown(it *remote, m member, now time.Time) {
	quiet := now.Sub(it.lastAnswer)
	switch {
	case quiet < downAfter, !it.downSaid.IsZero() && now.Sub(it.downSaid) < sayEvery:
		return
	case it.downSaid.IsZero():
		w.log.Warn("a server of the cluster does not answer",
			"event", "node-down", "name", m.String(), "address", m.Address)
	default:
		w.log.Warn("a server of the cluster still does not answer; one that is lost for good can be replaced (--replace)"+
			" or removed (notakto cluster remove)",
			"event", "node-down", "name", m.String(), "address", m.Address, "duration_ms", quiet.Milliseconds())
	}
	it.downSaid = now
}

package natsd

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// ErrNotAdmitted says that a node without data cannot join its cluster as configured.
var ErrNotAdmitted = errors.New("this server does not join the cluster")

// ErrRemoved says that a node was removed from its cluster and has started again with its old data.
var ErrRemoved = errors.New("this server was removed from the cluster: move its journal directory away, and " +
	"start it again; it joins as a new one")

// settle decides which node of which cluster this is, and returns when it may start.
func (n *Node) settle(ctx context.Context) error {
	inCluster := n.Config.Cluster.Listen != ""
	err := n.dir.fits(inCluster)
	if err == nil {
		err = n.dir.beginAgain(&n.Config.Cluster)
	}
	if err == nil {
		err = n.dir.nameNode(&n.Config)
	}
	if err != nil {
		return err
	}
	if inCluster {
		n.Config.Log = n.Config.Log.With("node", n.Config.Node)
	}
	if n.roster, err = openRoster(n.dir.file("members")); err != nil {
		return err
	}
	n.wasMember = n.dir.joined() && len(n.roster.all()) > 1
	if inCluster && !n.dir.joined() {
		err = n.admit(ctx)
	}
	if err == nil && inCluster && n.dir.isOwn() {
		err = found(ctx, n.Config, n.dir)
	}
	if err != nil {
		return err
	}
	return errors.Join(n.dir.writeName(n.Config.Node), n.dir.noteReplacing(n.Config.Cluster.Replace))
}

// admit returns once a node without data of its cluster may join it. It asks the other nodes, through a guest server.
// If none of them has data, all start together; if one has matches of a single server, that is the first.
// [ErrNotAdmitted], [ErrOwnFiles].
func (n *Node) admit(ctx context.Context) error {
	v, err := newGuestServer(ctx, n.Config, n.Config.Cluster)
	if err != nil {
		return err
	}
	defer v.close()
	if err := serveInfo(v.conn, n.info); err != nil {
		return err
	}
	said, own := time.Now().Add(RetryDelay-sayWaiting), n.dir.isOwn()
	for {
		answers := askNodes(ctx, v.conn, n.run, isEnough(len(n.Config.Cluster.others())), n.now)
		why, err := n.Config.judge(answers, own)
		if err != nil { // the error names members that do not answer: give them more time
			if _, late, e := v.meet(ctx); e == nil {
				why, err = n.Config.judge(late, own)
			}
		}
		if err == nil && why == "" {
			why = v.awaitTurn(ctx, n.Config, answers)
		}
		if err == nil && why == "" && n.Config.Cluster.Replace != "" {
			why = v.incomplete(ctx, n.Config.Cluster.Replace)
		}
		switch {
		case err != nil || why == "":
			return err
		case ctx.Err() != nil:
			return fmt.Errorf("%w: %s: %w", ErrNotAdmitted, why, context.Cause(ctx))
		case time.Since(said) >= sayWaiting:
			n.Config.Log.Info("this server has no data of the cluster yet, and waits before it joins",
				"event", "cluster-join-wait",
				"name", n.Config.Node, "error", why)
			said = time.Now()
		}
		Wait(ctx, RetryDelay)
	}
}

// sayWaiting is how often the log repeats what a start waits for.
const sayWaiting = 10 * time.Second

// judge decides by the answers of the other nodes whether a node without data may join, or one with data of its own
// may be the first. It returns what to wait for, empty if it may join now.
func (c Config) judge(answers []nodeAnswer, own bool) (wait string, err error) {
	var with []nodeAnswer
	var founder string
	for _, a := range answers {
		switch {
		case own && (a.Joined || a.Matches):
			return "", fmt.Errorf("%w; %s at %s has data too", ErrOwnFiles, a.Name, a.Address)
		case a.Name == c.Node:
			return "", fmt.Errorf("%w: a server of its name, %s, runs at %s; stop that one, or choose another with --node-name",
				ErrNotAdmitted, a.Name, a.Address)
		case a.Joined:
			with = append(with, a)
		case a.Matches:
			founder = a.Address
		}
	}
	others := len(c.Cluster.others())
	if len(with) == 0 && (len(answers) < others || c.Cluster.Replace != "") {
		return fmt.Sprintf("all of %s to be started, or one that has data; do they have the same secret, and certificates of"+
			" the same authority?", strings.Join(c.Cluster.others(), ", ")), nil
	}
	if len(with) == 0 && founder != "" {
		return "the server at " + founder + ", which has the matches of a single server, to begin the cluster", nil
	}
	if len(with) == 0 {
		return "", nil
	}
	return "", c.checkRoom(with)
}

// checkRoom returns an error if there is no place for a node without data among the members.
func (c Config) checkRoom(with []nodeAnswer) error {
	members := union(with)
	_, mine := find(members, c.Node)
	switch {
	case c.Cluster.Replace != "" && !mine:
		return fmt.Errorf("%w: it has no member %s to replace; the members are %s",
			ErrNotAdmitted, c.Cluster.Replace, list(members))
	case c.Cluster.Replace == "" && (mine || len(members) > len(c.Cluster.others())):
		return fmt.Errorf("%w: it is new, without data, and the cluster has all its members, %s%s;"+
			" to take the place of one that is lost for good, start once with --replace NAME; to remove one: notakto "+
			"cluster remove NAME",
			ErrNotAdmitted, list(members), silentMembers(members, with))
	}
	return nil
}

// silentMembers lists the members that do not answer.
func silentMembers(members []member, answers []nodeAnswer) string {
	members = slices.DeleteFunc(slices.Clone(members), func(m member) bool {
		return slices.ContainsFunc(answers, func(a nodeAnswer) bool { return peerID(a.Name) == m.ID })
	})
	if len(members) == 0 {
		return ""
	}
	return "; these do not answer: " + list(members)
}

// isPeer reports whether a replica is on the node of a name. For a node that it has not met since it started, NATS
// gives only the ID.
func isPeer(r *jetstream.PeerInfo, name string) bool {
	return r.Name == name || strings.Contains(r.Name, peerID(name))
}

// incomplete returns a stream that is not complete on all other nodes that keep it. Until it is, a node that lost its
// data must not start under its old name: together with a node that is behind it would be a majority that has lost
// acknowledged events.
func (v *guestServer) incomplete(ctx context.Context, lost string) string {
	for _, name := range fileStreams() {
		info, err := StreamInfo(ctx, v.js, name)
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			continue
		}
		if err != nil || info.Cluster == nil || info.Cluster.Leader == "" {
			return fmt.Sprintf("a leader of the stream %s: more than half of the servers that keep it must be up", name)
		}
		for _, r := range info.Cluster.Replicas {
			if !isPeer(r, lost) && (!r.Current || r.Offline) {
				return fmt.Sprintf("the copy of the stream %s on %s to be complete", name, r.Name)
			}
		}
	}
	return ""
}

// awaitTurn returns what a node without data waits for before it joins a cluster in which fewer are members than are
// not: together those could elect a leader that knows no matches. So they join one at a time, by their names, and only
// a cluster that has a leader.
func (v *guestServer) awaitTurn(ctx context.Context, cfg Config, answers []nodeAnswer) string {
	all, founded, first := len(cfg.Cluster.others())+1, false, true
	var members []int // how many each member knows
	for _, a := range answers {
		founded = founded || a.Joined && a.Matches
		switch {
		case len(a.Members) > 0:
			members = append(members, len(a.Members))
		case !a.Joined && a.Name < cfg.Node:
			first = false
		}
	}
	if !founded || len(members) == 0 || 2*slices.Min(members) >= all {
		return ""
	}
	if len(answers) < all-1 || slices.Min(members) < slices.Max(members) || !first {
		return "the other new servers, which join one after the other: all of " +
			strings.Join(cfg.Cluster.others(), ", ") + " have to be started"
	}
	ctx, cancel := context.WithTimeout(ctx, AnswerWithin)
	defer cancel()
	if _, err := v.js.AccountInfo(ctx); err != nil {
		return "the cluster to have a leader"
	}
	return ""
}

// guestServer is a server that reaches a cluster and keeps nothing.
type guestServer struct{ clusterClient }

// newGuestServer starts a server that connects to the nodes of a cluster, and listens as cluster says.
func newGuestServer(ctx context.Context, cfg Config, cluster Cluster) (*guestServer, error) {
	options := server.Options{ServerName: "visitor-" + rand.Text()[:12], NoSigs: true}
	if err := cluster.join(&options); err != nil {
		return nil, err
	}
	v := new(guestServer)
	v.embedded = &embeddedServer{options: options, logger: natsLogger{log: cfg.Log, isBrief: true}}
	if err := v.embedded.start(ctx); err != nil {
		return nil, err
	}
	var err error
	if v.conn, err = nats.Connect("", v.embedded.login(localUser)); err != nil {
		v.close()
		return nil, err
	}
	if v.js, err = jetstream.New(v.conn); err != nil {
		v.close()
		return nil, err
	}
	return v, nil
}

// close returns when the server has stopped.
func (v *guestServer) close() {
	if v.conn != nil {
		v.conn.Close()
	}
	v.embedded.stop()
}

const (
	// silentFor is how long the other servers may be silent before they are called. Each leader sends something once a
	// second.
	silentFor = 1800 * time.Millisecond
	// callWithin is how long a server may take to answer a call.
	callWithin = time.Second
	// tryAfter is when a stopped server is started again even if it reaches no majority. A firewall may drop packets to
	// a port without a listener, and then two stopped servers would never reach each other.
	tryAfter = 20 * time.Second
)

// isolation detects that the network has cut this server off from most of its cluster.
//
// A server that is cut off calls elections without success, each with a higher term. When the network recovers, that
// term deposes the other servers' leaders, and no player can move for up to nine seconds. So the server is stopped
// before its first election, which it calls after four seconds.
type isolation struct {
	peers    []string // the other servers' addresses; none for a standalone server
	call     func(ctx context.Context, peer string) error
	received int64     // number of messages received from them
	since    time.Time // when the last one did
	began    time.Time // when this server was found to be cut off; zero if it is not
}

// isCutOff reports whether the other servers are silent and too few of them can be reached. It takes at most
// callWithin.
func (i *isolation) isCutOff(ctx context.Context, received int64) bool {
	if now := time.Now(); received != i.received || i.since.IsZero() {
		i.received, i.since = received, now
	}
	return len(i.peers) > 0 && time.Since(i.since) > silentFor && !i.reachesMajority(ctx)
}

// reachesMajority reports whether this server and those that it can reach are more than half.
func (i *isolation) reachesMajority(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, callWithin)
	defer cancel()
	var calls sync.WaitGroup
	var reached atomic.Int64
	for _, peer := range i.peers {
		calls.Go(func() {
			if i.call(ctx, peer) == nil {
				reached.Add(1)
			}
		})
	}
	calls.Wait()
	return 2*(int(reached.Load())+1) > len(i.peers)+1
}

// call returns nil if a server can be reached. A refused connection counts: the network works, and that server may be
// waiting for this one.
func call(ctx context.Context, peer string) error {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", peer)
	switch {
	case err == nil:
		return conn.Close()
	case errors.Is(err, syscall.ECONNREFUSED):
		return nil
	default:
		return err
	}
}

// received returns how many messages came from other servers over the open connections, and from how many servers.
func (h *embeddedServer) received() (n int64, servers int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.server == nil {
		return 0, 0
	}
	routes, err := h.server.Routez(&server.RoutezOptions{})
	if err != nil {
		return 0, 0
	}
	seen := map[string]bool{}
	for _, r := range routes.Routes {
		n += r.InMsgs
		seen[r.RemoteID] = true
	}
	return n, len(seen)
}

// compact compacts the Raft log of MATCHES if this server leads it, so that a rejoining server gets a snapshot. With
// the log, a former leader that was cut off needs two seconds for each entry that it had not committed (nats-server
// 2.15.2), and does not count if another server fails before that.
func (h *embeddedServer) compact() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.server == nil || !h.server.JetStreamIsStreamLeader(server.DEFAULT_GLOBAL_ACCOUNT, MatchesStream) {
		return nil
	}
	return h.server.JetStreamSnapshotStream(server.DEFAULT_GLOBAL_ACCOUNT, MatchesStream)
}

// waitForMajority stops the server until a majority can be reached, or tryAfter has passed. Sessions continue; their
// moves are refused with a reason.
func (k *Monitor) waitForMajority(ctx context.Context) {
	i, stopped := &k.isolation, time.Now()
	if i.began.IsZero() {
		i.began = stopped
		k.log.Warn("the other servers of the cluster cannot be reached: nothing is recorded here until they can",
			"event", "cluster-unreachable",
			"peers", i.peers)
	}
	k.cutOff.Store(true)
	k.embedded.stop()
	for ctx.Err() == nil && !i.reachesMajority(ctx) && time.Since(stopped) < tryAfter {
		Wait(ctx, RetryDelay)
	}
	if ctx.Err() != nil {
		return
	}
	if err := k.embedded.start(ctx); err != nil {
		k.log.Error("the journal's server does not come back", "event", "nats-failed", "error", err)
	}
	i.since = time.Now()
}

// logReachable logs that the other servers can be reached again, once one of them has sent something.
func (k *Monitor) logReachable(received int64) {
	if i := &k.isolation; received > 0 && !i.began.IsZero() {
		k.log.Info("the other servers of the cluster can be reached again", "event", "cluster-reachable",
			"duration_ms", time.Since(i.began).Milliseconds())
		i.began = time.Time{}
		k.cutOff.Store(false)
	}
}

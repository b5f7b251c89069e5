package natsd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"notakto/match/internal/disk"
)

// Node is this process's NATS: an embedded server, alone or in a cluster, or a connection to servers outside.
type Node struct {
	Config    Config
	now       func() time.Time
	run       string  // of this process, for the other nodes of a cluster
	dir       dataDir // of an embedded server
	lock      io.Closer
	roster    *roster         // of an embedded server
	wasMember bool            // of its cluster, when this process started
	server    *embeddedServer // nil at an outside NATS
	Monitor   *Monitor        // nil without files of our own
	conns     []*nats.Conn
	JetStream jetstream.JetStream
	Streams   *Streams

	certificateEnd time.Time // zero without a certificate

	ClusterFacts atomic.Pointer[ClusterFacts] // nil on its own
}

// NewNode returns a node that does nothing yet. now is the clock of this process.
func NewNode(cfg Config, now func() time.Time) *Node {
	return &Node{Config: cfg.withDefaults(), now: now, run: newRun(), dir: dataDir(filepath.Join(cfg.Dir, "journal"))}
}

// Prepare locks the directory of an embedded server and decides which node of which cluster this is.
func (n *Node) Prepare(ctx context.Context) (err error) {
	if err := n.Config.check(); err != nil || n.Config.Outside.URL != "" {
		return err
	}
	if n.Config.Memory {
		dir, err := os.MkdirTemp("", "notakto-journal-")
		if err != nil {
			return err
		}
		n.dir = dataDir(dir)
	}
	if _, err := n.dir.format(); err != nil {
		return err
	}
	if err := os.MkdirAll(string(n.dir), 0o700); err != nil {
		return err
	}
	if n.lock, err = disk.Lock(string(n.dir)); err != nil {
		return err
	}
	if err := finishSwap(n.dir); err != nil {
		return err
	}
	n.dir.removeParts()
	if err := n.settle(ctx); err != nil {
		return err
	}
	n.certificateEnd = n.Config.Cluster.certificateEnd()
	options, err := n.Config.options(n.dir)
	if err != nil {
		return err
	}
	n.server = &embeddedServer{options: options, logger: natsLogger{log: n.Config.Log, limit: new(lineLimit)}}
	if n.Config.Memory {
		return nil
	}
	n.Monitor = newMonitor(string(n.dir), n.server, n.Config)
	n.Monitor.check()
	return nil
}

// Start starts the embedded server, if there is one, connects, and answers the other nodes of the cluster. firstSeq
// returns the sequence at which the stream of the registry begins when it is made.
func (n *Node) Start(ctx context.Context, firstSeq func() uint64) (err error) {
	if n.server != nil {
		if err := n.server.start(ctx); err != nil {
			return err
		}
	}
	if n.JetStream, err = n.connect(); err != nil {
		return err
	}
	searches, err := n.connect()
	if err != nil {
		return err
	}
	n.Streams = &Streams{js: n.JetStream, searches: searches, cfg: n.Config, dir: n.dir, firstSeq: firstSeq}
	if n.Monitor != nil {
		n.Monitor.restore = n.Streams.Restore
	}
	switch {
	case n.Config.Outside.URL != "":
		return checkOutside(ctx, n.JetStream, n.Config.Log)
	case n.Config.Cluster.Listen != "":
		return serveInfo(n.JetStream.Conn(), n.info)
	}
	return nil
}

func (n *Node) connect() (jetstream.JetStream, error) {
	conn, err := n.dial()
	if err != nil {
		return nil, err
	}
	n.conns = append(n.conns, conn)
	return jetstream.New(conn)
}

func (n *Node) dial() (*nats.Conn, error) {
	options := []nats.Option{
		nats.Name(n.Config.Node), nats.MaxReconnects(-1), nats.ReconnectWait(50 * time.Millisecond),
		nats.ReconnectJitter(0, 0),
		nats.ReconnectBufSize(-1), // a message that cannot be sent now fails
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			n.Config.Log.Warn("the journal's connection", "event", "nats-connection", "error", err)
		}),
	}
	out := n.Config.Outside
	if out.URL == "" {
		options = append(options, n.server.login(localUser))
	} else {
		options = append(options, nats.ReconnectWait(500*time.Millisecond),
			nats.ReconnectJitter(500*time.Millisecond, time.Second))
	}
	if out.Credentials != "" {
		options = append(options, nats.UserCredentials(out.Credentials))
	}
	if out.CAFile != "" {
		options = append(options, nats.RootCAs(out.CAFile))
	}
	return nats.Connect(out.URL, options...)
}

// Repair repairs the files of the embedded server before it starts: see [dataDir.repair]. readArchive may be nil.
func (n *Node) Repair(readArchive func([]byte)) error { return n.dir.repair(n.Config, readArchive) }

// Path returns the path of a file in the directory of the embedded server.
func (n *Node) Path(name string) string { return n.dir.file(name) }

// Embedded returns the embedded server, nil while there is none.
func (n *Node) Embedded() *server.Server {
	if n.server == nil {
		return nil
	}
	return n.server.running()
}

// Close returns when the connections are closed, the server has stopped, and the directory is free.
func (n *Node) Close() error {
	for _, conn := range n.conns {
		conn.Close()
	}
	var err error
	if n.server != nil && n.server.stop() && !n.Config.Memory {
		err = n.dir.noteStopped()
	}
	if n.lock != nil {
		err = errors.Join(err, n.lock.Close())
	}
	if n.lock != nil && n.Config.Memory {
		err = errors.Join(err, os.RemoveAll(string(n.dir)))
	}
	return err
}

// info returns what this node answers on infoSubject.
func (n *Node) info() nodeInfo {
	info := nodeInfo{
		Run: n.run, Name: n.Config.Node, Address: n.Config.Cluster.Listen, Fingerprint: n.Config.Fingerprint,
		Version: n.Config.Version,
		Time:    n.now(), CertificateEnd: n.certificateEnd, Matches: exists(n.dir.stream(MatchesStream)),
	}
	if n.server != nil {
		info.Joined, info.Members = true, n.members()
	}
	return info
}

// members returns the members of the cluster that the embedded server knows, with their names and addresses if known.
func (n *Node) members() []member {
	s := n.Embedded()
	if s == nil {
		return nil
	}
	var all []member
	for _, id := range metaPeers(s) {
		all = append(all, n.roster.member(id))
	}
	return all
}

// options returns those of an embedded server on a directory.
func (c Config) options(dir dataDir) (server.Options, error) {
	options := server.Options{
		ServerName: c.Node, DontListen: true, NoSigs: true, JetStream: true,
		StoreDir: string(dir), DisableJetStreamBanner: true,
		JetStreamMaxStore: 1 << 50, JetStreamMaxMemory: 1 << 40, // the disk and the operator set the limits
		SyncAlways: c.Sync == Always, SyncInterval: time.Second,
	}
	err := c.Cluster.join(&options)
	return options, err
}

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

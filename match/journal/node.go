package journal

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// node is this process's NATS: an embedded server, alone or in a cluster, or a connection to servers outside.
type node struct {
	cfg       Config
	now       func() time.Time
	run       string // of this process, for the other nodes of a cluster
	dir       dataDir
	lock      io.Closer
	roster    *roster         // of an embedded server
	wasMember bool            // of its cluster, when this process started
	server    *embeddedServer // nil at an outside NATS
	monitor   *diskMonitor    // nil without files of our own
	conn      *nats.Conn
	searches  *nats.Conn // of the archive
	js        jetstream.JetStream
	streams   *streams
}

func newNode(cfg Config, now func() time.Time) *node {
	return &node{cfg: cfg.withDefaults(), now: now, run: newRun()}
}

// prepare locks the directory of an embedded server and settles which node of which cluster this is.
func (n *node) prepare(ctx context.Context) (err error) {
	if err := n.cfg.check(); err != nil || n.cfg.Outside.URL != "" {
		return err
	}
	n.dir = dataDir(filepath.Join(n.cfg.Dir, "journal"))
	if n.cfg.Memory {
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
	if n.lock, err = lock(string(n.dir)); err != nil {
		return err
	}
	if err := finishLeave(n.dir); err != nil {
		return err
	}
	if err := n.settle(ctx); err != nil {
		return err
	}
	options, err := n.cfg.options(n.dir)
	if err != nil {
		return err
	}
	n.server = &embeddedServer{options: options, logger: natsLogger{log: n.cfg.Log}}
	if n.cfg.Memory {
		return nil
	}
	n.monitor = newDiskMonitor(string(n.dir), n.server, n.cfg)
	n.server.logger.unwritten = func() { n.monitor.failed.Store(true) }
	n.monitor.check()
	return nil
}

// start starts the embedded server, if there is to be one, connects to it, and answers the other nodes of the cluster.
// firstSeq tells the sequence at which the stream of the registry begins when it is made.
func (n *node) start(ctx context.Context, firstSeq func() uint64) (err error) {
	if n.server != nil {
		if err := n.server.start(ctx); err != nil {
			return err
		}
	}
	if err := n.connect(); err != nil {
		return err
	}
	n.streams = &streams{js: n.js, cfg: n.cfg, dir: n.dir, firstSeq: firstSeq}
	if n.monitor != nil {
		n.monitor.restore = n.streams.restore
	}
	switch {
	case n.cfg.Outside.URL != "":
		return checkOutside(ctx, n.conn, n.js, n.cfg.Log)
	case n.cfg.Cluster.Listen != "":
		return serveInfo(n.conn, n.info)
	}
	return nil
}

// connect connects twice: the server answers the requests of a connection one after the other, and moves are not to
// wait for searches of the archive.
func (n *node) connect() (err error) {
	if n.conn, err = n.dial(); err != nil {
		return err
	}
	if n.searches, err = n.dial(); err != nil {
		return err
	}
	n.js, err = jetstream.New(n.conn)
	return err
}

func (n *node) dial() (*nats.Conn, error) {
	options := []nats.Option{
		nats.Name(n.cfg.Node), nats.MaxReconnects(-1), nats.ReconnectWait(50 * time.Millisecond), nats.ReconnectJitter(0, 0),
		nats.ReconnectBufSize(-1), // what cannot be sent now fails now
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			n.cfg.Log.Warn("the journal's connection", "err", err)
		}),
	}
	out := n.cfg.Outside
	if out.URL == "" {
		options = append(options, n.server.login(localUser))
	} else {
		options = append(options, nats.ReconnectWait(500*time.Millisecond), nats.ReconnectJitter(500*time.Millisecond, time.Second))
	}
	if out.Credentials != "" {
		options = append(options, nats.UserCredentials(out.Credentials))
	}
	if out.CAFile != "" {
		options = append(options, nats.RootCAs(out.CAFile))
	}
	return nats.Connect(out.URL, options...)
}

// close returns when the connections are closed, the server has stopped, and the directory is free.
func (n *node) close() error {
	for _, conn := range []*nats.Conn{n.conn, n.searches} {
		if conn != nil {
			conn.Close()
		}
	}
	if n.server != nil {
		n.server.stop()
	}
	var err error
	if n.lock != nil {
		err = n.lock.Close()
	}
	if n.cfg.Memory && n.dir != "" {
		err = errors.Join(err, os.RemoveAll(string(n.dir)))
	}
	return err
}

// info is what this node tells the others.
func (n *node) info() nodeInfo {
	info := nodeInfo{
		Run: n.run, Name: n.cfg.Node, Address: n.cfg.Cluster.Listen, Fingerprint: n.cfg.Fingerprint, Version: n.cfg.Version,
		Time: n.now(),
	}
	if n.server != nil {
		info.Joined, info.Members = true, n.members()
	}
	return info
}

// members are the nodes that the embedded server takes for members of the cluster, with the names and addresses that
// are known of them.
func (n *node) members() []member {
	s := n.server.running()
	if s == nil {
		return nil
	}
	var all []member
	for _, id := range metaPeers(s) {
		all = append(all, n.roster.member(id))
	}
	return all
}

// options are those of an embedded server on a directory.
func (c Config) options(dir dataDir) (server.Options, error) {
	options := server.Options{
		ServerName: c.Node, DontListen: true, NoSigs: true, JetStream: true, StoreDir: string(dir), DisableJetStreamBanner: true,
		JetStreamMaxStore: 1 << 50, JetStreamMaxMemory: 1 << 40, // the disk and the operator set the limits
		SyncAlways: c.Sync == Always, SyncInterval: time.Second,
	}
	err := c.Cluster.join(&options)
	return options, err
}

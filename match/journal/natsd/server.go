package natsd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"notakto/match/internal/disk"
)

// readyWithin is how long an embedded server may take to read its files. A million finished matches take a second.
const readyWithin = 2 * time.Minute

// The users of an embedded server that is part of a cluster. Both have the same password, which no other process knows.
const (
	localUser  = "local"  // the matches
	systemUser = "system" // the cluster itself: its members can be removed
)

// embeddedServer holds the running embedded server. When one fails, another replaces it; connections are made to the
// newest.
type embeddedServer struct {
	options server.Options
	logger  natsLogger

	mu        sync.Mutex
	server    *server.Server
	unwritten *atomic.Bool // of the server: it could not write or sync a message, so what it says counts no more
}

var (
	errNoServer  = errors.New("the embedded server is not running")
	errUnwritten = errors.New("the embedded server could not write a message")
)

// start starts a server; none may be running. It returns early when ctx ends, or when the server cannot open its port.
func (h *embeddedServer) start(ctx context.Context) error {
	options := h.options.Clone()
	s, err := server.NewServer(options)
	if err != nil {
		return fmt.Errorf("start the journal's server: %w", err)
	}
	log := h.logger
	log.unwritten = new(atomic.Bool)
	failed := make(chan string, 1)
	log.fatal = func(text string) {
		if strings.HasPrefix(text, "Error listening on port:") { // noPort
			return
		}
		select {
		case failed <- text:
		default:
		}
	}
	s.SetLoggerV2(log, false, false, false)
	s.Start()
	err = cameUp(ctx, s, failed)
	if err == nil && options.JetStream && !s.JetStreamEnabled() {
		err = fmt.Errorf("the journal's server does not come up in %s", options.StoreDir)
	}
	if err != nil {
		s.Shutdown()
		s.WaitForShutdown()
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.server, h.unwritten = s, log.unwritten
	return nil
}

// cameUp waits until a server serves, or listens for the other servers of its cluster. failed receives the reason why
// it cannot.
func cameUp(ctx context.Context, s *server.Server, failed <-chan string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, readyWithin, errNoServer)
	defer cancel()
	for s.ClusterAddr() == nil && !s.ReadyForConnections(50*time.Millisecond) { // below 25 ms it does not sleep
		select {
		case why := <-failed:
			return fmt.Errorf("start the journal's server: %s", why)
		case <-ctx.Done():
			return fmt.Errorf("start the journal's server: %w", context.Cause(ctx))
		default:
		}
	}
	return nil
}

// stop returns when the server's goroutines have ended and its files are closed, and whether there was a server.
func (h *embeddedServer) stop() bool {
	h.mu.Lock()
	s := h.server
	h.server = nil
	h.mu.Unlock()
	if s != nil {
		s.Shutdown()
		s.WaitForShutdown()
	}
	return s != nil
}

// records reports whether the server runs, JetStream has not shut down, and all messages could be written.
func (h *embeddedServer) records() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.server != nil && h.server.JetStreamEnabled() && !h.unwritten.Load()
}

// running returns the server, nil while there is none.
func (h *embeddedServer) running() *server.Server {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.server
}

// login returns the options of a connection to the embedded server as one of its users.
func (h *embeddedServer) login(user string) nats.Option {
	return func(o *nats.Options) error {
		o.InProcessServer = h
		if len(h.options.Users) > 0 {
			o.User, o.Password = user, h.options.Users[0].Password
		}
		return nil
	}
}

// InProcessConn implements nats.InProcessConnProvider.
func (h *embeddedServer) InProcessConn() (net.Conn, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.server == nil {
		return nil, errNoServer
	}
	c, err := h.server.InProcessConn()
	if err != nil {
		return nil, err
	}
	return conn{c, h.unwritten}, nil
}

// conn is a connection to an embedded server. It ends with a message that could not be written. A group of messages
// whose sync has failed is still in the server's memory: it would deliver them, and acknowledge each that is sent again
// as a duplicate.
type conn struct {
	net.Conn
	unwritten *atomic.Bool
}

// Read implements net.Conn.
func (c conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.unwritten.Load() {
		return 0, errUnwritten
	}
	return n, err
}

// natsEvery is how often one text of the embedded server is logged. It repeats itself while another server is away.
const natsEvery = time.Minute

// maxNATSTexts bounds the texts that are remembered for that.
const maxNATSTexts = 100

// lineLimit logs a text that comes again and again once in natsEvery, with the number of those left out. A nil one logs
// every line.
type lineLimit struct {
	mu    sync.Mutex
	texts map[string]*natsText // without their digits
}

type natsText struct {
	at   time.Time // of its last line
	more int       // left out since
}

// log logs a line, unless it came within natsEvery before.
func (l *lineLimit) log(log *slog.Logger, level slog.Level, text string) {
	if more, ok := l.allow(text, time.Now()); ok && more > 0 {
		log.Log(context.Background(), level, text, "event", "nats", "more", more)
	} else if ok {
		log.Log(context.Background(), level, text, "event", "nats")
	}
}

func (l *lineLimit) allow(text string, now time.Time) (more int, ok bool) {
	if l == nil {
		return 0, true
	}
	key := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, text)
	l.mu.Lock()
	defer l.mu.Unlock()
	seen := l.texts[key]
	switch {
	case seen == nil:
		if l.texts == nil || len(l.texts) >= maxNATSTexts {
			l.texts = map[string]*natsText{}
		}
		l.texts[key] = &natsText{at: now}
		return 0, true
	case now.Sub(seen.at) < natsEvery:
		seen.more++
		return 0, false
	}
	more, seen.at, seen.more = seen.more, now, 0
	return more, true
}

// natsLogger is the logger of an embedded server. Notices are about housekeeping and go to the debug level.
type natsLogger struct {
	log   *slog.Logger
	limit *lineLimit // may be nil
	// unwritten is set, if not nil, once the server could not write or sync a message. The log is the only place where it
	// says so: the publisher gets no answer, and Healthz checks the port for clients first, which a node of a cluster does
	// not have.
	unwritten *atomic.Bool
	// isBrief is for a server that runs for seconds: its warnings and errors go to the debug level as well.
	isBrief bool
	// fatal is called with the reason why the server cannot start.
	fatal func(string)
}

func (v natsLogger) Noticef(format string, args ...any) {
	v.log.Debug(fmt.Sprintf(format, args...), "event", "nats")
}
func (v natsLogger) Debugf(string, ...any) {}
func (v natsLogger) Tracef(string, ...any) {}

func (v natsLogger) Warnf(format string, args ...any) {
	level, text := slog.LevelWarn, fmt.Sprintf(format, args...)
	if v.isBrief || isOrdinary(text) {
		level = slog.LevelDebug
	}
	v.limit.log(v.log, level, text)
}

// isOrdinary reports whether a warning occurs at every start or removal of a node.
func isOrdinary(warning string) bool {
	for _, one := range [...]string{
		"Plaintext passwords", // random ones that never leave the process
		"Waiting for routing to be established", "has not established contact with a meta leader",
		"failed to be ready for connections", // it has no port for clients
		"Metalayer blocking snapshot", "resetting first sequence", "could not replace peer",
		"not cleaned up, retrying",                                                        // of readers from before the start
		"last block has additional entries", "Recovering stream state from index errored", // after a kill
	} {
		if strings.Contains(warning, one) {
			return true
		}
	}
	return false
}

func (v natsLogger) Fatalf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	v.log.Debug(text, "event", "nats") // it is in the error of the start
	if v.fatal != nil {
		v.fatal(text)
	}
}

func (v natsLogger) Errorf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	level := slog.LevelError
	if v.isBrief || strings.HasPrefix(text, "Error trying to connect to route") ||
		strings.Contains(text, "Error flushing") {
		level = slog.LevelDebug // several a second while a node is down, which the watcher logs
	}
	if v.unwritten != nil && strings.Contains(text, "ritical write error") { // of a stream, or the file store's own
		v.unwritten.Store(true)
	}
	v.limit.log(v.log, level, text)
}

const (
	// MinFree is the free space below which nothing is recorded, because NATS shuts down JetStream when a write fails.
	// What the server writes by itself is far less.
	MinFree = 64 << 20
	// checkEvery is how often the disk and the server are checked.
	checkEvery = 500 * time.Millisecond
	// restartEvery is the shortest time between two restarts of a server that cannot write.
	restartEvery = 10 * time.Second
)

// Monitor watches the free space on the disk of an embedded server. It restarts a server that could not write once
// there is space, and stops a server that is cut off from its cluster.
type Monitor struct {
	dir      string
	embedded *embeddedServer
	log      *slog.Logger
	MinFree  atomic.Uint64
	Free     atomic.Uint64               // bytes on the disk, by the latest check
	restore  func(context.Context) error // makes the streams again that lived in memory

	isolation isolation

	full   atomic.Bool
	cutOff atomic.Bool // the server is stopped until others can be reached
}

func newMonitor(dir string, server *embeddedServer, cfg Config) *Monitor {
	k := &Monitor{dir: dir, embedded: server, log: cfg.Log, isolation: isolation{peers: cfg.Cluster.others(), call: call}}
	k.MinFree.Store(MinFree)
	return k
}

// Writable returns an error if nothing can be written now. A nil monitor returns nil.
func (k *Monitor) Writable() error {
	switch {
	case k == nil:
		return nil
	case k.full.Load():
		return Unavailable(errFull)
	case k.cutOff.Load():
		return Unavailable(errCutOff)
	}
	return nil
}

// Run monitors until ctx ends.
func (k *Monitor) Run(ctx context.Context) {
	restarted := time.Now().Add(-restartEvery)
	for ctx.Err() == nil {
		k.check()
		received, servers := k.embedded.received()
		if k.isolation.isCutOff(ctx, received) && ctx.Err() == nil {
			k.waitForMajority(ctx)
			continue
		}
		k.logReachable(received)
		if servers < len(k.isolation.peers) {
			if err := k.embedded.compact(); err != nil {
				k.log.Debug("the log of the matches could not be compacted", "event", "compaction-failed", "error", err)
			}
		}
		if !k.full.Load() && !k.embedded.records() && time.Since(restarted) >= restartEvery {
			k.restart(ctx)
			restarted = time.Now()
		}
		Wait(ctx, checkEvery)
	}
}

// check updates whether the disk is full.
func (k *Monitor) check() {
	left, err := disk.Free(k.dir)
	if err != nil {
		k.log.Error("the journal's disk cannot be asked how full it is",
			"event", "disk-unknown", "dir", k.dir, "error", err)
		return
	}
	k.Free.Store(left)
	full := left < k.MinFree.Load()
	if k.full.Swap(full) == full {
		return
	}
	if full {
		k.log.Error("nothing is recorded until there is room on the disk",
			"event", "disk-full", "dir", k.dir, "free", left,
			"needed", k.MinFree.Load())
	} else {
		k.log.Info("there is room on the disk again", "event", "disk-free", "dir", k.dir, "free", left)
	}
}

// restart replaces a server that has shut down.
func (k *Monitor) restart(ctx context.Context) {
	k.log.Warn("the journal's server could not write and is started anew", "event", "nats-restart")
	k.embedded.stop()
	err := k.embedded.start(ctx)
	if err == nil {
		err = k.restore(ctx)
	}
	if err != nil && ctx.Err() == nil {
		k.log.Error("the journal's server does not come back", "event", "nats-failed", "error", err)
	}
}

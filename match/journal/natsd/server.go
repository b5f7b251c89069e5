package natsd

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
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

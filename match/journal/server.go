package journal

import (
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// readyWithin is how long an embedded server may take to read its files. A million finished matches take about a second.
const readyWithin = 2 * time.Minute

// housing holds the embedded server that runs now. One that gave up is followed by another; connections are made to the newest.
type housing struct {
	options server.Options
	voice   voice

	mu     sync.Mutex
	tenant *server.Server
}

var errNoServer = errors.New("the embedded server is not running")

// start starts a server in the place of none.
func (h *housing) start() error {
	options := h.options.Clone()
	s, err := server.NewServer(options)
	if err != nil {
		return fmt.Errorf("start the journal's server: %w", err)
	}
	s.SetLoggerV2(h.voice, false, false, false)
	s.Start()
	if !s.ReadyForConnections(readyWithin) || !s.JetStreamEnabled() {
		s.Shutdown()
		s.WaitForShutdown()
		return fmt.Errorf("the journal's server does not come up in %s", options.StoreDir)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tenant = s
	return nil
}

// stop returns when the server's goroutines have ended and its files are closed.
func (h *housing) stop() {
	h.mu.Lock()
	s := h.tenant
	h.tenant = nil
	h.mu.Unlock()
	if s != nil {
		s.Shutdown()
		s.WaitForShutdown()
	}
}

// records reports whether the server runs and has not given up.
func (h *housing) records() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.tenant != nil && h.tenant.JetStreamEnabled()
}

// InProcessConn is nats.InProcessConnProvider's.
func (h *housing) InProcessConn() (net.Conn, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.tenant == nil {
		return nil, errNoServer
	}
	return h.tenant.InProcessConn()
}

package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

const (
	statusTimeout     = 10 * time.Second // for one request, and for its answer
	statusHeaderRead  = time.Second      // for the head of a request: a silent client holds one of few connections
	statusConnections = 16               // at once; more wait until they are accepted
	statusHeader      = 4 << 10          // bytes
)

// errStarting says that the server has not opened everything yet.
var errStarting = errors.New("the server is starting")

// status serves the server's state to load balancers over plain HTTP: GET /livez and GET /readyz. It answers from known
// state, without waiting. A nil status does nothing.
type status struct {
	listener net.Listener
	server   http.Server
	ready    atomic.Pointer[func() error] // why the server is not ready; nil while it starts
	served   chan struct{}                // closed when nothing is served any more
}

// openStatus serves on an address until close, or returns nil if the address is empty.
func openStatus(address string, log *slog.Logger) (*status, error) {
	if address == "" {
		return nil, nil
	}
	listener, err := listen(address, "status-listen", ":9465")
	if err != nil {
		return nil, err
	}
	s := &status{listener: listener, served: make(chan struct{})}
	s.server = http.Server{
		Handler: s.handler(), ReadTimeout: statusTimeout, ReadHeaderTimeout: statusHeaderRead,
		WriteTimeout: statusTimeout, MaxHeaderBytes: statusHeader,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	s.server.SetKeepAlivesEnabled(false) // so that no client holds one of the few connections
	go func() {
		defer close(s.served)
		_ = s.server.Serve(&limited{listener, make(chan struct{}, statusConnections)}) // ends with close
	}()
	return s, nil
}

func (s *status) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { answer(w, nil) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		err := errStarting
		if ready := s.ready.Load(); ready != nil {
			err = (*ready)()
		}
		answer(w, err)
	})
	return mux
}

func answer(w http.ResponseWriter, err error) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	text := "ok"
	if err != nil {
		w.WriteHeader(http.StatusServiceUnavailable)
		text = err.Error()
	}
	_, _ = fmt.Fprintln(w, text) // the client may have disconnected
}

// address returns the field of the ready line with the address of the status; empty without one.
func (s *status) address() []any {
	if s == nil {
		return nil
	}
	return []any{"status", s.listener.Addr()}
}

// opened sets the function that readyz reports from now on.
func (s *status) opened(ready func() error) {
	if s != nil {
		s.ready.Store(&ready)
	}
}

// close returns when all requests have ended.
func (s *status) close() {
	if s == nil {
		return
	}
	_ = s.server.Close() // a client without an answer asks again
	<-s.served
}

// limited is a listener that accepts a connection only when there is a free slot.
type limited struct {
	net.Listener
	slots chan struct{}
}

// Accept implements net.Listener.
func (l *limited) Accept() (net.Conn, error) {
	l.slots <- struct{}{}
	conn, err := l.Listener.Accept()
	if err != nil {
		<-l.slots
		return nil, err
	}
	return &slotted{Conn: conn, free: sync.OnceFunc(func() { <-l.slots })}, nil
}

type slotted struct {
	net.Conn
	free func()
}

// Close implements net.Conn.
func (c *slotted) Close() error {
	defer c.free()
	return c.Conn.Close()
}

package main

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"notakto/match/limit"
)

const (
	httpTimeout = 10 * time.Second // for one request, and again for its answer
	httpHeader  = 4 << 10          // bytes of the head of a request
)

// httpLimits are the limits of an httpServer.
type httpLimits struct {
	conns      int           // at once; a further client evicts a silent one
	headerRead time.Duration // for the head of a request; short, because a silent client holds a connection
	serveRate  rate.Limit    // connections a second; further ones wait
}

// httpServer serves HTTP, or HTTPS, with one request a connection. Method close accepts a nil httpServer.
type httpServer struct {
	listener net.Listener
	server   http.Server
	served   chan struct{} // closed when Serve has returned
}

// serveHTTP serves on a listener until close, over TLS unless secure is nil.
func serveHTTP(
	listener net.Listener, secure *tls.Config, handler http.Handler, limits httpLimits, log *slog.Logger,
) *httpServer {
	s := &httpServer{listener: listener, served: make(chan struct{})}
	s.server = http.Server{
		Handler: handler, ReadTimeout: httpTimeout, ReadHeaderTimeout: limits.headerRead,
		WriteTimeout: httpTimeout, MaxHeaderBytes: httpHeader,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug), ConnState: noteRequest,
	}
	s.server.SetKeepAlivesEnabled(false) // an idle client would hold one of the few connections
	var limited net.Listener = &httpListener{
		Listener: listener, conns: limit.NewPreauthConns(limits.conns, limits.conns),
		pace: rate.NewLimiter(limits.serveRate, 2*limits.conns),
	}
	if secure != nil {
		limited = tls.NewListener(limited, secure)
	}
	go func() {
		defer close(s.served)
		_ = s.server.Serve(limited)
	}()
	return s
}

// close closes all connections, also those without an answer yet, and waits for Serve to return.
func (s *httpServer) close() {
	if s != nil {
		_ = s.server.Close()
		<-s.served
	}
}

// httpListener limits the open connections and the new ones a second. A newcomer evicts the oldest client without a
// complete request, from the address with the most connections.
type httpListener struct {
	net.Listener
	conns *limit.PreauthConns
	turn  sync.Mutex // held by the connection that waits for pace
	pace  *rate.Limiter
}

// Accept implements [net.Listener].
func (l *httpListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &httpConn{Conn: conn, all: l}
	c.Owner, c.Source = c, limit.SourceAddress(conn.RemoteAddr())
	if evicted := l.conns.Enter(&c.PreauthConn); evicted != nil {
		evicted.Owner.Evict()
	}
	return c, nil
}

type httpConn struct {
	net.Conn
	limit.PreauthConn
	all      *httpListener
	paced    sync.Once
	isClosed atomic.Bool
}

// Read implements [net.Conn]. The first call waits for the pace of all connections. Accept does not wait, because
// behind a flood from one address all others would wait too, and the flood could not evict itself.
func (c *httpConn) Read(p []byte) (int, error) {
	c.paced.Do(func() {
		c.all.turn.Lock()
		defer c.all.turn.Unlock()
		if !c.isClosed.Load() {
			_ = c.all.pace.Wait(context.Background()) // a moment, because only one connection waits here
		}
	})
	return c.Conn.Read(p)
}

// Close implements [net.Conn].
func (c *httpConn) Close() error {
	c.all.conns.Leave(&c.PreauthConn)
	c.isClosed.Store(true)
	return c.Conn.Close()
}

// Evict closes the connection to make room. Accept calls it as the Owner of a [limit.PreauthConn].
func (c *httpConn) Evict() {
	c.isClosed.Store(true)
	_ = c.Conn.Close()
}

// noteRequest is the ConnState of the HTTP server. The state is StateActive once the head of a request was read.
func noteRequest(conn net.Conn, state http.ConnState) {
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
	if state == http.StateActive {
		conn.(*httpConn).SetStep(limit.Talking)
	}
}

package sshapp

import (
	"errors"
	"net"
	"net/netip"
	"slices"
	"time"

	"notakto/sshapp/limit"

	"github.com/pires/go-proxyproto"
	"golang.org/x/time/rate"
)

// acceptErrorEvery is how often the log says that no connection can be accepted.
const acceptErrorEvery = 10 * time.Second

// limitListener stops accepting while every connection slot is taken, which lasts until a connection has been let
// go, nor while newcomers crowd at the gate, so that those who come faster than they can be looked at wait outside. It
// logs when it cannot accept for another reason: the SSH library only waits and tries again. [Server.onConnect]
// sees that a place is given back.
type limitListener struct {
	net.Listener
	connSlots *limit.ConnSlots
	accepting chan struct{} // has a value for each that has not passed the gate
	stopped   <-chan struct{}
	logError  func(error)
}

func (s *Server) newLimitListener(listener net.Listener) net.Listener {
	lines := rate.NewLimiter(rate.Every(acceptErrorEvery), 1)
	return &limitListener{listener, s.gate.slots, s.gate.accepting, s.stopping.closed.Done(), func(err error) {
		if lines.Allow() {
			s.log.Error("cannot accept connections", "event", "accept-failed", "error", err)
		}
	}}
}

func (l *limitListener) Accept() (net.Conn, error) {
	if !l.connSlots.Acquire(l.stopped) {
		return nil, net.ErrClosed
	}
	select {
	case l.accepting <- struct{}{}:
	case <-l.stopped:
		return nil, net.ErrClosed
	}
	conn, err := l.Listener.Accept()
	if err != nil {
		l.connSlots.Release()
		<-l.accepting
		if !errors.Is(err, net.ErrClosed) {
			l.logError(err)
		}
	}
	return conn, err
}

// proxyHeaderTimeout is how long a proxy may take to name its client. It says so as it connects.
const proxyHeaderTimeout = 3 * time.Second

// behindProxies is a listener whose connections from the trusted proxies have the address that the proxy sends.
// Such a connection has to begin with that (the PROXY protocol, version 1 or 2) within the announcement time; one from
// anywhere else is taken as it is, so that no client can choose an address.
func behindProxies(listener net.Listener, s *Server) net.Listener {
	return &proxyproto.Listener{
		Listener:          listener,
		ReadHeaderTimeout: min(s.settings.Load().Login, proxyHeaderTimeout),
		ConnPolicy: func(options proxyproto.ConnPolicyOptions) (proxyproto.Policy, error) {
			if isTrusted(options.Upstream, s.settings.Load().ProxyFrom) {
				return proxyproto.REQUIRE, nil
			}
			return proxyproto.SKIP, nil
		},
	}
}

// readProxyHeader waits until the proxy that a connection comes from has named its client, if it comes from one, and
// reports whether it has. That may take time, so the connection passes the gate before: a few that say nothing must not
// keep others from being accepted. Until then it counts among those, and pushes out the oldest of them if there are as
// many as there may be logins.
func (s *Server) readProxyHeader(conn net.Conn, pass func()) bool {
	proxied, ok := conn.(*proxyproto.Conn)
	if !ok {
		return true
	}
	c := &limit.PreauthConn{Source: limit.AddressOf(proxied.Raw().RemoteAddr()), Owner: proxiedConn{proxied.Raw()}}
	evicted := s.gate.proxied.Enter(c)
	s.Stats.Conns.Add(stageProxy, 1)
	defer s.Stats.Conns.Add(stageProxy, -1)
	pass()
	if evicted != nil {
		evicted.Owner.Evict()
	}
	header := proxied.ProxyHeader()
	s.gate.proxied.Leave(c)
	if header == nil {
		s.rejections.Reject(limit.NoProxyHeader, c.Source, 0)
	}
	return header != nil
}

// proxiedConn is a connection whose proxy has not named its client yet.
type proxiedConn struct{ net.Conn }

// Evict ends the wait for that.
func (c proxiedConn) Evict() { _ = c.Close() }

// isTrusted reports whether a connection comes from one of the proxies that may tell addresses.
func isTrusted(from net.Addr, proxies []netip.Prefix) bool {
	ip := limit.IPOf(from)
	return slices.ContainsFunc(proxies, func(trusted netip.Prefix) bool { return trusted.Contains(ip) })
}

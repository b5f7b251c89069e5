package sshapp

import (
	"errors"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"charm.land/ssh"
	"github.com/pires/go-proxyproto"
	"golang.org/x/time/rate"

	"notakto/match/account"
	"notakto/match/limit"
)

// acceptErrorEvery is the least time between two log lines about failing to accept.
const acceptErrorEvery = 10 * time.Second

// limitListener accepts a connection only while a connection slot is free and fewer than limit.AcceptBurst accepted
// connections wait to pass onConnect, so that the rest waits in the kernel's queue. [Server.onConnect] and the end of
// the connection give the places back. Accept logs errors, at most one each acceptErrorEvery: the SSH library only
// retries.
type limitListener struct {
	net.Listener
	connSlots *limit.ConnSlots
	accepting chan struct{} // has a value for each connection that has not passed onConnect
	stopped   <-chan struct{}
	logError  func(error)
}

func (s *Server) newLimitListener(listener net.Listener) net.Listener {
	lines := rate.NewLimiter(rate.Every(acceptErrorEvery), 1)
	return &limitListener{listener, s.slots, s.accepting, s.closed.Done(), func(err error) {
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

// proxyHeaderTimeout limits how long a proxy may take to name its client. A proxy does so as it connects.
const proxyHeaderTimeout = 3 * time.Second

// behindProxies returns a listener that takes the address of a client from the trusted proxies. A connection from a
// proxy has to begin with the PROXY protocol, version 1 or 2, within proxyHeaderTimeout. Other connections keep their
// own address, so that no client can choose one.
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

// readProxyHeader waits until the proxy of a connection has named its client, and reports whether it has. Without a
// proxy it returns true at once. It calls pass before it waits, so that a few silent proxies keep no other connection
// from being accepted. While it waits, the connection counts in s.proxied. If s.proxied is full, one connection in it
// is closed for a new one.
func (s *Server) readProxyHeader(conn net.Conn, pass func()) bool {
	proxied, ok := conn.(*proxyproto.Conn)
	if !ok {
		return true
	}
	c := &limit.PreauthConn{Source: limit.AddressOf(proxied.Raw().RemoteAddr()), Owner: proxiedConn{proxied.Raw()}}
	evicted := s.proxied.Enter(c)
	s.Stats.Conns.Add(stageProxy, 1)
	defer s.Stats.Conns.Add(stageProxy, -1)
	pass()
	if evicted != nil {
		evicted.Owner.Evict()
	}
	header := proxied.ProxyHeader()
	s.proxied.Leave(c)
	if header == nil {
		s.rejections.Reject(limit.NoProxyHeader, c.Source, 0)
	}
	return header != nil
}

// proxiedConn is a connection of a proxy that has not named its client yet.
type proxiedConn struct{ net.Conn }

// Evict closes the connection.
func (p proxiedConn) Evict() { _ = p.Close() }

// isTrusted reports whether a connection comes from one of proxies.
func isTrusted(from net.Addr, proxies []netip.Prefix) bool {
	ip := limit.IPOf(from)
	return slices.ContainsFunc(proxies, func(trusted netip.Prefix) bool { return trusted.Contains(ip) })
}

// The kernel closes a connection whose link is dead. It does so when sent data stays unacknowledged for tcpTimeout or,
// if nothing is sent, when keepAliveProbes probes stay unanswered.
const (
	tcpTimeout        = 20 * time.Second
	keepAliveAfter    = 10 * time.Second
	keepAliveInterval = 5 * time.Second
	keepAliveProbes   = 2
)

// sendBuffer limits the data that the kernel holds for a client that does not read. receiveBuffer limits the data that
// the kernel holds from a client that sends more than the server reads.
const (
	sendBuffer    = 16 << 10 // the largest frame takes three quarters of it
	receiveBuffer = 32 << 10
)

// The reasons for which the server disconnects a client during its login.
var (
	errCrowded    = errors.New("too many people are logging in just now; please try again")
	errSlowLogin  = errors.New("the login took too long; please connect again")
	errLoginsFull = errors.New("too many logins from your address just now; please try again in a few seconds")
)

// A login may take crowdedLogin while many connections, in all or from one network, have no session. Otherwise it may
// take the whole time of the setting Login. After crowdedLogin, the server checks every loginCheckEvery which of the
// two holds.
const (
	crowdedLogin    = 10 * time.Second
	loginCheckEvery = time.Second
)

// maxLoginWait is the longest wait of a client whose address has too many logins. The wait is also at most half of the
// time for a login. A client that would wait longer is turned away.
const maxLoginWait = 5 * time.Second

// onConnect is the ConnCallback of the SSH server. It serves a connection to its end and returns nil, so the library
// closes conn. The library's own loops would take two more goroutines a connection.
func (s *Server) onConnect(_ ssh.Context, conn net.Conn) net.Conn {
	if c := s.accept(conn); c != nil {
		c.serve()
	}
	return nil
}

// accept makes a connection of conn before the first byte is read. It returns nil if the proxy does not name the
// client.
func (s *Server) accept(conn net.Conn) *connection {
	if _, ok := conn.(localConn); ok {
		return s.newConnection(conn, netip.Prefix{}, true)
	}
	pass := sync.OnceFunc(func() { <-s.accepting })
	defer pass()
	tuneTCP(conn)
	if !s.readProxyHeader(conn, pass) {
		s.slots.Release()
		return nil
	}
	return s.newConnection(conn, limit.AddressOf(conn.RemoteAddr()), false)
}

// admitKex is called once, when a client begins to exchange keys. The server's part of the exchange follows, which is
// the costly part of a login. If the client's address has too many logins, the client waits for maxLoginWait at most,
// or is turned away. A client that never begins an exchange uses up no login of its address.
func (c *connection) admitKex() error {
	if c.isLocal {
		c.SetStep(limit.Exchanging)
		return nil
	}
	// Administrators may come from a banned address. If the server has any, channel.bans finds the ban after the login.
	if ban := longest(c.server.accounts.BansOn(account.Subject{Network: c.addressNet()})); ban != nil &&
		!c.server.admins.Any() {
		c.refuse(limit.Banned, "reference", ban.Reference)
		c.SetStep(limit.TurnedAway)
		c.sendDisconnectAndDrain(bannedError{*ban})
		return bannedError{*ban}
	}
	most := min(maxLoginWait, c.server.settings.Load().Login/2)
	wait, ok := c.server.addressLimits.ReserveLogin(c.Source, most)
	if !ok {
		c.refuse(limit.TooManyLogins)
		c.SetStep(limit.TurnedAway)
		c.sendDisconnectAndDrain(errLoginsFull)
		return errLoginsFull
	}
	if c.SetStep(limit.Exchanging); wait <= 0 {
		return nil
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-c.gone:
		return net.ErrClosed
	}
}

func tuneTCP(conn net.Conn) {
	tcp := tcpOf(conn)
	if tcp == nil {
		return
	}
	_ = tcp.SetReadBuffer(receiveBuffer)
	_ = tcp.SetWriteBuffer(sendBuffer)
	_ = tcp.SetKeepAliveConfig(net.KeepAliveConfig{
		Enable: true, Idle: keepAliveAfter, Interval: keepAliveInterval, Count: keepAliveProbes,
	})
	setUserTimeout(tcp, tcpTimeout)
}

// tcpOf returns the TCP connection under conn, or nil.
func tcpOf(conn net.Conn) *net.TCPConn {
	switch conn := conn.(type) {
	case *net.TCPConn:
		return conn
	case interface{ TCPConn() (*net.TCPConn, bool) }: // behind a proxy
		tcp, _ := conn.TCPConn()
		return tcp
	}
	return nil
}

// localConn is a connection to the control socket.
type localConn struct{ net.Conn }

// localListener is the control socket. The mode of its file decides which users may open it.
type localListener struct{ net.Listener }

// Accept implements [net.Listener].
func (l localListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return localConn{conn}, nil
}

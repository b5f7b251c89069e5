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

const acceptErrorEvery = 10 * time.Second

// limitListener accepts a connection only while connSlots and accepting have room. Further connections wait in the
// kernel's queue. [Server.accept] makes room in accepting. The end of the connection makes room in connSlots. Accept
// logs errors because the SSH library only retries.
type limitListener struct {
	net.Listener
	connSlots *limit.ConnSlots
	accepting chan struct{}
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

// proxyHeaderTimeout limits the time for a proxy to name its client. A proxy does so as it connects.
const proxyHeaderTimeout = 3 * time.Second

// behindProxies returns a listener that takes the address of a client from the trusted proxies. A connection from a
// proxy has to begin with the PROXY protocol, version 1 or 2, within proxyHeaderTimeout. A connection from an address
// that is not trusted keeps its own address, because a client could write any address into a header.
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

// readProxyHeader waits until the proxy of a connection has named its client, and reports success. Without a proxy, the
// result is true at once. Before the wait, readProxyHeader calls leaveAccepting to keep a few silent proxies from
// blocking other connections. A waiting connection counts in s.proxied. A full s.proxied closes one of its connections
// for a new one.
func (s *Server) readProxyHeader(conn net.Conn, leaveAccepting func()) bool {
	proxied, ok := conn.(*proxyproto.Conn)
	if !ok {
		return true
	}
	c := &limit.PreauthConn{Source: limit.SourceAddress(proxied.Raw().RemoteAddr()), Owner: proxiedConn{proxied.Raw()}}
	evicted := s.proxied.Enter(c)
	s.Stats.Conns.Add(stageProxy, 1)
	defer s.Stats.Conns.Add(stageProxy, -1)
	leaveAccepting()
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

type proxiedConn struct{ net.Conn }

func (p proxiedConn) Evict() { _ = p.Close() }

func isTrusted(from net.Addr, proxies []netip.Prefix) bool {
	ip := limit.ClientIP(from)
	return slices.ContainsFunc(proxies, func(trusted netip.Prefix) bool { return trusted.Contains(ip) })
}

// The kernel closes a connection with a dead link tcpTimeout after the first retransmission of unacknowledged data.
// If no data is sent, the kernel closes the connection after keepAliveProbes unanswered probes.
const (
	tcpTimeout        = 20 * time.Second
	keepAliveAfter    = 10 * time.Second
	keepAliveInterval = 5 * time.Second
	keepAliveProbes   = 2
)

// sendBuffer limits the data that the kernel holds for a client that does not read, and receiveBuffer the data from
// a client that the server does not read.
const (
	sendBuffer    = 16 << 10 // the largest frame takes three quarters of it
	receiveBuffer = 32 << 10
)

var (
	errCrowded    = errors.New("too many people are logging in just now; please try again")
	errSlowLogin  = errors.New("the login took too long; please connect again")
	errLoginsFull = errors.New("too many logins from your address just now; please try again in a few seconds")
)

// crowdedLogin is the age of a connection when the server begins to end its login in a crowd (see
// [limit.PreauthConns.IsUncrowdedSince]). After crowdedLogin, the server checks for a crowd every loginCheckEvery.
// Without a crowd, a login may take the whole setting Login.
const (
	crowdedLogin    = 10 * time.Second
	loginCheckEvery = time.Second
)

// maxLoginWait is the longest wait of a client from an address with too many logins. The wait is also at most half
// of the setting Login. A client that would wait longer is turned away.
const maxLoginWait = 5 * time.Second

// onConnect is the ConnCallback of the SSH server. Serving the connection here saves the two goroutines of the
// library's own loops. onConnect returns nil to make the library close conn.
func (s *Server) onConnect(_ ssh.Context, conn net.Conn) net.Conn {
	if c := s.accept(conn); c != nil {
		c.serve()
	}
	return nil
}

// accept wraps conn in a connection before the server reads the first byte of the client. If a proxy does not name
// the client, accept returns nil.
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
	return s.newConnection(conn, limit.SourceAddress(conn.RemoteAddr()), false)
}

// admitKex is called once, when a client begins to exchange keys, before the costly part of a login. If its address
// has too many logins, the client waits for maxLoginWait at most, or is turned away. A client that never begins an
// exchange uses up no login of its address.
func (c *connection) admitKex() error {
	if c.isLocal {
		c.SetStep(limit.Exchanging)
		return nil
	}
	// Administrators may come from a banned address. A server with administrators leaves the ban to channel.bans, after
	// the login.
	if ban := longest(c.server.accounts.BansOn(account.Subject{Network: c.addressNet()})); ban != nil &&
		!c.server.admins.HasAdmins() {
		c.setCloseReason(limit.Banned, "reference", ban.Reference)
		c.SetStep(limit.TurnedAway)
		c.sendDisconnectAndDrain(bannedError{*ban})
		return bannedError{*ban}
	}
	most := min(maxLoginWait, c.server.settings.Load().Login/2)
	wait, ok := c.server.addressLimits.ReserveLogin(c.Source, most)
	if !ok {
		c.setCloseReason(limit.TooManyLogins)
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
	case <-c.closed:
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

type localConn struct{ net.Conn }

// localListener is the control socket. The mode of its file decides which users may open it.
type localListener struct{ net.Listener }

func (l localListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return localConn{conn}, nil
}

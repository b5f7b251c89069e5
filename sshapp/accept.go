package sshapp

import (
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"

	"charm.land/ssh"

	"notakto/sshapp/limit"
)

// The kernel finds a peer behind a dead link: unacknowledged data for tcpTimeout, or keepAliveProbes unanswered probes
// on a still link.
const (
	tcpTimeout        = 20 * time.Second
	keepAliveAfter    = 10 * time.Second
	keepAliveInterval = 5 * time.Second
	keepAliveProbes   = 2
)

// sendBuffer bounds what the kernel keeps for a client that does not read, receiveBuffer what it keeps of one that
// sends more than it may.
const (
	sendBuffer    = 16 << 10 // the largest frame takes three quarters of it
	receiveBuffer = 32 << 10
)

// The last words to a client that has not exchanged keys yet.
var (
	errCrowded    = errors.New("too many people are logging in just now; please try again")
	errSlowLogin  = errors.New("the login took too long; please connect again")
	errLoginsFull = errors.New("too many logins from your address just now; please try again in a few seconds")
)

// While many connections are without a session, in all or from one network, a login may take no longer than
// crowdedLogin. Otherwise it has the whole of the setting; loginCheckEvery is how often it is looked at whether that is
// still so.
const (
	crowdedLogin    = 10 * time.Second
	loginCheckEvery = time.Second
)

// maxLoginWait is how long a client of an address with too many logins is kept waiting rather than turned away, unless
// half of the time for a login is less: the other half is for the login itself.
const maxLoginWait = 5 * time.Second

type connectionKey struct{}

// onConnect is the server's ConnCallback: it runs before the first byte is read. The address of a client behind a proxy
// is known only when the proxy has sent it.
func (s *Server) onConnect(ctx ssh.Context, conn net.Conn) net.Conn {
	if _, ok := conn.(localConn); ok {
		c := s.newConnection(conn, netip.Prefix{}, true)
		ctx.SetValue(connectionKey{}, c)
		return c
	}
	pass := sync.OnceFunc(func() { <-s.gate.accepting })
	defer pass()
	tuneTCP(conn)
	if !s.readProxyHeader(conn, pass) {
		s.gate.slots.Release()
		return nil
	}
	c := s.newConnection(conn, limit.AddressOf(conn.RemoteAddr()), false)
	ctx.SetValue(connectionKey{}, c)
	return c
}

// connectionOf is the connection that a session's context belongs to.
func connectionOf(ctx ssh.Context) *connection {
	c, _ := ctx.Value(connectionKey{}).(*connection)
	return c
}

// admitKex is called once with a client that has begun to exchange keys, before our part of that, which is the costly
// part of a login. A client whose address asks for too many of them waits; when too many wait, it is turned away.
// No address is limited for longer than that: a client that only connects, or only talks, takes no turn from the others
// at its address, and an address that has asked too often may ask again within seconds.
func (s *Server) admitKex(c *connection) error {
	if c.id.isLocal {
		c.SetStep(limit.Exchanging)
		return nil
	}
	if ban := s.banBeforeLogin(c); ban != nil {
		c.refuse(limit.Banned, "reference", ban.Reference)
		c.SetStep(limit.TurnedAway)
		c.sendDisconnectAndDrain(bannedError{*ban})
		return bannedError{*ban}
	}
	most := min(maxLoginWait, s.settings.Load().Login/2)
	wait, ok := s.addressLimits.ReserveLogin(c.Source, most)
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

// tcpOf is the TCP connection under conn, or nil.
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

package sshapp

import (
	"net"
	"sync"
	"time"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"
)

// The kernel finds a peer behind a dead link: unacknowledged data for tcpTimeout, or keepAliveProbes unanswered probes on a still link.
const (
	tcpTimeout        = 20 * time.Second
	keepAliveAfter    = 10 * time.Second
	keepAliveInterval = 5 * time.Second
	keepAliveProbes   = 2
)

// sendBuffer bounds what the kernel keeps for a client that does not read.
const sendBuffer = 64 << 10

// connection is a client's connection behind the gate. Every write has a deadline, so that no goroutine of the server waits for a client
// for longer than the stall time. One without a session is closed after a while.
type connection struct {
	net.Conn
	stall time.Duration
	start time.Duration // how long it may be without a session

	requests *rate.Limiter // that concern the whole connection

	mu       sync.Mutex
	channels int
	refusals int
	unused   *time.Timer
	asking   *time.Timer // of the next keep-alive question; nil before the first session
	closed   bool
}

type connectionKey struct{}

// gate is the server's ConnCallback: it runs before the first byte is read.
func (s *Server) gate(ctx ssh.Context, conn net.Conn) net.Conn {
	tuneTCP(conn)
	c := &connection{
		Conn: conn, stall: s.settings.Stall, start: s.settings.Start, requests: rate.NewLimiter(requestRate, requestBurst),
	}
	c.mu.Lock() // the timer may fire at once
	c.unused = time.AfterFunc(s.settings.Login, c.cut)
	c.mu.Unlock()
	ctx.SetValue(connectionKey{}, c)
	return c
}

// connectionOf is the connection that a session's context belongs to.
func connectionOf(ctx ssh.Context) *connection {
	c, _ := ctx.Value(connectionKey{}).(*connection)
	return c
}

func tuneTCP(conn net.Conn) {
	tcp, ok := conn.(*net.TCPConn)
	if !ok {
		return
	}
	_ = tcp.SetWriteBuffer(sendBuffer)
	_ = tcp.SetKeepAliveConfig(net.KeepAliveConfig{
		Enable: true, Idle: keepAliveAfter, Interval: keepAliveInterval, Count: keepAliveProbes,
	})
	setUserTimeout(tcp, tcpTimeout)
}

// Write sends p within the stall time or fails, which ends the connection.
func (c *connection) Write(p []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(c.stall)); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}

// Close closes the connection and stops its timers.
func (c *connection) Close() error {
	c.mu.Lock()
	c.closed = true
	c.unused.Stop()
	if c.asking != nil {
		c.asking.Stop()
	}
	c.mu.Unlock()
	return c.Conn.Close()
}

func (c *connection) cut() { _ = c.Close() }

// loggedIn gives the client time for its first session.
func (c *connection) loggedIn() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.unused.Reset(c.start)
	}
}

// open counts a channel in, or reports that there are too many.
func (c *connection) open(limit int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.channels >= limit {
		return false
	}
	c.channels++
	c.unused.Stop()
	return true
}

// release counts a channel out.
func (c *connection) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.channels--; c.channels == 0 && !c.closed {
		c.unused.Reset(c.start)
	}
}

// refused counts a refused channel and closes a connection that goes on asking.
func (c *connection) refused(limit int) {
	c.mu.Lock()
	c.refusals++
	over := c.refusals > limit
	c.mu.Unlock()
	if over {
		c.cut()
	}
}

// keepAlive asks the client from time to time whether it is still there, as OpenSSH does, and closes the connection if no answer comes
// before the next question is due. The first call on a connection starts it. No goroutine waits between the questions.
func (c *connection) keepAlive(conn gossh.Conn, every time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asking != nil || c.closed {
		return
	}
	c.asking = time.AfterFunc(every, func() {
		overdue := time.AfterFunc(every, c.cut)
		defer overdue.Stop()
		if _, _, err := conn.SendRequest("keepalive@openssh.com", true, nil); err == nil {
			c.askAgain(every)
		}
	})
}

func (c *connection) askAgain(every time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.asking.Reset(every)
	}
}

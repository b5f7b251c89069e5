package sshapp

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"slices"
	"sync"
	"time"

	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"

	"notakto/match"
	"notakto/match/limit"
	"notakto/sshapp/sshfix"
)

// The causes with which disconnect ends the sessions of a connection. The client reads the cause.
var (
	errNoSession       = errors.New("nothing was asked for in time; to play, log in again")
	errTooManyRequests = errors.New("the client sent far too many requests")
	errUnreadInput     = errors.New("too much unread input")
	errNoAnswer        = errors.New("the client did not answer whether it is still there")
)

// sessionExitWait is the time between telling a client why its connection ends and cutting the connection.
const sessionExitWait = 500 * time.Millisecond

// connection is a client's connection from the time that its address is known. Every write has a deadline, so that no
// goroutine waits for a client for longer than the stall time. What the client may send is limited. A connection
// without a session is closed after a while.
type connection struct {
	net.Conn
	limit.PreauthConn
	server  *Server
	client  *gossh.ServerConn // set once the client has logged in
	key     gossh.PublicKey   // that the client has proven at the login; nil for a guest
	number  uint64            // in the log, from 1 on
	isLocal bool              // it came by the control socket
	opened  time.Time
	gone    chan struct{} // closed with the connection

	sessionsCtx context.Context // parent of its sessions' contexts; a session tells the client the cause
	endSessions context.CancelCauseFunc

	budget    *byteBudget           // of all that the client sends
	preauth   *sshfix.PreauthBudget // of what it sends before the login
	kex       sshfix.KexDetector    // finds its first exchange of keys
	rekeys    *rate.Limiter         // of exchanges of keys
	requests  *rate.Limiter         // of requests that concern the whole connection
	roundTrip roundTrip

	mu              sync.Mutex
	state           connState
	reason          limit.Reason // why the client was hung up on
	openChannels    int          // session channels that are open
	openedChannels  int          // session channels opened so far
	refusedChannels int
	inner           gossh.ServerPreAuthConn // the SSH library's connection; nil before the login begins
	said            []error                 // sentences that say has sent to the client
	unused          *time.Timer             // calls overdue if no login, or no session, comes in time
	question        *time.Timer             // until the next keep-alive question; nil before the first session
	deadPeer        deadPeerDetector
	extended        extendedData
}

// connState is the state of a connection.
type connState uint8

// The states, in their order. When its last session has ended, a connection returns to connLoggedIn. A connection may
// be closed in any state.
const (
	connLoggingIn connState = iota
	connLoggedIn            // has no session
	connInSession
	connClosed
)

// stage returns the stage of [ConnStages] that monitors see, "" for a closed connection.
func (c connState) stage() string {
	return [...]string{connLoggingIn: stageHandshake, connLoggedIn: stageAuthenticated, connInSession: stageSession,
		connClosed: ""}[c]
}

// newConnection returns the connection of a client that has just come, and counts it among those without a session.
func (s *Server) newConnection(conn net.Conn, source netip.Prefix, isLocal bool) *connection {
	c := &connection{
		Conn: conn, PreauthConn: limit.PreauthConn{Source: source}, server: s,
		number: s.Stats.Accepted.Add(1), isLocal: isLocal, opened: time.Now(), gone: make(chan struct{}),
		budget: newByteBudget(), preauth: sshfix.NewPreauthBudget(),
		rekeys: rate.NewLimiter(rekeyRate, rekeyBurst), requests: limit.NewRequests(),
	}
	c.Owner = c
	c.sessionsCtx, c.endSessions = context.WithCancelCause(context.Background())
	c.mu.Lock() // the timer may fire at once
	s.Stats.Conns.Add(stageHandshake, 1)
	c.unused = time.AfterFunc(min(s.settings.Load().Login, crowdedLogin), c.overdue)
	c.mu.Unlock()
	if isLocal {
		return c
	}
	if evicted := s.preauth.Enter(&c.PreauthConn); evicted != nil {
		evicted.Owner.Evict()
	}
	return c
}

// serve logs the client in, and opens channels and answers requests until the connection ends. It also answers the
// requests of the first channel, so most connections need no other goroutine. Each further channel has one.
func (c *connection) serve() {
	var first *channel
	defer func() { // also after a panic
		if first != nil {
			first.answerRequests()
		}
	}()
	defer c.cut()
	defer context.AfterFunc(c.server.closed, c.cut)()
	offers, globals := c.logIn()
	var requests <-chan *gossh.Request // those of first, nil without one
	for offers != nil {
		select {
		case offer, ok := <-offers:
			if !ok {
				offers = nil // the connection has ended; the deferred functions end first
				break
			}
			switch opened := c.openChannel(offer); {
			case opened == nil:
			case first == nil:
				first, requests = opened, opened.requests
			default:
				go match.RecoverPanic(c.server.log, "the requests of a channel", opened.answerRequests)
			}
		case request, ok := <-globals:
			if !ok {
				globals = nil
				break
			}
			c.refuseRequest(request)
		case request, ok := <-requests:
			if ok {
				first.answer(request)
				break
			}
			first.requestsEnded()
			first, requests = nil, nil
		}
	}
}

// logIn returns the channels and requests of a client once it has logged in, nil if it does not. It is a separate
// function to keep the login's variables off the stack of serve.
func (c *connection) logIn() (offers <-chan gossh.NewChannel, requests <-chan *gossh.Request) {
	client, offers, requests, err := gossh.NewServerConn(c, c.loginConfig())
	if err != nil {
		c.server.log.Debug("login failed",
			"event", "login-failed", "address", c.RemoteAddr(), "error", fmt.Sprintf("%.200s", err.Error()))
		return nil, nil
	}
	c.client = client
	if client.Permissions != nil {
		c.key, _ = client.Permissions.ExtraData[provenKey{}].(gossh.PublicKey)
	}
	return offers, requests
}

// refuseRequest refuses a request that concerns the whole connection: the server supports none. It closes a connection
// that makes too many.
func (c *connection) refuseRequest(request *gossh.Request) {
	switch {
	case !c.requests.Allow():
		c.disconnect(limit.TooManyRequests, errTooManyRequests)
	case forwards(request.Type): // tcpip-forward, streamlocal-forward@openssh.com
		c.reject(limit.ChannelRefused, "request", shortened(request.Type))
	}
	_ = request.Reply(false, nil)
}

// enter changes the state and counts the connection in its new stage. c is locked.
func (c *connection) enter(state connState) {
	conns := &c.server.Stats.Conns
	conns.Add(c.state.stage(), -1)
	if c.state = state; state != connClosed {
		conns.Add(state.stage(), 1)
	}
}

// reject counts and logs that the client was refused something.
func (c *connection) reject(why limit.Reason, fields ...any) {
	c.server.rejections.Reject(why, c.Source, c.number, fields...)
}

// Read reads what the client is allowed to send.
func (c *connection) Read(p []byte) (int, error) {
	if !c.budget.wait(c.gone) {
		c.disconnect(limit.UnreadInput, errUnreadInput)
	}
	if c.sessionsCtx.Err() != nil { // a client that is being disconnected is not read any more
		<-c.gone
		return 0, net.ErrClosed
	}
	if p = c.preauth.Part(p, c.gone); p == nil {
		return 0, net.ErrClosed
	}
	n, err := c.Conn.Read(p)
	if n == 0 {
		return n, err
	}
	c.budget.take(n)
	c.preauth.Took(n)
	c.noteRead(n)
	// The input shows how far the client has come.
	if c.Step() == limit.Silent {
		c.SetStep(limit.Talking)
	}
	if c.kex.Took(p[:n]) {
		if refusal := c.admitKex(); refusal != nil {
			return 0, refusal
		}
	}
	return n, err
}

// Write sends p within the stall time or fails, which ends the connection.
func (c *connection) Write(p []byte) (int, error) {
	now := time.Now()
	if err := c.SetWriteDeadline(now.Add(c.server.settings.Load().Stall)); err != nil {
		return 0, err
	}
	c.mu.Lock()
	dead := c.deadPeer.tooLong(c.Conn, now)
	c.mu.Unlock()
	if dead {
		c.closeFor(limit.NoAnswer)
		return 0, net.ErrClosed
	}
	n, err := c.Conn.Write(p)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		c.closeFor(limit.TooSlow)
	}
	return n, err
}

// Close closes the connection and stops its timers.
func (c *connection) Close() error {
	c.mu.Lock()
	first := c.state != connClosed
	failed := c.state == connLoggingIn && c.reason == "" && c.Step() > limit.Silent
	if first {
		c.enter(connClosed)
		close(c.gone)
	}
	inner := c.inner
	c.unused.Stop()
	if c.question != nil {
		c.question.Stop()
	}
	c.mu.Unlock()
	c.server.preauth.Leave(&c.PreauthConn)
	if failed {
		c.refuse(limit.LoginFailed)
	}
	err := c.Conn.Close()
	if first && !c.isLocal {
		c.server.slots.Release()
	}
	if first && inner != nil {
		sshfix.DrainReadAhead(inner)
	}
	return err
}

// addressNet returns the client's address as a network of one address, invalid at the control socket.
func (c *connection) addressNet() netip.Prefix {
	ip := limit.IPOf(c.RemoteAddr())
	return netip.PrefixFrom(ip, ip.BitLen())
}

func (c *connection) cut() { _ = c.Close() }

// closeFor closes the connection and counts the reason.
func (c *connection) closeFor(why limit.Reason) {
	c.refuse(why)
	c.cut()
}

// disconnect ends the client's sessions with the cause word, which the client reads. It closes the connection after
// sessionExitWait.
func (c *connection) disconnect(why limit.Reason, word error) {
	if c.refuse(why) {
		c.endSessions(word)
		time.AfterFunc(sessionExitWait, c.cut)
	}
}

// refuse stores and counts why the connection ends, and returns true. If a reason is stored already, refuse changes
// nothing and returns false. For a closed connection, it takes no reason but limit.LoginFailed.
func (c *connection) refuse(why limit.Reason, fields ...any) (first bool) {
	c.mu.Lock()
	first = c.reason == "" && (c.state != connClosed || why == limit.LoginFailed)
	if first {
		c.reason = why
	}
	c.mu.Unlock()
	if first {
		c.reject(why, fields...)
	}
	return first
}

// closeReason returns why the server closed the connection, "" if it did not.
func (c *connection) closeReason() limit.Reason {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.reason
}

// Evict disconnects a client that has to make room.
func (c *connection) Evict() {
	c.sendDisconnect(errCrowded)
	c.closeFor(limit.CrowdedOut)
}

// extend gives a client more time for its login if no other connection needs the room, and reports whether it has done
// so. A login may take time: the client asks its user whether to trust the host key, and for a passphrase.
func (c *connection) extend() bool {
	left := c.server.settings.Load().Login - time.Since(c.opened)
	if left <= 0 || !c.server.preauth.HasRoom(&c.PreauthConn) {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state == connLoggingIn {
		c.unused.Reset(min(left, loginCheckEvery))
	}
	return true
}

// overdue closes a connection that has no login, or no session, in time.
func (c *connection) overdue() {
	c.mu.Lock()
	state, login := c.state, c.inner
	c.mu.Unlock()
	if state == connLoggingIn && c.extend() {
		return
	}
	switch {
	case state == connInSession, state == connClosed:
		return
	case state == connLoggedIn:
		c.closeFor(limit.NoSession)
		return
	case login != nil:
		c.failLogin(errSlowLogin)
	default:
		c.sendDisconnect(errSlowLogin)
		c.closeFor(limit.LoginFailed)
	}
}

// failLogin tells a client why it cannot log in, and closes the connection.
func (c *connection) failLogin(why error) {
	defer time.AfterFunc(sessionExitWait, c.cut).Stop() // the client may not read
	c.say(why)
	c.closeFor(limit.LoginFailed)
}

// loggedIn counts a login as user, and gives the client time for its first session.
func (c *connection) loggedIn(method, user string) {
	c.server.knownLogins.add(c.Source, user)
	c.server.Stats.Logins.Add(method, 1)
	c.server.Stats.Handshakes.Observe(time.Since(c.opened))
	c.mu.Lock()
	defer c.mu.Unlock()
	c.said = nil
	if c.state == connLoggingIn {
		c.enter(connLoggedIn)
		c.unused.Reset(c.server.settings.Load().Start)
	}
}

// open counts a new channel and returns its number on the connection. ok is false if the connection has as many open
// channels as most allows.
func (c *connection) open(most int) (number int, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.openChannels >= most {
		return 0, false
	}
	c.openedChannels++
	c.openChannels++
	if c.state != connClosed {
		c.enter(connInSession)
	}
	c.unused.Stop()
	c.server.preauth.Leave(&c.PreauthConn)
	return c.openedChannels, true
}

// release counts a channel that has ended. After the last one, the connection counts among those without a session
// again, and has the start time for another session.
func (c *connection) release() {
	var evicted *limit.PreauthConn
	c.mu.Lock()
	if c.openChannels--; c.openChannels == 0 && c.state != connClosed {
		c.enter(connLoggedIn)
		c.unused.Reset(c.server.settings.Load().Start)
		if !c.isLocal {
			evicted = c.server.preauth.Enter(&c.PreauthConn)
		}
	}
	c.mu.Unlock()
	if evicted != nil {
		evicted.Owner.Evict()
	}
}

const maxRejections = 64

// refused counts a refused channel, and disconnects a client with more than maxRejections.
func (c *connection) refused() {
	c.mu.Lock()
	c.refusedChannels++
	over := c.refusedChannels > maxRejections
	c.mu.Unlock()
	if over {
		c.disconnect(limit.TooManyRequests, errTooManyRequests)
	}
}

// The reasons for a disconnection, as clients show them (RFC 4253, section 11.1).
const (
	hostNotAllowed     = 1  // SSH_DISCONNECT_HOST_NOT_ALLOWED_TO_CONNECT
	tooManyConnections = 12 // SSH_DISCONNECT_TOO_MANY_CONNECTIONS
)

// Sending the reason for a disconnection takes at most disconnectWait. After that, sendDisconnectAndDrain reads and
// discards up to disconnectRead bytes of input: if the connection were closed with unread input, the client might lose
// the reason.
const (
	disconnectWait = time.Second
	disconnectRead = 16 << 10
)

// disconnect returns the packet that ends a connection before its first key exchange (RFC 4253, sections 6 and 11.1),
// in plain text.
func disconnect(reason uint32, text string) []byte {
	payload := gossh.Marshal(struct {
		Reason         uint32 `sshtype:"1"`
		Text, Language string
	}{reason, text, "en"})
	const header, block, leastPadding = 5, 8, 4
	padding := leastPadding + block - (header+len(payload)+leastPadding)%block
	packet := binary.BigEndian.AppendUint32(nil, uint32(1+len(payload)+padding))
	packet = append(packet, byte(padding))
	packet = append(packet, payload...)
	return append(packet, make([]byte, padding)...)
}

// sendDisconnect sends the reason for a disconnection in plain text. Once keys are being exchanged, it sends nothing:
// the client then expects an encrypted packet, which only the SSH library could send. It waits for at most
// disconnectWait, and drops the part of the packet that does not fit the buffers.
func (c *connection) sendDisconnect(refusal error) {
	if c.preauth.Begun() {
		return
	}
	_ = c.SetWriteDeadline(time.Now().Add(disconnectWait))
	reason := uint32(tooManyConnections)
	if isBan(refusal) {
		reason = hostNotAllowed
	}
	_, _ = c.Conn.Write(disconnect(reason, refusal.Error()))
}

// sendDisconnectAndDrain sends the reason for a disconnection to a client that has sent input already. It reads the
// rest of the input for at most disconnectWait, so that the client gets the reason.
func (c *connection) sendDisconnectAndDrain(refusal error) {
	c.sendDisconnect(refusal)
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
	}
	_ = c.SetReadDeadline(time.Now().Add(disconnectWait))
	rest := make([]byte, disconnectRead)
	for len(rest) > 0 {
		n, err := c.Conn.Read(rest)
		if err != nil {
			return
		}
		rest = rest[n:]
	}
}

// maxQuiet is the number of bytes that a connection may send before goroutines watch for extended data.
const maxQuiet = 32 << 10

// extendedData watches what a client sends beside the input of its sessions.
type extendedData struct {
	received int         // bytes read from the connection; not counted beyond maxQuiet
	streams  []io.Reader // the channels' extended data, not watched before received exceeds maxQuiet
}

// noteRead counts n bytes read from the client. With the first byte beyond maxQuiet, it begins to watch for extended
// data. Watching costs a goroutine a channel, which most connections never need.
func (c *connection) noteRead(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.deadPeer.lastRead, c.deadPeer.since = time.Now(), time.Time{} // the link is alive
	if c.extended.received > maxQuiet {
		return
	}
	if c.extended.received += n; c.extended.received > maxQuiet {
		for _, data := range c.extended.streams {
			go c.watchExtended(data)
		}
	}
}

// watchExtended disconnects a client that sends extended data (RFC 4254, section 5.2), which only servers send. No
// session reads extended data, so the library would keep two megabytes of it a channel. watchExtended returns when the
// channel is closed.
func (c *connection) watchExtended(data io.Reader) {
	if n, _ := data.Read(make([]byte, 1)); n > 0 {
		c.disconnect(limit.UnreadInput, errUnreadInput)
	}
}

// guardExtended watches a channel's extended data once the client has sent more than maxQuiet bytes. Call unguard when
// the channel has ended.
func (c *connection) guardExtended(data io.Reader) (unguard func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.extended.received > maxQuiet {
		go c.watchExtended(data)
		return func() {}
	}
	c.extended.streams = append(c.extended.streams, data)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if i := slices.Index(c.extended.streams, data); i >= 0 {
			c.extended.streams = slices.Delete(c.extended.streams, i, i+1)
		}
	}
}

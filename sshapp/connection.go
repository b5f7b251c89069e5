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

// Causes that disconnect gives to the sessions of a connection. The client reads the cause.
var (
	errNoSession       = errors.New("your client asked for nothing in time; to play, log in again")
	errTooManyRequests = errors.New("the client sent far too many requests")
	errUnreadInput     = errors.New("too much unread input")
	errNoAnswer        = errors.New("the client did not answer a check whether it is still there")
)

// sessionExitWait is the time for a client to read why its connection ends.
const sessionExitWait = 500 * time.Millisecond

// connection is a client's connection from the time that the client's address is known. The client logs in, then opens
// channels for sessions (see connState). The client must log in, and open a channel, before unusedTimer fires.
//
// The server ends a connection by one of these methods, and setCloseReason stores the first reason:
//   - closeFor closes at once.
//   - disconnect ends the sessions with a cause for the client, and closes after sessionExitWait.
//   - failLogin sends the cause as a banner, and closes.
//   - Evict makes room for other clients. It sends the cause before a key exchange only, and closes.
//   - admitKex sends the cause, and fails the login by an error from Read.
//
// cut closes a connection without a reason. If the client has sent anything and has not logged in, Close stores
// limit.LoginFailed.
type connection struct {
	net.Conn
	limit.PreauthConn
	server  *Server
	client  *gossh.ServerConn // nil before the login
	key     gossh.PublicKey   // proven at the login, or nil for a guest
	number  uint64            // in the log, counted from the server's start
	isLocal bool              // from the control socket
	opened  time.Time
	closed  chan struct{} // closed by Close

	sessionsCtx context.Context // parent of the sessions' contexts, canceled with a cause that the client reads
	endSessions context.CancelCauseFunc

	budget          *byteBudget           // of bytes read ahead of the sessions
	handshakeBudget *sshfix.PreauthBudget // of bytes between the key exchange and the login
	kex             sshfix.KexDetector
	rekeys          *rate.Limiter
	requestLimit    *rate.Limiter // of requests that concern the whole connection
	roundTrip       roundTrip
	hasProvedKeys   bool // proveHostKeys was called

	mu              sync.Mutex
	state           connState
	reason          limit.Reason // why the connection ends, empty before that
	openChannels    int
	openedChannels  int // in all, also those closed since
	refusedChannels int
	loginConn       gossh.ServerPreAuthConn // the SSH library's connection, nil before the login begins
	bannersSent     []error
	unusedTimer     *time.Timer // calls expire, stopped while the connection has a channel
	questionTimer   *time.Timer // until the next keep-alive question, nil before the first session
	deadPeer        deadPeerDetector
	extended        extendedData
}

type connState uint8

// States of a connection in their order. After its last channel, a connection returns to connLoggedIn. A connection
// may be closed in any state.
const (
	connLoggingIn connState = iota
	connLoggedIn            // has no channel
	connInSession
	connClosed
)

func (c connState) stage() string {
	return [...]string{connLoggingIn: stageHandshake, connLoggedIn: stageAuthenticated, connInSession: stageSession,
		connClosed: ""}[c]
}

func (s *Server) newConnection(conn net.Conn, source netip.Prefix, isLocal bool) *connection {
	c := &connection{
		Conn: conn, PreauthConn: limit.PreauthConn{Source: source}, server: s,
		number: s.Stats.Accepted.Add(1), isLocal: isLocal, opened: time.Now(), closed: make(chan struct{}),
		budget: newByteBudget(), handshakeBudget: sshfix.NewPreauthBudget(),
		rekeys: rate.NewLimiter(rekeyRate, rekeyBurst), requestLimit: limit.NewRequests(),
	}
	c.Owner = c
	c.sessionsCtx, c.endSessions = context.WithCancelCause(context.Background())
	c.mu.Lock() // the timer may fire at once
	s.Stats.Conns.Add(stageHandshake, 1)
	c.unusedTimer = time.AfterFunc(min(s.settings.Load().Login, crowdedLogin), c.expire)
	c.mu.Unlock()
	if isLocal {
		return c
	}
	if evicted := s.preauthConns.Enter(&c.PreauthConn); evicted != nil {
		evicted.Owner.Evict()
	}
	return c
}

// serve logs the client in, then opens channels and answers requests until the connection ends. The requests of the
// first channel are answered here as well. Most connections have one channel and then need no second goroutine.
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
	if offers != nil && !c.isLocal {
		c.announceHostKeys()
	}
	var requests <-chan *gossh.Request // of first, nil without one
	for offers != nil {
		select {
		case offer, ok := <-offers:
			if !ok {
				offers = nil // the connection has ended
				break
			}
			switch ch := c.openChannel(offer); {
			case ch == nil:
			case first == nil:
				first, requests = ch, ch.requests
			default:
				go match.RecoverPanic(c.server.log, "the requests of a channel", ch.answerRequests)
			}
		case request, ok := <-globals:
			if !ok {
				globals = nil
				break
			}
			c.answerRequest(request)
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

// logIn returns the client's channels and requests once the client has logged in, or nil. logIn
// stands apart from serve to keep the login's variables off the stack of serve.
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

// answerRequest proves the host keys, and refuses every other request that concerns the whole connection.
func (c *connection) answerRequest(request *gossh.Request) {
	switch {
	case !c.requestLimit.Allow():
		c.disconnect(limit.TooManyRequests, errTooManyRequests)
	case request.Type == hostKeysProveRequest:
		signatures, err := c.proveHostKeys(request.Payload)
		_ = request.Reply(err == nil, signatures)
		return
	case forwards(request.Type): // tcpip-forward, streamlocal-forward@openssh.com
		c.countRejection(limit.ChannelRefused, "request", shortened(request.Type))
	}
	_ = request.Reply(false, nil)
}

// enter changes the state. The caller holds c.mu.
func (c *connection) enter(state connState) {
	conns := &c.server.Stats.Conns
	conns.Add(c.state.stage(), -1)
	if c.state = state; state != connClosed {
		conns.Add(state.stage(), 1)
	}
}

func (c *connection) countRejection(why limit.Reason, fields ...any) {
	c.server.rejections.Reject(why, c.Source, c.number, fields...)
}

// Read waits until the client's budgets allow a read, then reads. The control socket has no byteBudget: a command that
// fails leaves input unread, and Read must go on to see that the client has closed the channel.
func (c *connection) Read(p []byte) (int, error) {
	if !c.isLocal && !c.budget.wait(c.closed) {
		c.disconnect(limit.UnreadInput, errUnreadInput)
	}
	if c.sessionsCtx.Err() != nil { // do not read from a client that is being disconnected
		<-c.closed
		return 0, net.ErrClosed
	}
	if p = c.handshakeBudget.Limit(p, c.closed); p == nil {
		return 0, net.ErrClosed
	}
	n, err := c.Conn.Read(p)
	if n == 0 {
		return n, err
	}
	c.budget.take(n)
	c.handshakeBudget.Charge(n)
	c.countRead(n)
	// The input shows how far the client has come.
	if c.Step() == limit.Silent {
		c.SetStep(limit.Talking)
	}
	if c.kex.Scan(p[:n]) {
		if refusal := c.admitKex(); refusal != nil {
			return 0, refusal
		}
	}
	return n, err
}

// Write sends p. If that takes longer than the stall time, Write fails and closes the connection.
func (c *connection) Write(p []byte) (int, error) {
	now := time.Now()
	if err := c.SetWriteDeadline(now.Add(c.server.settings.Load().Stall)); err != nil {
		return 0, err
	}
	c.mu.Lock()
	dead := c.deadPeer.detect(c.Conn, now)
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

func (c *connection) Close() error {
	c.mu.Lock()
	first := c.state != connClosed
	loginFailed := c.state == connLoggingIn && c.reason == "" && c.Step() > limit.Silent
	if loginFailed {
		c.reason = limit.LoginFailed
	}
	if first {
		c.enter(connClosed)
		close(c.closed)
	}
	login := c.loginConn
	c.unusedTimer.Stop()
	if c.questionTimer != nil {
		c.questionTimer.Stop()
	}
	c.mu.Unlock()
	c.server.preauthConns.Leave(&c.PreauthConn)
	if loginFailed {
		c.countRejection(limit.LoginFailed)
	}
	err := c.Conn.Close()
	if first && !c.isLocal {
		c.server.slots.Release()
	}
	if first && login != nil {
		sshfix.DrainReadAhead(login)
	}
	return err
}

// addressNet returns the client's address as a network, invalid at the control socket.
func (c *connection) addressNet() netip.Prefix {
	ip := limit.ClientIP(c.RemoteAddr())
	return netip.PrefixFrom(ip, ip.BitLen())
}

func (c *connection) cut() { _ = c.Close() }

func (c *connection) closeFor(why limit.Reason) {
	c.setCloseReason(why)
	c.cut()
}

// disconnect ends the client's sessions with cause, and closes the connection after sessionExitWait.
func (c *connection) disconnect(why limit.Reason, cause error) {
	if c.setCloseReason(why) {
		c.endSessions(cause)
		time.AfterFunc(sessionExitWait, c.cut)
	}
}

// setCloseReason stores, counts and logs why the connection ends. If a reason is stored already, or the connection is
// closed, setCloseReason has no effect and returns false.
func (c *connection) setCloseReason(why limit.Reason, fields ...any) (first bool) {
	c.mu.Lock()
	first = c.reason == "" && c.state != connClosed
	if first {
		c.reason = why
	}
	c.mu.Unlock()
	if first {
		c.countRejection(why, fields...)
	}
	return first
}

func (c *connection) closeReason() limit.Reason {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.reason
}

// Evict closes a connection without a session to make room in [limit.PreauthConns]. Before a key exchange, Evict tells
// the client why. After that, the client is told no reason (see sendDisconnect).
func (c *connection) Evict() {
	c.sendDisconnect(errCrowded)
	c.closeFor(limit.CrowdedOut)
}

// extendLogin gives the client more time to log in and returns true. If the connection is older than the setting
// Login, or other connections need the room, extendLogin returns false. A login may take long while a user checks the
// host key or types a passphrase.
func (c *connection) extendLogin() bool {
	left := c.server.settings.Load().Login - time.Since(c.opened)
	if left <= 0 || !c.server.preauthConns.IsUncrowdedSince(&c.PreauthConn) {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state == connLoggingIn { // otherwise the client has just logged in or gone
		c.unusedTimer.Reset(min(left, loginCheckEvery))
	}
	return true
}

// expire closes a connection if its client has not logged in, or has not opened a channel, in time. unusedTimer calls
// expire.
func (c *connection) expire() {
	c.mu.Lock()
	state, login := c.state, c.loginConn
	c.mu.Unlock()
	switch {
	case state == connLoggingIn && c.extendLogin(), state == connInSession, state == connClosed:
	case state == connLoggedIn:
		c.closeFor(limit.NoSession)
	case login != nil:
		c.failLogin(errSlowLogin)
	default: // the login has not begun, and has no banner
		c.sendDisconnect(errSlowLogin)
		c.closeFor(limit.LoginFailed)
	}
}

// failLogin sends cause as a banner of a login that has begun, and closes.
func (c *connection) failLogin(cause error) {
	defer time.AfterFunc(sessionExitWait, c.cut).Stop() // if the client does not read the banner
	c.sendBanner(cause)
	c.closeFor(limit.LoginFailed)
}

func (c *connection) loggedIn(method, user string) {
	c.server.knownLogins.add(c.Source, user)
	c.server.Stats.Logins.Add(method, 1)
	c.server.Stats.Handshakes.Observe(time.Since(c.opened))
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bannersSent = nil
	if c.state == connLoggingIn {
		c.enter(connLoggedIn)
		c.unusedTimer.Reset(c.server.settings.Load().Start)
	}
}

// reserveChannel counts a new channel and returns its number on the connection. If maxOpen channels are open already,
// ok is false.
func (c *connection) reserveChannel(maxOpen int) (number int, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.openChannels >= maxOpen {
		return 0, false
	}
	c.openedChannels++
	c.openChannels++
	if c.state != connClosed {
		c.enter(connInSession)
	}
	c.unusedTimer.Stop()
	c.server.preauthConns.Leave(&c.PreauthConn)
	return c.openedChannels, true
}

// releaseChannel gives a channel's place back. After the last channel, the connection counts as one without a session,
// and the client must begin another within the setting Start.
func (c *connection) releaseChannel() {
	var evicted *limit.PreauthConn
	c.mu.Lock()
	if c.openChannels--; c.openChannels == 0 && c.state != connClosed {
		c.enter(connLoggedIn)
		c.unusedTimer.Reset(c.server.settings.Load().Start)
		if !c.isLocal {
			evicted = c.server.preauthConns.Enter(&c.PreauthConn)
		}
	}
	c.mu.Unlock()
	if evicted != nil {
		evicted.Owner.Evict()
	}
}

const maxRefusedChannels = 64

func (c *connection) countRefusedChannel() {
	c.mu.Lock()
	c.refusedChannels++
	over := c.refusedChannels > maxRefusedChannels
	c.mu.Unlock()
	if over {
		c.disconnect(limit.TooManyRequests, errTooManyRequests)
	}
}

// Reasons for a disconnection, as clients show them (RFC 4253, section 11.1).
const (
	hostNotAllowed     = 1
	tooManyConnections = 12
)

// disconnectWait limits the time to send the reason for a disconnection, and the time to read up to disconnectRead
// bytes afterwards. The kernel may discard the sent reason if a connection closes with unread input.
const (
	disconnectWait = time.Second
	disconnectRead = 16 << 10
)

// disconnectPacket returns the packet that ends a connection before its first key exchange (RFC 4253, sections 6 and
// 11.1), in plain text.
func disconnectPacket(reason uint32, text string) []byte {
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

// sendDisconnect sends the reason for a disconnection in plain text, and gives up after disconnectWait. Once a key
// exchange has begun, no packet is sent. The client then expects an encrypted packet, and only the SSH library could
// send one.
func (c *connection) sendDisconnect(cause error) {
	if c.handshakeBudget.HasStarted() {
		return
	}
	_ = c.SetWriteDeadline(time.Now().Add(disconnectWait))
	reason := uint32(tooManyConnections)
	if isBan(cause) {
		reason = hostNotAllowed
	}
	_, _ = c.Conn.Write(disconnectPacket(reason, cause.Error()))
}

func (c *connection) sendDisconnectAndDrain(cause error) {
	c.sendDisconnect(cause)
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

// watchExtendedAfter is the number of bytes that a connection may send before goroutines watch for extended data.
// Most connections send fewer and need no such goroutines.
const watchExtendedAfter = 32 << 10

type extendedData struct {
	received int         // bytes read from the connection, not counted beyond watchExtendedAfter
	streams  []io.Reader // the channels' extended data, until goroutines watch it
}

func (c *connection) countRead(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.deadPeer.lastRead, c.deadPeer.unackedSince = time.Now(), time.Time{} // the link is alive
	if c.extended.received > watchExtendedAfter {
		return
	}
	if c.extended.received += n; c.extended.received > watchExtendedAfter {
		for _, data := range c.extended.streams {
			go c.watchExtended(data)
		}
		c.extended.streams = nil
	}
}

// watchExtended disconnects a client that sends extended data (RFC 4254, section 5.2), since only servers send any.
// No session reads that data, and the library would keep two megabytes for each channel. The wait ends with the
// channel.
func (c *connection) watchExtended(data io.Reader) {
	if n, _ := data.Read(make([]byte, 1)); n > 0 {
		c.disconnect(limit.UnreadInput, errUnreadInput)
	}
}

// guardExtended watches a channel's extended data from watchExtendedAfter on. Call unguard when the channel has
// ended.
func (c *connection) guardExtended(data io.Reader) (unguard func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.extended.received > watchExtendedAfter {
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

package sshapp

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"notakto/sshapp/limit"
	"notakto/sshapp/sshfix"

	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"
)

// The last words of a session whose connection is hung up on.
var (
	errNoSession       = errors.New("nothing was asked for in time; to play, log in again")
	errTooManyRequests = errors.New("the client sent far too many requests")
	errUnreadInput     = errors.New("the client sent far more than is read here")
	errNoAnswer        = errors.New("the client did not answer whether it is still there")
)

// sessionExitWait is how long there is time for them.
const sessionExitWait = 500 * time.Millisecond

// connection is a client's connection behind the gate. Every write has a deadline, so that no goroutine of the server
// waits for a client for longer than the stall time; what the client may send is limited; and one without a session is
// closed after a while.
type connection struct {
	net.Conn
	limit.PreauthConn
	stall          time.Duration // how long a write may wait
	login          time.Duration // how long its login may take while there is room
	start          time.Duration // how long it may be without a session
	roomy          func(*limit.PreauthConn) bool
	admitKex       func(*connection) error
	leavePreauth   func(*limit.PreauthConn)                              // has a session, or is closed
	releaseSlot    func()                                                // is closed
	reenterPreauth func(*limit.PreauthConn) (evicted *limit.PreauthConn) // has left its last session
	onReject       func(limit.Reason, ...any)                            // why it is hung up on, or refused something
	input          *byteBudget                                           // of bytes
	preauthBudget  *sshfix.PreauthBudget                                 // of bytes as well, before the login
	kexDetector    sshfix.KexDetector                                    // what comes before its exchange of keys
	rekeys         *rate.Limiter                                         // exchanges of keys
	requests       *rate.Limiter                                         // that concern the whole connection
	gone           chan struct{}                                         // closed with the connection
	sessionsCtx    context.Context                                       // of its sessions, which tell the client what it ends with
	end            context.CancelCauseFunc

	opened     time.Time
	hadSession atomic.Bool // has asked for a session

	mu         sync.Mutex
	channels   int
	rejections int
	known      bool                    // the client has logged in
	inner      gossh.ServerPreAuthConn // the SSH library's connection; nil before the login begins
	unused     *time.Timer
	asking     *time.Timer // of the next keep-alive question; nil before the first session
	closed     bool
	reason     limit.Reason // why it was hung up on
	deadPeer   deadPeerDetector
	received   int         // bytes, until the connection is loud
	extended   []io.Reader // what may bring data that nobody reads; watched once the connection is loud
}

// Read reads what the client is allowed to send.
func (c *connection) Read(p []byte) (int, error) {
	if !c.input.wait(c.gone) {
		c.disconnect(limit.UnreadInput, errUnreadInput)
	}
	if c.sessionsCtx.Err() != nil { // nothing more is heard of a client that is being hung up on
		<-c.gone
		return 0, net.ErrClosed
	}
	if p = c.preauthBudget.Part(p, c.gone); p == nil {
		return 0, net.ErrClosed
	}
	n, err := c.Conn.Read(p)
	if n == 0 {
		return n, err
	}
	c.input.take(n)
	c.preauthBudget.Took(n)
	c.noteRead(n)
	if refusal := c.advance(p[:n]); refusal != nil {
		return 0, refusal
	}
	return n, err
}

// advance follows how far the client has come by what it has sent. The error says that it may come no further.
func (c *connection) advance(sent []byte) error {
	if c.Step() == limit.Silent {
		c.SetStep(limit.Talking)
	}
	if c.kexDetector.Took(sent) {
		return c.admitKex(c)
	}
	return nil
}

// Write sends p within the stall time or fails, which ends the connection.
func (c *connection) Write(p []byte) (int, error) {
	now := time.Now()
	if err := c.SetWriteDeadline(now.Add(c.stall)); err != nil {
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
	first := !c.closed
	if first {
		c.closed = true
		close(c.gone)
	}
	inner := c.inner
	failed := !c.known && c.reason == "" && c.Step() > limit.Silent
	c.unused.Stop()
	if c.asking != nil {
		c.asking.Stop()
	}
	c.mu.Unlock()
	c.leavePreauth(&c.PreauthConn)
	if failed {
		c.refuse(limit.LoginFailed)
	}
	err := c.Conn.Close()
	if first {
		c.releaseSlot()
	}
	if first && inner != nil {
		sshfix.DrainReadAhead(inner)
	}
	return err
}

// setServerConn says what the SSH library has made of the connection, as the login begins.
func (c *connection) setServerConn(inner gossh.ServerPreAuthConn) {
	c.preauthBudget.End()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.inner = inner
}

func (c *connection) cut() { _ = c.Close() }

// closeFor closes the connection for a reason, unless it is closed already.
func (c *connection) closeFor(why limit.Reason) {
	c.refuse(why)
	c.cut()
}

// disconnect hangs up on a client for a reason, as soon as its sessions have had the time to tell it.
func (c *connection) disconnect(why limit.Reason, word error) {
	if c.refuse(why) {
		c.end(word)
		time.AfterFunc(sessionExitWait, c.cut)
	}
}

// refuse counts why the client is let go: the first reason only.
func (c *connection) refuse(why limit.Reason) (first bool) {
	c.mu.Lock()
	first = c.reason == "" && (!c.closed || why == limit.LoginFailed)
	if first {
		c.reason = why
	}
	c.mu.Unlock()
	if first {
		c.onReject(why)
	}
	return first
}

// Evict hangs up on a client for whom there is no room.
func (c *connection) Evict() {
	c.sendDisconnect(errCrowded)
	c.closeFor(limit.CrowdedOut)
}

// stalled hangs up on a client that takes nothing of what it is sent.
func (c *connection) stalled() { c.closeFor(limit.TooSlow) }

// extend gives a client more time for its login if there is no crowd, and reports whether it has. Clients ask their
// users whether the host key is right, and for a passphrase.
func (c *connection) extend() bool {
	left := c.login - time.Since(c.opened)
	if left <= 0 || !c.roomy(&c.PreauthConn) {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.known && !c.closed {
		c.unused.Reset(min(left, loginCheckEvery))
	}
	return true
}

// overdue hangs up on a client without a login, or without a session.
func (c *connection) overdue() {
	c.mu.Lock()
	known, login := c.known, c.inner
	c.mu.Unlock()
	if !known && c.extend() {
		return
	}
	switch {
	case known:
		c.closeFor(limit.NoSession)
		return
	case login != nil:
		defer time.AfterFunc(sessionExitWait, c.cut).Stop() // a client that reads nothing
		_ = login.SendAuthBanner("notakto: " + errSlowLogin.Error() + "\n")
	default:
		c.sendDisconnect(errSlowLogin)
	}
	c.closeFor(limit.LoginFailed)
}

// loggedIn gives the client time for its first session.
func (c *connection) loggedIn() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known = true; !c.closed {
		c.unused.Reset(c.start)
	}
}

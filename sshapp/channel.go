package sshapp

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"charm.land/ssh"
	"github.com/anmitsu/go-shlex"
	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"

	"notakto/match"
	"notakto/match/account"
	"notakto/sshapp/admin"
	"notakto/sshapp/command"
	"notakto/sshapp/limit"
	"notakto/sshapp/terminal"
)

// errExited says that a session's exit status has been sent.
var errExited = errors.New("the session has ended")

// channel is a session channel as a session: an implementation of ssh.Session. The library's own is not used because
// its request loop can be made to wait for the program, to keep what it is sent without bound, and to race with the
// reader of the window's size.
//
// Its fields are set by the request loop before the handler runs and not changed after.
type channel struct {
	gossh.Channel
	serverConn *gossh.ServerConn
	connCtx    ssh.Context
	conn       *connection
	slot       *limit.Slot
	who        identity
	input      io.Reader // the channel's, or what is left of it after a wait
	asked      asking
	life       cancelContext // ends when the client closes the channel or the session gives way
	number     int           // among the sessions of its connection, from 1 on
	cost       cost
	windows    chan ssh.Window // holds the newest size only; closed when the channel is

	mu    sync.Mutex
	exit  exit
	inbox inbox
}

// inbox is how the front end of a session learns what it has not asked for. The functions are nil before it has begun,
// and must not wait.
type inbox struct {
	resized func()      // what to do when windows has a new size
	notices chan string // of administrators; the oldest gives way to a new one
	noticed func()      // what to do when notices has a new one
}

// maxNotices is how many notices are kept for a front end that is not done with those before.
const maxNotices = 4

// identity is who a session belongs to, and the key that was proven at the login.
type identity struct {
	match.Player
	key  account.KeyID // empty for a guest
	role admin.Role
	ban  *account.Ban // by which the session is refused; nil for none
}

// caller is the player as one who decides about the account.
func (i identity) caller() account.Caller { return account.Caller{Account: i.ID, Key: i.key} }

// exit is how a session has ended.
type exit struct {
	sent   bool
	status int
	cause  error  // why the session was over before the status was sent; nil if it was not
	reason string // one of [SessionEnds]; empty if the session need not say
}

// asking is what the client has asked for.
type asking struct {
	terminal    *ssh.Pty
	env         terminal.Environ
	command     string
	isTooLong   bool      // the command is
	isSubsystem bool      // a file transfer, which no front end gives
	started     bool      // the front end has been chosen
	at          time.Time // when it began
	frontEnd    *FrontEndStats
}

// cost is what a session owes for what it leads to, and what limits it.
type cost struct {
	requests *rate.Limiter
	heldUp   atomic.Int64               // nanoseconds in which the session has waited to pay, since its client paused
	pay      func(context.Context, int) // waits until the session may have done work at such a price
	said     atomic.Int64               // bytes that were sent to the client since the session has read
}

var _ ssh.Session = (*channel)(nil)

func (c *channel) User() string                 { return c.serverConn.User() }
func (c *channel) RemoteAddr() net.Addr         { return c.serverConn.RemoteAddr() }
func (c *channel) LocalAddr() net.Addr          { return c.serverConn.LocalAddr() }
func (c *channel) Environ() []string            { return append([]string(nil), c.asked.env...) }
func (c *channel) RawCommand() string           { return c.asked.command }
func (c *channel) Subsystem() string            { return "" }
func (c *channel) Context() ssh.Context         { return c.connCtx }
func (c *channel) Permissions() ssh.Permissions { return *c.connCtx.Permissions() }
func (c *channel) EmulatedPty() bool            { return c.asked.terminal != nil }

// Signals does nothing: no signal of a client means anything here.
func (c *channel) Signals(chan<- ssh.Signal) {}

// Break does nothing, like Signals.
func (c *channel) Break(chan<- bool) {}

// Command is the command split as a shell would; nil if its quotes do not match.
func (c *channel) Command() []string {
	words, err := shlex.Split(c.asked.command, true)
	if err != nil {
		return nil
	}
	return words
}

// PublicKey is the key that was proven at login, or nil for a guest.
func (c *channel) PublicKey() ssh.PublicKey {
	key, _ := c.connCtx.Value(ssh.ContextKeyPublicKey).(ssh.PublicKey)
	return key
}

// Pty is the terminal as the client described it, and the sizes it takes later: the newest only, however slowly they
// are read.
func (c *channel) Pty() (ssh.Pty, <-chan ssh.Window, bool) {
	if c.asked.terminal == nil {
		return ssh.Pty{}, c.windows, false
	}
	return *c.asked.terminal, c.windows, true
}

// Write sends p; on a terminal a line ends with a carriage return too.
func (c *channel) Write(p []byte) (int, error) {
	if c.asked.terminal != nil {
		return ssh.NewPtyWriter(c.Channel).Write(p)
	}
	return c.Channel.Write(p)
}

// Stderr is the client's standard error.
func (c *channel) Stderr() io.ReadWriter {
	if c.asked.terminal != nil {
		return ssh.NewPtyReadWriter(c.Channel.Stderr())
	}
	return c.Channel.Stderr()
}

// Exit sends the exit status and closes the channel. A session that an administrator has ended fails.
func (c *channel) Exit(code int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.exit.sent {
		return errExited
	}
	cause := context.Cause(c.life.ctx)
	code = statusFor(cause, code)
	c.exit.sent, c.exit.status, c.exit.cause = true, code, cause
	status := struct{ Status uint32 }{uint32(code)}
	_, err := c.SendRequest("exit-status", false, gossh.Marshal(&status))
	return errors.Join(err, c.Close())
}

// noteEnd says why the session ends. The first reason counts.
func (c *channel) noteEnd(why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.exit.reason = cmp.Or(c.exit.reason, why)
}

// reject counts that the session was refused something, or is ended for a reason, and has the log say so.
func (c *channel) reject(why limit.Reason, fields ...any) {
	switch why {
	case limit.Idled:
		c.noteEnd(endIdle)
	case limit.TooSlow:
		c.noteEnd(endStalled)
	case limit.GaveWay:
		c.noteEnd(endGaveWay)
	}
	c.conn.reject(why, append([]any{"session", sessionID(c)}, fields...)...)
}

// ending returns why a session has ended, and its exit status.
func (s *Server) ending(c *channel) (why string, status int) {
	return s.endReason(c), c.exitStatus()
}

// exitStatus returns the exit status that was sent, or the one that will be if the front end has sent none.
func (c *channel) exitStatus() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.exit.sent {
		return statusFor(context.Cause(c.life.ctx), c.exit.status)
	}
	return c.exit.status
}

// statusFor returns the exit status of a session that ends for a cause, and otherwise would with a status.
func statusFor(cause error, status int) int {
	if isKicked(cause) || isBan(cause) {
		return int(command.ExitFailure)
	}
	return status
}

func (s *Server) endReason(c *channel) string {
	c.mu.Lock()
	noted, cause := c.exit.reason, c.exit.cause
	if !c.exit.sent {
		cause = context.Cause(c.life.ctx)
	}
	c.mu.Unlock()
	c.conn.mu.Lock()
	closedFor := c.conn.reason
	c.conn.mu.Unlock()
	switch {
	case noted != "":
		return noted
	case errors.Is(cause, limit.ErrGaveWay), errors.Is(cause, limit.ErrGaveWayAddress):
		return endGaveWay
	case isKicked(cause):
		return endKicked
	case isBan(cause):
		return endBanned
	case closedFor == limit.TooSlow:
		return endStalled
	case s.stopping.draining.Err() != nil, errors.Is(cause, limit.ErrServerDraining):
		return endShutdown
	case cause != nil:
		return endClientGone
	default:
		return endQuit
	}
}

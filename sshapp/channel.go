package sshapp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/limit"
	"notakto/match/manager"
	"notakto/sshapp/cli"
	"notakto/sshapp/sshfix"
	"notakto/sshapp/terminal"
)

// channel is a session channel as a session: an implementation of ssh.Session. The library's own is not used because
// its request loop can be made to wait for the program, to keep what it is sent without bound, and to race with the
// reader of the window's size.
//
// It owns what the client asked for, the inbox and the lifetime of its session. Its other fields are set before the
// front end runs and not changed after, but for the atomic ones. Its request loop and its front end run in a goroutine
// each.
type channel struct {
	gossh.Channel
	serverConn *gossh.ServerConn
	connCtx    ssh.Context
	conn       *connection
	slot       *limit.Slot
	who        identity
	number     int       // among the sessions of its connection, from 1 on
	typed      io.Reader // the channel's input
	input      io.Reader // the same, or what is left of it after a wait
	asked      requested
	inbox      inbox
	life       lifetime
	began      time.Time // when the front end did
	frontEnd   *FrontEndStats
	pay        func(context.Context, int) // waits until the session may have done work at such a price
	heldUp     atomic.Int64               // nanoseconds in which the session has waited to pay, since its client paused
	sent       atomic.Int64               // bytes that were sent to the client since the session has read
	burst      atomic.Int64               // bytes that have come without a second between them
	inputAt    atomic.Int64               // when the latest of them came, or were paid for, in Unix nanoseconds
	discards   atomic.Bool                // what comes is thrown away: it is a paste
}

// identity is who a session belongs to, and the key that was proven at the login.
type identity struct {
	match.Player
	key  account.KeyID // empty for a guest
	role cli.Role
	ban  *account.Ban // by which the session is refused; nil for none
}

// caller is the player as one who decides about the account.
func (i identity) caller() account.Caller { return account.Caller{Account: i.ID, Key: i.key} }

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
func (c *channel) Command() []string { return c.asked.words() }

// PublicKey is the key that was proven at login, or nil for a guest.
func (c *channel) PublicKey() ssh.PublicKey {
	key, _ := c.connCtx.Value(ssh.ContextKeyPublicKey).(ssh.PublicKey)
	return key
}

// Pty is the terminal as the client described it, and the sizes it takes later: the newest only, however slowly they
// are read.
func (c *channel) Pty() (ssh.Pty, <-chan ssh.Window, bool) {
	if c.asked.terminal == nil {
		return ssh.Pty{}, c.inbox.windows, false
	}
	return *c.asked.terminal, c.inbox.windows, true
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

// Exit sends the exit status, once, and closes the channel, after the rest of what the client pastes. A session that an
// administrator has ended fails.
func (c *channel) Exit(code int) error {
	status, err := c.life.exit(code)
	if err != nil {
		return err
	}
	c.skipRest()
	_, err = c.SendRequest("exit-status", false, gossh.Marshal(&struct{ Status uint32 }{uint32(status)}))
	return errors.Join(err, c.Close())
}

// id names the session in the log: the number of its connection since the start, and its own on that.
func (c *channel) id() string { return fmt.Sprintf("%d.%d", c.conn.number, c.number) }

// reject counts that the session was refused something, or is ended for a reason, and has the log say so.
func (c *channel) reject(why limit.Reason, fields ...any) {
	switch why {
	case limit.Idled:
		c.life.note(endIdle)
	case limit.TooSlow:
		c.life.note(endStalled)
	case limit.GaveWay:
		c.life.note(endGaveWay)
	}
	c.conn.reject(why, append([]any{"session", c.id()}, fields...)...)
}

// The refusals of a channel, as the client reads them.
var (
	errAddressBusy  = errors.New("too many sessions from your address just now; wait a few seconds")
	errChannelsFull = errors.New("too many sessions on this connection; close one first")
	errSmallPackets = errors.New("your client takes packets of a few bytes only; it takes one with 512 or more")
)

// serveChannel is the server's handler of session channels. It returns when the channel is closed and its session has
// ended.
func (s *Server) serveChannel(server *ssh.Server, conn *gossh.ServerConn, offer gossh.NewChannel, ctx ssh.Context) {
	link := connectionOf(ctx)
	sess := s.newChannel(link, conn, ctx)
	if sess.who.ban = longest(sess.bans()); sess.who.ban != nil {
		defer time.AfterFunc(refusedWithin, link.cut).Stop()
	}
	defer sess.life.end(nil)
	if err := s.admitSession(sess, offer); err != nil {
		link.reject(limit.SessionRefused, "player", sess.who.ID, "error", err)
		_ = offer.Reject(gossh.ResourceShortage, err.Error())
		link.refused()
		return
	}
	defer link.release()
	defer sess.slot.Leave()
	var requests <-chan *gossh.Request
	var err error
	if sess.Channel, requests, err = offer.Accept(); err != nil {
		return
	}
	sess.typed = &singleReader{session: sess}
	sess.input = sess.typed
	sess.Channel = counted{sess.Channel, sess}
	defer link.guardExtended(sess.Channel.Stderr())()
	link.keepAlive(conn, s.settings.Load().KeepAlive)
	begun := s.expectSession(sess)
	defer begun()
	link.budget.hold() // there is no reader yet
	reads := sync.OnceFunc(link.budget.release)
	defer reads()
	sess.serveRequests(requests, func() {
		begun()
		reads()
		sess.frontEnd = s.Stats.FrontEnds[sess.asked.frontEnd()]
		s.runFrontEnd(sess, server.Handler)
	})
}

// newChannel is that of a session that is not admitted yet. It is a function of its own, so that its variables take no
// room on the stack for as long as the session lasts.
func (s *Server) newChannel(link *connection, conn *gossh.ServerConn, ctx ssh.Context) *channel {
	sess := &channel{serverConn: conn, connCtx: ctx, conn: link, inbox: newInbox()}
	sess.who = s.identify(sess.PublicKey(), ctx.SessionID(), sess.User())
	if link.isLocal {
		sess.who.role = cli.Administrator
	}
	if sess.pay = sess.payAddress; sess.who.role == cli.Administrator { // who may import matches
		sess.pay = func(context.Context, int) {}
	}
	sess.life.ctx, sess.life.end = context.WithCancelCause(manager.WithClient(link.sessionsCtx, sess))
	return sess
}

// expectSession hangs up on a client whose channel has no session after the start time, or when the server stops,
// unless begun is called.
func (s *Server) expectSession(c *channel) (begun func()) {
	overdue := time.AfterFunc(s.settings.Load().Start, func() {
		c.conn.disconnect(limit.NoSession, errNoSession)
		_, _ = fmt.Fprintf(c.Channel.Stderr(), "notakto: %s\n", errNoSession)
	})
	stopping := context.AfterFunc(s.schedule.stopped, c.conn.cut)
	return func() {
		overdue.Stop()
		stopping()
	}
}

// refuseRequest is the handler of requests that concern the whole connection. None means anything here, so few are
// answered.
func refuseRequest(ctx ssh.Context, _ *ssh.Server, request *gossh.Request) (ok bool, payload []byte) {
	switch link := connectionOf(ctx); {
	case !link.requests.Allow():
		link.disconnect(limit.TooManyRequests, errTooManyRequests)
	case forwards(request.Type): // tcpip-forward, streamlocal-forward@openssh.com
		link.reject(limit.ChannelRefused, "request", shortened(request.Type))
	}
	return false, nil
}

// refuseChannel is the handler of all other channels: ports and agents that a client would have forwarded.
func refuseChannel(_ *ssh.Server, _ *gossh.ServerConn, offer gossh.NewChannel, ctx ssh.Context) {
	_ = offer.Reject(gossh.Prohibited, "nothing is forwarded here; to play, log in without that")
	link := connectionOf(ctx)
	link.reject(limit.ChannelRefused)
	link.refused()
}

// admitSession counts a session in, by connection, address and player. The first one of a connection takes no turn of
// its address: its login has had one already, and a neighbour who begins many sessions must not keep others from any.
func (s *Server) admitSession(sess *channel, offer gossh.NewChannel) (err error) {
	if limit, known := sshfix.PacketLimit(offer); known && limit < terminal.MaxWrite {
		return errSmallPackets
	}
	number, ok := sess.conn.open(s.settings.Load().MaxChannels)
	if !ok {
		return errChannelsFull
	}
	if sess.number = number; number > 1 && !sess.conn.isLocal && !s.addressLimits.ReserveSession(sess.conn.Source) {
		sess.conn.release()
		return errAddressBusy
	}
	if sess.who.ban != nil {
		return nil // it takes no place from others
	}
	awaited := slices.ContainsFunc(s.manager.Summaries(s.manager.MatchesOf(sess.who.ID)), func(m match.Summary) bool {
		return !m.Players[0].IsComputer() && !m.Players[1].IsComputer() // else it is kept
	})
	if sess.slot, err = s.admission.Enter(sess.conn.Source, sess.who.ID, sess.priorityOf(awaited),
		sess.life.end); err != nil {
		sess.conn.release()
	}
	return err
}

// priorityOf returns whether a session waits in line. A player may be awaited at a match.
func (c *channel) priorityOf(isAwaited bool) limit.Priority {
	switch {
	case c.conn.isLocal:
		return limit.Unlimited
	case c.who.role == cli.Moderator:
		return limit.Moderating
	case c.who.role == cli.Administrator:
		return limit.Reserved
	case isAwaited:
		return limit.Awaited
	default:
		return limit.Waits
	}
}

// runFrontEnd hands the session to its front end and ends it. A client that does not close its side of an ended session
// is hung up on, so that nothing of it stays behind.
func (s *Server) runFrontEnd(c *channel, frontEnd ssh.Handler) {
	defer context.AfterFunc(s.schedule.stopped, func() { c.life.end(limit.ErrServerStopped) })()
	frontEnd(c)
	c.conn.budget.hold() // there is no reader any more
	defer c.conn.budget.release()
	switch cause := context.Cause(c.life.ctx); {
	case isGivingWay(cause):
		c.reject(limit.GaveWay)
	case isBan(cause):
		c.reject(limit.Banned, "player", c.who.ID)
	}
	_ = c.Exit(0)
	overdue := time.AfterFunc(s.settings.Load().Stall, func() { c.conn.closeFor(limit.LeftOpen) })
	defer overdue.Stop()
	for range c.inbox.windows { // closed when the client has closed the channel
	}
}

// serveRequests answers the channel's requests until the client closes it, without ever waiting for the session, then
// waits for the session's end. A client that asks for too much is hung up on, once its session has had time to say so.
func (c *channel) serveRequests(requests <-chan *gossh.Request, session func()) {
	var running sync.WaitGroup
	defer running.Wait()
	defer close(c.inbox.windows)
	defer c.life.end(nil)
	limiter, flooded := c.conn.server.settings.Load().Requests(), false
	for request := range requests {
		isFree := request.Type == "env" && c.asked.countEnv(request.Payload)
		switch {
		case isFree:
			c.conn.budget.give(len(request.Payload) + envOverhead)
		case !flooded && !limiter.Allow():
			flooded = true
			c.conn.disconnect(limit.TooManyRequests, errTooManyRequests)
		}
		if flooded {
			continue // until nothing more is on its way
		}
		began := c.asked.isStarted
		_ = request.Reply(c.answerRequest(request), nil)
		if c.asked.isStarted && !began {
			running.Go(session) // not before the reply: a short session might close the channel first
		}
	}
}

// answerRequest does what a request asks for, or refuses it.
func (c *channel) answerRequest(request *gossh.Request) (ok bool) {
	switch {
	case request.Type == "window-change":
		window, ok := terminal.ReadWindow(request.Payload)
		if !ok || c.asked.terminal == nil {
			return false
		}
		c.inbox.resize(window)
		return true
	case forwards(request.Type):
		c.conn.reject(limit.ChannelRefused, "request", shortened(request.Type))
		return false
	}
	return c.asked.take(request)
}

// forwards reports whether a request asks for something to be forwarded. Others that mean nothing here are left to
// SSH's own refusal, without a word in the log: many clients have some of their own.
func forwards(request string) bool {
	return request == "auth-agent-req@openssh.com" || request == "x11-req" || strings.Contains(request, "forward")
}

package sshapp

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"time"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"

	"notakto/match"
	"notakto/sshapp/admin"
	"notakto/sshapp/limit"
	"notakto/sshapp/sshfix"
	"notakto/sshapp/terminal"
)

// The refusals of a channel, as the client reads them.
var (
	errAddressBusy  = errors.New("too many sessions from your address just now; wait a few seconds")
	errChannelsFull = errors.New("too many sessions on this connection; close one first")
	errSmallPackets = errors.New("your client takes packets of a few bytes only; it takes one with 512 or more")
)

// maxRejections is how many refused channels a connection is forgiven.
const maxRejections = 64

// serveChannel is the server's handler of session channels. It returns when the channel is closed and its session has
// ended.
func (s *Server) serveChannel(server *ssh.Server, conn *gossh.ServerConn, offer gossh.NewChannel, ctx ssh.Context) {
	link := connectionOf(ctx)
	sess := s.newChannel(link, conn, ctx)
	if sess.who.ban = s.banOf(sess); sess.who.ban != nil {
		defer time.AfterFunc(refusedWithin, link.cut).Stop()
	}
	defer sess.life.end(nil)
	if err := s.admitSession(sess, offer); err != nil {
		link.reject(limit.SessionRefused, "player", playerOf(sess).ID, "error", err)
		_ = offer.Reject(gossh.ResourceShortage, err.Error())
		link.refused(maxRejections)
		return
	}
	defer link.release()
	defer sess.slot.Leave()
	var requests <-chan *gossh.Request
	var err error
	if sess.Channel, requests, err = offer.Accept(); err != nil {
		return
	}
	sess.input = sess.Channel
	sess.Channel = counted{sess.Channel, sess}
	defer link.guardExtended(sess.Channel.Stderr())()
	link.keepAlive(conn, s.settings.Load().KeepAlive)
	begun := s.expectSession(sess)
	defer begun()
	link.budgets.bytes.hold() // there is no reader yet
	reads := sync.OnceFunc(link.budgets.bytes.release)
	defer reads()
	sess.serveRequests(requests, func() {
		begun()
		reads()
		sess.asked.frontEnd = s.Stats.FrontEnds[sess.frontEndOf()]
		s.runFrontEnd(sess, server.Handler)
	})
}

// newChannel is that of a session that is not admitted yet. It is a function of its own, so that its variables take no
// room on the stack for as long as the session lasts.
func (s *Server) newChannel(link *connection, conn *gossh.ServerConn, ctx ssh.Context) *channel {
	sess := &channel{
		serverConn: conn, connCtx: ctx, conn: link, windows: make(chan ssh.Window, 1),
		inbox: inbox{notices: make(chan string, maxNotices)},
		cost:  cost{requests: s.settings.Load().Requests()},
	}
	sess.who = s.identify(sess.PublicKey(), ctx.SessionID(), sess.User())
	if link.id.isLocal {
		sess.who.role = admin.Administrator
	}
	sess.cost.pay = func(ctx context.Context, price int) {
		if sess.who.role != admin.Administrator { // who may import matches
			payFor(ctx, sess, s.addressLimits, price)
		}
	}
	sess.life.ctx, sess.life.end = context.WithCancelCause(link.sessions.ctx)
	return sess
}

// expectSession hangs up on a client whose channel has no session after the start time, or when the server stops,
// unless begun is called.
func (s *Server) expectSession(c *channel) (begun func()) {
	overdue := time.AfterFunc(s.settings.Load().Start, func() {
		c.conn.disconnect(limit.NoSession, errNoSession)
		_, _ = fmt.Fprintf(c.Channel.Stderr(), "notakto: %s\n", errNoSession)
	})
	stopping := context.AfterFunc(s.stopping.draining, c.conn.cut)
	return func() {
		overdue.Stop()
		stopping()
	}
}

// refuseRequest is the handler of requests that concern the whole connection. None means anything here, so few are
// answered.
func refuseRequest(ctx ssh.Context, _ *ssh.Server, request *gossh.Request) (ok bool, payload []byte) {
	switch link := connectionOf(ctx); {
	case !link.budgets.requests.Allow():
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
	link.refused(maxRejections)
}

// mayBeginSession reports whether one more session may begin from an address, and counts it. The first one of a
// connection is not asked for: its login has had a turn already, and a neighbour who begins many sessions must not keep
// others from any.
func (s *Server) mayBeginSession(address netip.Prefix) bool {
	return s.addressLimits.ReserveSession(address)
}

// admitSession counts a session in, by connection, address and player.
func (s *Server) admitSession(sess *channel, offer gossh.NewChannel) (err error) {
	if limit, known := sshfix.PacketLimit(offer); known && limit < terminal.MaxWrite {
		return errSmallPackets
	}
	number, ok := sess.conn.open(s.settings.Load().MaxChannels)
	if !ok {
		return errChannelsFull
	}
	if sess.number = number; number > 1 && !sess.conn.id.isLocal && !s.mayBeginSession(sess.conn.Source) {
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
	case c.conn.id.isLocal:
		return limit.Unlimited
	case c.who.role == admin.Moderator:
		return limit.Moderating
	case c.who.role == admin.Administrator:
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
	defer context.AfterFunc(s.stopping.draining, func() { c.life.end(limit.ErrServerStopped) })()
	frontEnd(c)
	c.conn.budgets.bytes.hold() // there is no reader any more
	defer c.conn.budgets.bytes.release()
	switch cause := context.Cause(c.life.ctx); {
	case errors.Is(cause, limit.ErrGaveWay), errors.Is(cause, limit.ErrGaveWayAddress):
		c.reject(limit.GaveWay)
	case isBan(cause):
		c.reject(limit.Banned, "player", c.who.ID)
	}
	_ = c.Exit(0)
	overdue := time.AfterFunc(s.settings.Load().Stall, func() { c.conn.closeFor(limit.LeftOpen) })
	defer overdue.Stop()
	for range c.windows { // closed when the client has closed the channel
	}
}

package sshapp

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"

	"notakto/sshapp/names"
)

// maxRefusals is how many refused channels a connection is forgiven.
const maxRefusals = 64

// serveChannel is the server's handler of session channels. It returns when the channel is closed and its session has ended.
func (s *Server) serveChannel(server *ssh.Server, conn *gossh.ServerConn, offer gossh.NewChannel, ctx ssh.Context) {
	link := connectionOf(ctx)
	sess := &channel{
		conn: conn, ctx: ctx, link: link, windows: make(chan ssh.Window, 1),
		requests: s.settings.requests(),
	}
	sess.pay = func(ctx context.Context, price int) { sess.payFor(ctx, s.sources, price) }
	sess.player = names.Identify(sess.PublicKey(), ctx.SessionID(), sess.User())
	sess.life, sess.end = context.WithCancelCause(link.life)
	defer sess.end(nil)
	if err := s.admit(sess, offer); err != nil {
		link.note(sessionRefused, "player", playerOf(sess).ID, "because", err)
		_ = offer.Reject(gossh.ResourceShortage, err.Error())
		link.refused(maxRefusals)
		return
	}
	defer link.release()
	defer sess.visit.leave()
	var requests <-chan *gossh.Request
	var err error
	if sess.Channel, requests, err = offer.Accept(); err != nil {
		return
	}
	sess.input = sess.Channel
	sess.Channel = counted{sess.Channel, &sess.said}
	defer link.guardExtended(sess.Channel.Stderr())()
	link.keepAlive(conn, s.settings.KeepAlive)
	begun := s.expectSession(sess)
	defer begun()
	link.input.hold() // nobody reads yet
	reads := sync.OnceFunc(link.input.release)
	defer reads()
	sess.serveRequests(requests, func() {
		begun()
		reads()
		sess.run(server.Handler, s.settings.Stall)
	})
}

// expectSession hangs up on a client whose channel has no session after the start time, or when the server stops, unless begun is called.
func (s *Server) expectSession(c *channel) (begun func()) {
	overdue := time.AfterFunc(s.settings.Start, func() {
		c.link.expel(noSession, errNoSession)
		_, _ = fmt.Fprintf(c.Channel.Stderr(), "notakto: %s\n", errNoSession)
	})
	stopping := context.AfterFunc(s.stopping, c.link.cut)
	return func() {
		overdue.Stop()
		stopping()
	}
}

// refuseRequest is the handler of requests that concern the whole connection. None means anything here, so few are answered.
func refuseRequest(ctx ssh.Context, _ *ssh.Server, request *gossh.Request) (ok bool, payload []byte) {
	switch link := connectionOf(ctx); {
	case !link.requests.Allow():
		link.expel(tooManyRequests, errTooManyRequests)
	case forwards(request.Type): // tcpip-forward, streamlocal-forward@openssh.com
		link.note(channelRefused, "request", shortened(request.Type))
	}
	return false, nil
}

// refuseChannel is the handler of all other channels: ports and agents that a client would have forwarded.
func refuseChannel(_ *ssh.Server, _ *gossh.ServerConn, offer gossh.NewChannel, ctx ssh.Context) {
	_ = offer.Reject(gossh.Prohibited, "nothing is forwarded here; to play, log in without that")
	link := connectionOf(ctx)
	link.note(channelRefused)
	link.refused(maxRefusals)
}

// mayBegin reports whether one more session may begin from an address, and counts it. The first one of a connection is
// not asked for: its login has had a turn already, and a neighbour who begins many sessions must not keep others from
// any.
func (s *Server) mayBegin(address netip.Prefix) bool {
	_, ok := s.sources.reserve(address, 1, 0, func(from *source) *rate.Limiter { return from.sessions })
	return ok
}

// admit counts a session in, by connection, address and player.
func (s *Server) admit(sess *channel, offer gossh.NewChannel) (err error) {
	if limit, known := packetLimit(offer); known && limit < maxWrite {
		return errSmallPackets
	}
	if !sess.link.open(s.settings.MaxChannels) {
		return errChannelsFull
	}
	if sess.link.hadSession.Swap(true) && !s.mayBegin(sess.link.source) {
		sess.link.release()
		return errAddressBusy
	}
	awaited := len(s.manager.Of(sess.player.ID)) > 0
	if sess.visit, err = s.census.enter(sess.link.source, sess.player.ID, awaited, sess.end); err != nil {
		sess.link.release()
	}
	return err
}

// run hands the session to its door and ends it. A client that does not close its side of an ended session is hung up on, so that nothing
// of it stays behind.
func (c *channel) run(door ssh.Handler, wait time.Duration) {
	door(c)
	c.link.input.hold() // nobody reads any more
	defer c.link.input.release()
	if cause := context.Cause(c.life); errors.Is(cause, errGaveWay) || errors.Is(cause, errGaveWayAddress) {
		c.link.note(gaveWay, "session", sessionID(c))
	}
	_ = c.Exit(0)
	overdue := time.AfterFunc(wait, func() { c.link.hangUp(leftOpen) })
	defer overdue.Stop()
	for range c.windows { // closed when the client has closed the channel
	}
}

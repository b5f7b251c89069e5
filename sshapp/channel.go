package sshapp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/limit"
	"notakto/match/manager"
	"notakto/sshapp/cli"
	"notakto/sshapp/sshfix"
	"notakto/sshapp/terminal"
)

// channel is a session channel and the session on it. It does not use the SSH library's own session, for three reasons.
// A client can make that session's request loop wait for the program. A client can also make the loop keep data without
// limit. And the loop races with the code that reads the window's size.
//
// The fields are set before the front end runs and do not change after. The connection answers the channel's requests
// (see [connection.serve]). The front end has a goroutine of its own.
type channel struct {
	gossh.Channel
	requests     <-chan *gossh.Request
	requestLimit *rate.Limiter
	isFlooded    bool // the client has sent too many requests, so none is answered any more

	conn     *connection
	slot     *limit.Slot
	who      identity
	number   int // among the sessions of its connection, from 1 on
	input    *input
	asked    requested
	inbox    inbox
	life     lifetime
	began    time.Time // when the front end began
	frontEnd *FrontEndStats
	refusal  *time.Timer // closes the connection of a player that is banned; nil for others
	unguard  func()      // as of guardExtended; nil before the channel is accepted
	starts   func()      // is called once, when the session begins or the channel ends without one
}

// identity is the player of a session, and the key that was proven at the login.
type identity struct {
	match.Player
	key  account.KeyID // empty for a guest
	role cli.Role
	ban  *account.Ban // that refuses the session; nil for none
}

// caller returns the player as the caller of [account.Accounts].
func (i identity) caller() account.Caller { return account.Caller{Account: i.ID, Key: i.key} }

// Write sends p. On a terminal it adds a carriage return to each line's end.
func (c *channel) Write(p []byte) (int, error) {
	if c.asked.terminal != nil {
		return ssh.NewPtyWriter(c.Channel).Write(p)
	}
	return c.Channel.Write(p)
}

// counted is a session channel that counts the bytes sent to the client.
type counted struct {
	gossh.Channel
	session *channel
}

// Write sends p to the client.
func (c counted) Write(p []byte) (int, error) {
	n, err := c.Channel.Write(p)
	c.session.input.sent.Add(int64(n))
	if front := c.session.frontEnd; front != nil { // else the session has not begun
		front.Out.Add(uint64(n))
	}
	return n, err
}

// Stderr is the client's standard error.
func (c *channel) Stderr() io.ReadWriter {
	if c.asked.terminal != nil {
		return ssh.NewPtyReadWriter(c.Channel.Stderr())
	}
	return c.Channel.Stderr()
}

// exit reads the rest of a paste, sends the exit status and closes the channel. Only the first call counts.
func (c *channel) exit(code cli.ExitCode) {
	status, isFirst := c.life.exit(code)
	if !isFirst {
		return
	}
	c.input.skipRest()
	// Every write waits while the client does not finish an exchange of keys that it has begun.
	defer time.AfterFunc(c.conn.server.settings.Load().Stall, func() { c.conn.closeFor(limit.TooSlow) }).Stop()
	_, _ = c.SendRequest("exit-status", false, gossh.Marshal(&struct{ Status uint32 }{uint32(status)}))
	_ = c.Close()
}

// id returns the name of the session in the log: the number of its connection, and its own number on the connection.
func (c *channel) id() string { return fmt.Sprintf("%d.%d", c.conn.number, c.number) }

// reject counts and logs that the session was refused something, or why it ends.
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

// openChannel admits a session channel, or refuses it and returns nil. It refuses channels of other types, which would
// forward ports or agents.
func (c *connection) openChannel(offer gossh.NewChannel) *channel {
	if offer.ChannelType() != "session" {
		_ = offer.Reject(gossh.Prohibited, "nothing is forwarded here; to play, log in without that")
		c.reject(limit.ChannelRefused)
		c.refused()
		return nil
	}
	sess := c.newChannel()
	if err := sess.admit(offer); err != nil {
		sess.life.end(nil)
		c.reject(limit.SessionRefused, "player", sess.who.ID, "error", err)
		_ = offer.Reject(gossh.ResourceShortage, err.Error())
		c.refused()
		return nil
	}
	var err error
	if sess.Channel, sess.requests, err = offer.Accept(); err != nil {
		sess.leave()
		return nil
	}
	sess.input = newInput(sess, sess.Channel)
	sess.unguard = c.guardExtended(sess.Channel.Stderr())
	sess.Channel = counted{sess.Channel, sess}
	c.keepAlive(c.server.settings.Load().KeepAlive)
	c.budget.hold() // there is no reader yet

	// A channel has no session yet. After the start time, or when the server stops, its client is disconnected.
	overdue := time.AfterFunc(c.server.settings.Load().Start, func() {
		c.disconnect(limit.NoSession, errNoSession)
		_, _ = fmt.Fprintf(sess.Channel.Stderr(), "notakto: %s\n", errNoSession)
	})
	stopping := context.AfterFunc(c.server.schedule.stopped, c.cut)
	sess.starts = func() {
		overdue.Stop()
		stopping()
		c.budget.release()
	}
	return sess
}

// newChannel returns a channel that is not admitted yet.
func (c *connection) newChannel() *channel {
	sess := &channel{conn: c, inbox: newInbox(), requestLimit: limit.NewRequests()}
	sess.who = c.server.identify(c.key, c.client.SessionID(), c.client.User())
	if c.isLocal {
		sess.who.role = cli.Administrator
	}
	sess.life.ctx, sess.life.end = context.WithCancelCause(manager.WithClient(c.sessionsCtx, sess))
	return sess
}

// admit reserves a place for the session, by connection, address and player, until leave is called. The first session
// of a connection does not count against the rate of its address, since the login did. Otherwise a neighbour that
// begins many sessions would lock others out of the server.
func (c *channel) admit(offer gossh.NewChannel) (err error) {
	s := c.conn.server
	if limit, known := sshfix.PacketLimit(offer); known && limit < terminal.MaxWrite {
		return errSmallPackets
	}
	number, ok := c.conn.open(limit.MaxChannels)
	if !ok {
		return errChannelsFull
	}
	if c.number = number; number > 1 && !c.conn.isLocal && !s.addressLimits.ReserveSession(c.conn.Source) {
		c.conn.release()
		return errAddressBusy
	}
	if c.who.ban = longest(c.bans()); c.who.ban != nil { // a session that is banned takes no place from others
		c.refusal = time.AfterFunc(refusedWithin, c.conn.cut)
		return nil
	}
	// Only a match of two people gives priority. In a match against the computer, no opponent waits.
	isAwaited := slices.ContainsFunc(s.manager.Summaries(s.manager.MatchesOf(c.who.ID)), func(m match.Summary) bool {
		return !m.Players[0].IsComputer() && !m.Players[1].IsComputer()
	})
	priority := limit.Waits
	switch {
	case c.conn.isLocal:
		priority = limit.Unlimited
	case c.who.role == cli.Moderator:
		priority = limit.Moderating
	case c.who.role == cli.Administrator:
		priority = limit.Reserved
	case isAwaited:
		priority = limit.Awaited
	}
	if c.slot, err = s.admission.Enter(c.conn.Source, c.who.ID, priority, c.life.end); err != nil {
		c.conn.release()
	}
	return err
}

// refusedWithin is the time for a banned client to ask for a session and to read why there is none.
const refusedWithin = 5 * time.Second

// bans returns the bans on the session's player, key and address, the longest one first. Administrators have none.
func (c *channel) bans() []account.Ban {
	if c.who.role != cli.Player {
		return nil
	}
	return c.conn.server.accounts.BansOn(account.Subject{
		Account: c.who.ID, Key: c.who.key, Network: c.conn.addressNet(),
	})
}

// longest returns the first of bans, nil for none. [account.Accounts.BansOn] sorts them.
func longest(bans []account.Ban) *account.Ban {
	if len(bans) == 0 {
		return nil
	}
	return &bans[0]
}

// leave gives back what admit has reserved.
func (c *channel) leave() {
	if c.unguard != nil {
		c.unguard()
	}
	if c.refusal != nil {
		c.refusal.Stop()
	}
	c.slot.Leave()
	c.conn.release()
	c.life.end(nil)
}

// answerRequests answers the channel's requests until the client closes it.
func (c *channel) answerRequests() {
	defer c.requestsEnded()
	for request := range c.requests {
		c.answer(request)
	}
}

// requestsEnded ends the session of a channel that the client has closed.
func (c *channel) requestsEnded() {
	c.life.end(nil)
	close(c.inbox.windows)
	if !c.asked.isStarted { // else run calls leave
		c.starts()
		c.leave()
	}
}

// answer answers a request and never waits for the session. A client that sends too many requests is disconnected.
func (c *channel) answer(request *gossh.Request) {
	isFree := request.Type == "env" && c.asked.countEnv(request.Payload)
	switch {
	case isFree:
		c.conn.budget.give(len(request.Payload) + envOverhead)
	case !c.isFlooded && !c.requestLimit.Allow():
		c.isFlooded = true
		c.conn.disconnect(limit.TooManyRequests, errTooManyRequests)
	}
	if c.isFlooded {
		return
	}
	hadStarted, ok := c.asked.isStarted, false
	switch {
	case request.Type == "window-change":
		var window ssh.Window
		if window, ok = terminal.ReadWindow(request.Payload); ok {
			if ok = c.asked.terminal != nil; ok {
				c.inbox.resize(window)
			}
		}
	case forwards(request.Type):
		c.conn.reject(limit.ChannelRefused, "request", shortened(request.Type))
	default:
		ok = c.asked.take(request)
	}
	_ = request.Reply(ok, nil)
	if c.asked.isStarted && !hadStarted {
		go c.run() // not before the reply: a short session might close the channel first
	}
}

// forwards reports whether a request asks to forward something. The log has no line for other unknown requests: many
// clients send some of their own.
func forwards(request string) bool {
	return request == "auth-agent-req@openssh.com" || request == "x11-req" || strings.Contains(request, "forward")
}

// run runs the front end and ends the session. If the client does not close its side within the stall time, run closes
// the connection, so that nothing of the session stays behind.
func (c *channel) run() {
	defer c.leave()
	c.starts()
	c.frontEnd = c.conn.server.Stats.FrontEnds[c.asked.frontEnd()]
	stopped := context.AfterFunc(c.conn.server.schedule.stopped, func() { c.life.end(limit.ErrServerStopped) })
	defer stopped()
	c.serve()
	c.input.fail(io.EOF)
	c.conn.budget.hold() // there is no reader any more
	defer c.conn.budget.release()
	switch cause := context.Cause(c.life.ctx); {
	case isGivingWay(cause):
		c.reject(limit.GaveWay)
	case isBan(cause):
		c.reject(limit.Banned, "player", c.who.ID)
	}
	c.exit(cli.ExitOK)
	overdue := time.AfterFunc(c.conn.server.settings.Load().Stall, func() { c.conn.closeFor(limit.LeftOpen) })
	defer overdue.Stop()
	for range c.inbox.windows { // closed when the client has closed the channel
	}
}

const maxNotices = 4

// inbox holds the newest size of a session's terminal and the latest notices of administrators until the front end
// reads them. No sender waits for a front end.
type inbox struct {
	windows chan ssh.Window // at most one; closed when the channel is
	notices chan string     // at most maxNotices; the oldest gives way to a new one

	mu      sync.Mutex
	resized func() // called for a new size; nil before the front end has begun
	noticed func() // called for a new notice; nil if the front end reads notices itself
}

func newInbox() inbox {
	return inbox{windows: make(chan ssh.Window, 1), notices: make(chan string, maxNotices)}
}

// resize replaces a size that was not read yet. Only the request loop calls it.
func (i *inbox) resize(window ssh.Window) {
	select {
	case <-i.windows:
	default:
	}
	i.windows <- window
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.resized != nil {
		i.resized()
	}
}

// onResize registers tell, which the request loop calls for each new size. tell must not wait.
func (i *inbox) onResize(tell func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.resized = tell
}

// notify has the front end show a sentence. If maxNotices wait already, it drops the oldest.
func (i *inbox) notify(text string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for {
		select {
		case i.notices <- text:
			if i.noticed != nil {
				i.noticed()
			}
			return
		default:
		}
		select {
		case <-i.notices:
		default: // it was read just now
		}
	}
}

// onNotice registers tell, which is called for each new notice. tell must not wait.
func (i *inbox) onNotice(tell func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.noticed = tell
}

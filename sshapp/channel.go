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

// channel is a session channel and the session on it. The connection answers the channel's requests, and the front
// end has its own goroutine. While the front end runs, the request loop alone uses isFlooded and the counters in asked.
// The types of input, inbox and life have their own locks. The other fields do not change any more.
//
// The SSH library's own session is not used for three reasons. A client can make the library's request loop wait for
// the front end, and can make the loop keep data without limit. The loop also races with the code that reads the
// window's size.
type channel struct {
	gossh.Channel
	requests     <-chan *gossh.Request
	requestLimit *rate.Limiter
	isFlooded    bool // the client has sent too many requests, and gets no more answers

	conn         *connection
	slot         *limit.Slot // nil for a banned player
	identity     identity
	number       int
	input        *input
	asked        sessionRequest
	inbox        inbox
	life         lifetime
	began        time.Time      // when beginSession counted the session
	stats        *FrontEndStats // of the front end, nil before the session begins
	refusalTimer *time.Timer    // closes the connection of a banned player, nil for others
	unguard      func()         // from guardExtended, nil before the channel is accepted
	onStart      func()         // called once, when the session begins or the channel ends without one
}

// identity is the player of a session, and the key that the client proved at the login.
type identity struct {
	match.Player
	key  account.KeyID // empty for a guest
	role cli.Role
	ban  *account.Ban // refuses the session, if not nil
}

func (i identity) caller() account.Caller { return account.Caller{Account: i.ID, Key: i.key} }

// Write sends p. On a terminal, Write adds a carriage return to each line's end.
func (c *channel) Write(p []byte) (int, error) {
	if c.asked.terminal != nil {
		return ssh.NewPtyWriter(c.Channel).Write(p)
	}
	return c.Channel.Write(p)
}

type countingChannel struct {
	gossh.Channel
	session *channel
}

func (c countingChannel) Write(p []byte) (int, error) {
	n, err := c.Channel.Write(p)
	c.session.input.sent.Add(int64(n))
	if stats := c.session.stats; stats != nil {
		stats.Out.Add(uint64(n))
	}
	return n, err
}

func (c *channel) Stderr() io.ReadWriter {
	if c.asked.terminal != nil {
		return ssh.NewPtyReadWriter(c.Channel.Stderr())
	}
	return c.Channel.Stderr()
}

// exit sends the exit status and closes the channel. Only the first call counts.
func (c *channel) exit(code cli.ExitCode) {
	status, isFirst := c.life.exit(code)
	if !isFirst {
		return
	}
	c.input.discardRest()
	// Every write waits while the client does not finish a key exchange that it has begun.
	defer time.AfterFunc(c.conn.server.settings.Load().Stall, func() { c.conn.closeFor(limit.TooSlow) }).Stop()
	_, _ = c.SendRequest("exit-status", false, gossh.Marshal(&struct{ Status uint32 }{uint32(status)}))
	_ = c.Close()
}

// id joins the number of the connection and the number of the channel on the connection, as the log names a session.
func (c *channel) id() string { return fmt.Sprintf("%d.%d", c.conn.number, c.number) }

func (c *channel) countRejection(why limit.Reason, fields ...any) {
	switch why {
	case limit.Idled:
		c.life.setReason(endIdle)
	case limit.TooSlow:
		c.life.setReason(endStalled)
	case limit.GaveWay:
		c.life.setReason(endGaveWay)
	}
	c.conn.countRejection(why, append([]any{"session", c.id()}, fields...)...)
}

var (
	errAddressBusy  = errors.New("too many sessions from your address just now; wait a few seconds")
	errChannelsFull = errors.New("too many sessions on this connection; close one first")
	errSmallPackets = errors.New("your client accepts packets of a few bytes only; it must accept 512 bytes or more")
)

// openChannel admits a session channel, or refuses the offer and returns nil. Channels of other types are refused
// because they would forward ports or agents.
func (c *connection) openChannel(offer gossh.NewChannel) *channel {
	if offer.ChannelType() != "session" {
		_ = offer.Reject(gossh.Prohibited, "this server forwards nothing; to play, log in without forwarding")
		c.countRejection(limit.ChannelRefused)
		c.countRefusedChannel()
		return nil
	}
	ch := c.newChannel()
	if err := ch.admit(offer); err != nil {
		ch.life.end(nil)
		c.countRejection(limit.SessionRefused, "player", ch.identity.ID, "error", err)
		_ = offer.Reject(gossh.ResourceShortage, err.Error())
		c.countRefusedChannel()
		return nil
	}
	var err error
	if ch.Channel, ch.requests, err = offer.Accept(); err != nil {
		ch.leave()
		return nil
	}
	ch.input = newInput(ch, ch.Channel)
	ch.unguard = c.guardExtended(ch.Channel.Stderr())
	ch.Channel = countingChannel{ch.Channel, ch}
	c.keepAlive(c.server.settings.Load().KeepAlive)
	c.budget.hold() // no front end reads yet

	// A channel begins without a session. If no session begins within the setting Start, or if the server stops before
	// one begins, the client is disconnected.
	overdue := time.AfterFunc(c.server.settings.Load().Start, func() {
		c.disconnect(limit.NoSession, errNoSession)
		_, _ = fmt.Fprintf(ch.Channel.Stderr(), "notakto: %s\n", errNoSession)
	})
	stopping := context.AfterFunc(c.server.schedule.stopped, c.cut)
	ch.onStart = func() {
		overdue.Stop()
		stopping()
		c.budget.release()
	}
	return ch
}

func (c *connection) newChannel() *channel {
	ch := &channel{conn: c, inbox: newInbox(), requestLimit: limit.NewRequests()}
	ch.identity = c.server.identify(c.key, c.client.SessionID(), c.client.User())
	if c.isLocal {
		ch.identity.role = cli.Administrator
	}
	ch.life.ctx, ch.life.end = context.WithCancelCause(manager.WithClient(c.sessionsCtx, ch))
	return ch
}

// admit reserves a place for the session, by connection, address and player, until leave is called. The first
// session of a connection is not charged to the address, because the login was charged already. A neighbour with many
// sessions therefore cannot keep new connections of the address out.
func (c *channel) admit(offer gossh.NewChannel) (err error) {
	s := c.conn.server
	if limit, known := sshfix.MaxPacketSize(offer); known && limit < terminal.MaxWrite {
		return errSmallPackets
	}
	number, ok := c.conn.reserveChannel(limit.MaxChannels)
	if !ok {
		return errChannelsFull
	}
	if c.number = number; number > 1 && !c.conn.isLocal && !s.addressLimits.ReserveSession(c.conn.Source) {
		c.conn.releaseChannel()
		return errAddressBusy
	}
	if c.identity.ban = longest(c.bans()); c.identity.ban != nil { // a banned session takes no place from others
		c.refusalTimer = time.AfterFunc(refusedWithin, c.conn.cut)
		return nil
	}
	// Only a match of two people gives priority. In a match against the computer, no opponent waits.
	matches := s.manager.Summaries(s.manager.PlayerMatches(c.identity.ID))
	isExpected := slices.ContainsFunc(matches, func(m match.Summary) bool {
		return !m.Players[0].IsComputer() && !m.Players[1].IsComputer()
	})
	priority := limit.Ordinary
	switch {
	case c.conn.isLocal:
		priority = limit.Unlimited
	case c.identity.role == cli.Moderator:
		priority = limit.Moderating
	case c.identity.role == cli.Administrator:
		priority = limit.Reserved
	case isExpected:
		priority = limit.Expected
	}
	if c.slot, err = s.admission.Enter(c.conn.Source, c.identity.ID, priority, c.life.end); err != nil {
		c.conn.releaseChannel()
	}
	return err
}

// refusedWithin is the time for a banned client to ask for a session and to read why the server refuses it.
const refusedWithin = 5 * time.Second

// bans returns the bans on the session's player, key and address, the longest one first. Bans do not apply to
// administrators and moderators.
func (c *channel) bans() []account.Ban {
	if c.identity.role != cli.Player {
		return nil
	}
	return c.conn.server.accounts.BansOn(account.Subject{
		Account: c.identity.ID, Key: c.identity.key, Network: c.conn.addressNet(),
	})
}

// banOn returns the ban on s if that ban keeps out the player of c, else nil.
func (c *channel) banOn(s account.Subject) *account.Ban {
	all := c.bans()
	i := slices.IndexFunc(all, func(b account.Ban) bool { return b.Subject == s })
	if i < 0 {
		return nil
	}
	return &all[i]
}

// longest returns the first of bans, or nil. [account.Accounts.BansOn] sorts them.
func longest(bans []account.Ban) *account.Ban {
	if len(bans) == 0 {
		return nil
	}
	return &bans[0]
}

func (c *channel) leave() {
	if c.unguard != nil {
		c.unguard()
	}
	if c.refusalTimer != nil {
		c.refusalTimer.Stop()
	}
	c.slot.Leave()
	c.conn.releaseChannel()
	c.life.end(nil)
}

func (c *channel) answerRequests() {
	defer c.requestsEnded()
	for request := range c.requests {
		c.answer(request)
	}
}

func (c *channel) requestsEnded() {
	c.life.end(nil)
	close(c.inbox.windows)
	if !c.asked.isStarted { // otherwise run calls leave
		c.onStart()
		c.leave()
	}
}

// answer answers a request and never waits for the session. A client that sends too many requests is disconnected.
func (c *channel) answer(request *gossh.Request) {
	isFree := request.Type == "env" && c.asked.countEnv(request.Payload)
	switch {
	case isFree: // costs neither requestLimit nor the byte budget, because a client may send many variables at once
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
		c.conn.countRejection(limit.ChannelRefused, "request", shortened(request.Type))
	default:
		ok = c.asked.apply(request)
	}
	_ = request.Reply(ok, nil)
	if c.asked.isStarted && !hadStarted {
		go c.run() // not before the reply, because a short session might close the channel first
	}
}

// forwards reports whether a request asks to forward something. Only these refusals are logged, because many clients
// send unknown requests of their own.
func forwards(request string) bool {
	return request == "auth-agent-req@openssh.com" || request == "x11-req" || strings.Contains(request, "forward")
}

// run runs the front end and ends the session. If the client does not close its side within the stall time, run
// closes the connection to free the session.
func (c *channel) run() {
	defer c.leave()
	c.onStart()
	c.stats = c.conn.server.Stats.FrontEnds[c.asked.frontEnd()]
	stopped := context.AfterFunc(c.conn.server.schedule.stopped, func() { c.life.end(limit.ErrServerStopped) })
	defer stopped()
	c.serve()
	c.input.fail(io.EOF)
	c.conn.budget.hold() // no front end reads any more
	defer c.conn.budget.release()
	switch cause := context.Cause(c.life.ctx); {
	case isGivingWay(cause):
		c.countRejection(limit.GaveWay)
	case isBan(cause):
		c.countRejection(limit.Banned, "player", c.identity.ID)
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
	windows chan ssh.Window // holds one size, closed with the channel
	notices chan string     // holds maxNotices, a new one replaces the oldest

	mu      sync.Mutex
	resized func() // nil before the front end has begun
	noticed func() // nil if the front end reads notices itself
}

func newInbox() inbox {
	return inbox{windows: make(chan ssh.Window, 1), notices: make(chan string, maxNotices)}
}

// resize replaces a size that was not read yet. Only the request loop may call resize.
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

// onResize registers tell for each new size. tell must not wait, since the request loop calls it.
func (i *inbox) onResize(tell func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.resized = tell
}

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
		default: // the front end has read it just now
		}
	}
}

// onNotice registers tell for each new notice. tell must not wait.
func (i *inbox) onNotice(tell func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.noticed = tell
}

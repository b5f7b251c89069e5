package sshapp

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"charm.land/ssh"
	"github.com/spf13/cobra"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/manager"
	"notakto/sshapp/admin"
	"notakto/sshapp/command"
	"notakto/sshapp/limit"
	"notakto/sshapp/wording"
)

// administration is what administrators of the server need. It implements [admin.Server] with the server.
type administration struct {
	keys     *admin.Keys
	process  admin.Process
	audit    admin.Audit // nil for none
	node     string
	data     admin.Data
	cluster  admin.Cluster
	began    time.Time
	sessions sessionSet
	orders   *orders
	pauses   *pauses
	duck     *LameDuck

	maintenance *maintenance
}

func newAdministration(c Config) *administration {
	a := &administration{
		keys: c.Admins, process: c.Process, audit: c.Audit, node: c.Node, data: c.Data, cluster: c.Cluster,
		began: time.Now(),
	}
	if a.process == nil {
		a.process = noProcess{}
	}
	return a
}

// noProcess is the process of a server without one that can be looked after.
type noProcess struct{}

func (noProcess) Checks() []admin.Check           { return nil }
func (noProcess) Reload() (admin.Reloaded, error) { return admin.Reloaded{}, errors.ErrUnsupported }
func (noProcess) LogLevel() string                { return "info" }
func (noProcess) SetLogLevel(string)              {}

// sessionSet is the sessions that go on.
type sessionSet struct {
	mu  sync.Mutex
	all map[*channel]struct{}
}

// add puts a session in until remove is called.
func (s *sessionSet) add(c *channel) (remove func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[*channel]struct{}{}
	}
	s.all[c] = struct{}{}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.all, c)
	}
}

// list returns the sessions, the oldest first.
func (s *sessionSet) list() []*channel {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]*channel, 0, len(s.all))
	for c := range s.all {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b *channel) int {
		return cmp.Or(cmp.Compare(a.conn.id.number, b.conn.id.number), cmp.Compare(a.number, b.number))
	})
	return all
}

// commands returns those that a session has besides those of players.
func (a *administration) commands(s *Server, sess *channel) []*cobra.Command {
	root := admin.New(admin.Env{
		Role: sess.who.role, Actor: sess.actorOf(), Server: adminServer{s, sess}, Accounts: s.people.accounts,
		Players: func(p match.Player) *command.Server { return s.asPlayer(p) },
		Matches: manager.NewOperator(s.manager), Process: a.process, Audit: a.audit, Data: a.data,
		Cluster: a.cluster, IsTerminal: sess.asked.terminal != nil,
		Record: func(r admin.Record) { s.record(sess, r) },
	})
	if root == nil {
		return nil
	}
	return []*cobra.Command{root}
}

// asPlayer returns the server as a player may use it, for questions about the player.
func (s *Server) asPlayer(p match.Player) *command.Server {
	return &command.Server{
		Player: p, Accounts: s.people.accounts, History: s.people.history, Manager: s.manager,
		Caller: account.Caller{Account: p.ID},
	}
}

// auditWithin is how long a command may wait at its end until it is recorded.
const auditWithin = 2 * time.Second

// record counts, logs and keeps a command that was given in a session.
func (s *Server) record(sess *channel, r admin.Record) {
	actor, role := sess.actorOf(), sess.who.role
	s.Stats.Admin.Add(AdminCommand{r.Command, r.Status}, 1)
	s.log.Info("administrator's command", "event", "admin", "actor", actor, "role", string(role),
		"command", r.Command, "object", shortened(r.Object), "reason", shortened(r.Reason), "status", r.Status,
		"session", sessionID(sess))
	ctx, cancel := context.WithTimeout(context.Background(), auditWithin) // also if the client has gone
	defer cancel()
	a := s.people.admin
	if err := admin.Keep(ctx, a.audit, admin.Action{Actor: actor, Role: role, Record: r, Node: a.node}); err != nil {
		s.log.Warn("an administrator's command is in the log alone, and not in the audit",
			"event", "audit-failed", "command", r.Command, "error", err)
	}
}

// operator is the actor at the control socket.
const operator = "operator"

// actorOf returns who a command is from, for the log.
func (c *channel) actorOf() string {
	if c.conn.id.isLocal {
		return operator
	}
	return string(c.who.ID)
}

// adminServer is the server for the commands that an administrator gives in a session.
type adminServer struct {
	*Server
	giver *channel
}

var _ admin.Server = adminServer{}

// Status implements [admin.Server].
func (s adminServer) Status() admin.Status {
	checks := s.people.admin.process.Checks()
	status := admin.Status{
		Version: s.version.Version, Node: s.people.admin.node, Uptime: int64(time.Since(s.people.admin.began) / time.Second),
		Ready:  !slices.ContainsFunc(checks, func(c admin.Check) bool { return !c.OK }),
		Checks: checks, Sessions: s.admission.Sessions(), Limit: s.admission.Stats.Limit.Load(),
		Queue: s.manager.Lobby().Stats.Waiting.Load(), Bans: len(s.people.accounts.Bans()),
	}
	for k, n := range s.manager.Stats.Active.All() {
		if k.State == "playing" {
			status.Matches += n
		}
	}
	return status
}

// Sessions implements [admin.Server].
func (s adminServer) Sessions() []admin.Session {
	var all []admin.Session
	for _, c := range s.people.admin.sessions.list() {
		host, _, _ := net.SplitHostPort(c.RemoteAddr().String())
		typed := c.slot.TypedAt()
		if typed.IsZero() {
			typed = c.asked.at
		}
		all = append(all, admin.Session{
			ID: sessionID(c), Account: c.who.ID, Name: c.who.Name, Address: host, FrontEnd: c.asked.frontEnd.Name,
			Since: c.asked.at.UTC().Truncate(time.Second), Idle: int64(time.Since(typed) / time.Second),
			Matches: s.manager.MatchesOf(c.who.ID),
		})
	}
	return all
}

// localConn is a connection by the control socket.
type localConn struct{ net.Conn }

// localListener is the control socket. Who may open it is decided by the mode of its file.
type localListener struct{ net.Listener }

// Accept implements [net.Listener].
func (l localListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return localConn{conn}, nil
}

// order is what an administrator has all servers of a cluster do. A server that does not know its kind does nothing.
type order struct {
	Kind      orderKind     `json:"kind"`
	To        string        `json:"to,omitempty"` // a session of this server, an account, @ and a name, or a match to tell
	Text      string        `json:"text,omitempty"`
	Moderator bool          `json:"moderator,omitempty"` // is who gives it
	In        time.Duration `json:"in,omitempty"`        // from then on; the clocks of servers may differ
	Node      string        `json:"node,omitempty"`      // the only server that does it; empty for all

	giver *channel // in which it was given; nil at the other servers
}

type orderKind string

const (
	orderKick           orderKind = "kick"
	orderSay            orderKind = "say"
	orderMaintenance    orderKind = "maintenance"
	orderMaintenanceEnd orderKind = "maintenance-end"
	orderDrain          orderKind = "drain"
	orderDrainCancel    orderKind = "drain-cancel"
)

// orders passes orders to all servers of a cluster, as entries of the registry, which vanish by themselves. One that is
// given while the others cannot be reached is for this server alone.
type orders struct {
	registry match.Registry // nil for a single server
	log      *slog.Logger
	carryOut func(order) (sessions int, err error) // does what an order says at this server; it does not wait
	prefix   string                                // of the keys of this server's own
	given    atomic.Int64
	began    atomic.Bool // whether entries are new, and not those from before the server's start
	stop     func()
}

// The keys of orders, and how long it may take to pass one on.
const (
	orderKey   = "order-"
	tellWithin = 2 * time.Second
)

func newOrders(c Config, carryOut func(order) (int, error)) *orders {
	o := &orders{registry: c.Registry, log: c.Log, carryOut: carryOut, stop: func() {}}
	if o.registry == nil {
		return o
	}
	var own [8]byte
	_, _ = rand.Read(own[:]) // never fails
	o.prefix = orderKey + hex.EncodeToString(own[:]) + "-"
	o.stop = o.registry.Watch(o.onEntry)
	o.began.Store(true)
	return o
}

// give carries out an order here, and has the other servers do it. Where it cannot be done here, they do it all the
// same; then the error counts only for a single server.
func (o *orders) give(ctx context.Context, one order) (admin.Reached, error) {
	n, err := o.carryOut(one)
	reached := admin.Reached{Sessions: n}
	if o.registry == nil || isSessionID(one.To) || err != nil && !errors.Is(err, errNoneHere) {
		return reached, err
	}
	text, err := json.Marshal(one)
	if err == nil {
		ctx, cancel := context.WithTimeout(ctx, tellWithin)
		defer cancel()
		_, err = o.registry.Put(ctx, match.Entry{
			Key: o.prefix + strconv.FormatInt(o.given.Add(1), 10), Text: text,
		})
	}
	if err != nil {
		return reached, fmt.Errorf("done for %d sessions of this server; the others were not told: %w", n, err)
	}
	reached.Others = true
	return reached, nil
}

// onEntry carries out an order of another server. One from before the start was for the process before: a server that
// was drained and is started again must not stop once more.
func (o *orders) onEntry(e match.Entry) {
	if !o.began.Load() || !strings.HasPrefix(e.Key, orderKey) || strings.HasPrefix(e.Key, o.prefix) || e.Text == nil {
		return
	}
	match.RecoverPanic(o.log, "an order", func() {
		var one order
		if json.Unmarshal(e.Text, &one) == nil {
			_, _ = o.carryOut(one) // whether it is for a session here is not known
		}
	})
}

// isSessionID reports whether a text is formed as the name of a session, which belongs to one server.
func isSessionID(text string) bool {
	conn, number, _ := strings.Cut(text, ".")
	_, err := strconv.ParseUint(conn, 10, 64)
	_, err2 := strconv.ParseUint(number, 10, 64)
	return err == nil && err2 == nil
}

// errNoneHere says that an order is for no session of this server.
var errNoneHere = errors.New("there is no such session")

// kickedError is why a session ends that an administrator has ended.
type kickedError struct{ reason string }

func (k kickedError) Error() string {
	if k.reason == "" {
		return "an administrator has disconnected you"
	}
	return "an administrator has disconnected you: " + k.reason
}

func isKicked(cause error) bool { return errors.As(cause, new(kickedError)) }

// notify has the front end of a session show a sentence.
func (c *channel) notify(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		select {
		case c.inbox.notices <- text:
			if c.inbox.noticed != nil {
				c.inbox.noticed()
			}
			return
		default:
		}
		select {
		case <-c.inbox.notices:
		default: // it was read just now
		}
	}
}

// onNotice has tell called whenever there is a new notice. It must not wait.
func (c *channel) onNotice(tell func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.inbox.noticed = tell
}

// carryOut does at this server what an order says.
func (s *Server) carryOut(one order) (sessions int, err error) {
	switch one.Kind {
	case orderKick:
		all, err := s.addressed(one)
		for _, c := range all {
			c.life.end(kickedError{one.Text})
		}
		return len(all), err
	case orderSay:
		all, err := s.addressed(one)
		for _, c := range all {
			c.notify(one.Text)
		}
		return len(all), err
	case orderMaintenance:
		return s.people.admin.maintenance.announce(one.In, one.Text), nil
	case orderMaintenanceEnd:
		return s.people.admin.maintenance.cancel(), nil
	case orderDrain, orderDrainCancel:
		duck := s.people.admin.duck
		switch {
		case one.Node != s.people.admin.node:
			return 0, nil
		case one.Kind == orderDrain:
			return 0, duck.Begin(one.In)
		default:
			return 0, duck.Cancel()
		}
	}
	return 0, nil
}

// isNamed reports whether a text names a session: by an account, by @ and a name, or by the session's own name, which
// is known to its server alone. A name that no account has claimed is the one under which the player is shown.
func (s *Server) isNamed(c *channel, text string, bySession bool) bool {
	name, isName := strings.CutPrefix(text, "@")
	if !isName {
		return c.who.ID == match.PlayerID(text) || bySession && sessionID(c) == text
	}
	if account := s.people.accounts.Owner(name); account != "" {
		return c.who.ID == account
	}
	return c.who.Name == name
}

// addressed returns the sessions that an order is for: not the one in which it is given.
func (s *Server) addressed(one order) ([]*channel, error) {
	var all []*channel
	for _, c := range s.people.admin.sessions.list() {
		isMeant := s.isNamed(c, one.To, one.giver != nil)
		switch {
		case one.Kind == orderSay:
			isMeant = isMeant || one.To == "" || slices.Contains(s.manager.MatchesOf(c.who.ID), match.ID(one.To))
		case one.Moderator && c.who.role == admin.Administrator:
			isMeant = false // a moderator cannot
		}
		if isMeant && c != one.giver {
			all = append(all, c)
		}
	}
	isOther := func(c *channel) bool { return c.who.ID != all[0].who.ID }
	switch {
	case len(all) == 0 && one.To != "":
		return nil, fmt.Errorf("%w: %.60q", errNoneHere, one.To)
	case one.Kind == orderKick && slices.ContainsFunc(all, isOther):
		return nil, fmt.Errorf("several players are called %s: name one of their accounts, as of who", one.To)
	}
	return all, nil
}

// Kick implements [admin.Kicker].
func (s adminServer) Kick(to, reason string) (admin.Reached, error) {
	return s.people.admin.orders.give(s.giver.life.ctx, order{
		Kind: orderKick, To: to, Text: reason, Moderator: s.giver.who.role == admin.Moderator, giver: s.giver,
	})
}

// Say implements [admin.Speaker].
func (s adminServer) Say(text, to string) (admin.Reached, error) {
	return s.people.admin.orders.give(s.giver.life.ctx, order{
		Kind: orderSay, To: to, Text: "Operator: " + text, giver: s.giver,
	})
}

// refusedWithin is how long a client that is banned has to ask for a session and to read why there is none.
const refusedWithin = 5 * time.Second

// bannedError is what a client reads that is banned.
type bannedError struct{ account.Ban }

// Error says who is kept out, until when and why, and by which reference the operator knows the ban.
func (b bannedError) Error() string {
	who, until, why := "you are", "", ""
	if b.Network.IsValid() {
		who = "your address is"
	}
	if !b.Until.IsZero() {
		until = " until " + wording.Time(b.Until)
	}
	if b.Reason != "" {
		why = ": " + b.Reason
	}
	return fmt.Sprintf("%s banned from this server%s%s (reference %s)", who, until, why, b.Reference)
}

// isBan reports whether a session has ended because its player is banned.
func isBan(cause error) bool { return errors.As(cause, new(bannedError)) }

// bansOn returns the bans that keep out a session, the one that lasts longest first. There are none for administrators.
func (s *Server) bansOn(c *channel) []account.Ban {
	if c.who.role != admin.Player {
		return nil
	}
	return s.people.accounts.BansOn(account.Subject{
		Account: c.who.ID, Key: c.who.key, Network: c.conn.addressNet(),
	})
}

// banOf returns the ban that keeps out a session; nil for none.
func (s *Server) banOf(c *channel) *account.Ban { return first(s.bansOn(c)) }

// banBeforeLogin returns the ban of a connection's address; nil for none. Where there are keys of administrators it is
// nil, as an administrator may come from that address: banOf finds the ban after the login.
func (s *Server) banBeforeLogin(c *connection) *account.Ban {
	ban := first(s.people.accounts.BansOn(account.Subject{Network: c.addressNet()}))
	if ban != nil && s.people.admin.keys.Any() {
		return nil
	}
	return ban
}

func first(bans []account.Ban) *account.Ban {
	if len(bans) == 0 {
		return nil
	}
	return &bans[0]
}

// addressNet returns the network of a client's address alone; invalid at the control socket.
func (c *connection) addressNet() netip.Prefix {
	ip := limit.IPOf(c.RemoteAddr())
	return netip.PrefixFrom(ip, ip.BitLen())
}

// refuseBanned has a client that is banned read why, and ends its session; others go on to next. A ban may also be
// newer than the session's channel.
func (s *Server) refuseBanned(next ssh.Handler) ssh.Handler {
	return func(sess ssh.Session) {
		if line, ok := sess.(*channel); ok && !s.tellBan(line) { // every session is one
			next(sess)
		}
	}
}

// errNotAllowed is what a client reads that is not among those who may play.
var errNotAllowed = errors.New("this is a private server: to play, send its operator your public key " +
	"(ssh-keygen -t ed25519 makes one), and connect again with it")

// tellBan reports whether a client may not play; then it reads why, and its session has ended. It is a function of its
// own, so that its variables take no room on the stack for as long as a session lasts.
func (s *Server) tellBan(c *channel) bool {
	ban := c.who.ban
	if ban == nil {
		ban = s.banOf(c)
	}
	var why error
	switch {
	case ban != nil:
		c.reject(limit.Banned, "player", c.who.ID, "reference", ban.Reference)
		why = bannedError{*ban}
	case c.who.role == admin.Player && !s.people.admin.keys.MayPlay(c.PublicKey()):
		c.reject(limit.NotAllowed, "player", c.who.ID)
		why = errNotAllowed
	default:
		return false
	}
	_, _ = fmt.Fprintf(s.newStallWriter(c, c.Stderr()), "notakto: %s\n", why)
	_ = c.Exit(int(command.ExitFailure))
	return true
}

// kickBanned ends the sessions that a ban keeps out.
func (s *Server) kickBanned(b account.Ban) {
	for _, c := range s.people.admin.sessions.list() {
		for _, ban := range s.bansOn(c) {
			if ban.Subject == b.Subject {
				c.life.end(bannedError{ban})
			}
		}
	}
}

package sshapp

import (
	"cmp"
	"context"
	"errors"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/manager"
	"notakto/sshapp/admin"
	"notakto/sshapp/command"
)

// administration is what administrators of the server need. It implements [admin.Server] with the server.
type administration struct {
	keys     *admin.Keys
	process  admin.Process
	audit    admin.Audit // nil for none
	node     string
	storage  admin.Storage
	began    time.Time
	sessions sessionSet
	orders   *orders
	pauses   *pauses
	duck     *LameDuck

	maintenance *maintenance
}

func newAdministration(c Config) *administration {
	a := &administration{
		keys: c.Admins, process: c.Process, audit: c.Audit, node: c.Node, storage: c.Storage,
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
		Matches: manager.NewOperator(s.manager), Process: a.process, Audit: a.audit, Storage: a.storage,
		IsTerminal: sess.asked.terminal != nil,
		Record:     func(r admin.Record) { s.record(sess, r) },
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

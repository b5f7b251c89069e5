package sshapp

import (
	"cmp"
	"errors"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"notakto/match/manager"
	"notakto/sshapp/admin"
)

// administration is what administrators of the server need. It implements [admin.Server] with the server.
type administration struct {
	keys     *admin.Keys
	process  admin.Process
	node     string
	began    time.Time
	sessions sessionSet
	orders   *orders
	pauses   *pauses
	duck     *LameDuck

	maintenance *maintenance
}

func newAdministration(c Config) *administration {
	a := &administration{keys: c.Admins, process: c.Process, node: c.Node, began: time.Now()}
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
	e := admin.Env{
		Role: sess.who.role, Actor: actorOf(sess), Server: adminServer{s, sess}, Accounts: s.people.accounts,
		Matches: manager.NewOperator(s.manager), Process: a.process,
	}
	e.Record = func(r admin.Record) {
		s.Stats.Admin.Add(AdminCommand{r.Command, r.Status}, 1)
		s.log.Info("administrator's command", "event", "admin", "actor", actorOf(sess), "role", string(sess.who.role),
			"command", r.Command, "object", shortened(r.Object), "reason", shortened(r.Reason), "status", r.Status,
			"session", sessionID(sess))
	}
	root := admin.New(e)
	if root == nil {
		return nil
	}
	return []*cobra.Command{root}
}

// operator is the actor at the control socket.
const operator = "operator"

// actorOf returns who a command is from, for the log.
func actorOf(sess *channel) string {
	if sess.conn.id.isLocal {
		return operator
	}
	return string(sess.who.ID)
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
		Queue: s.manager.Lobby().Stats.Waiting.Load(),
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

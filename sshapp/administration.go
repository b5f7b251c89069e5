package sshapp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
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

type orderKind string

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

// AnnounceMaintenance implements [admin.Maintainer].
func (s adminServer) AnnounceMaintenance(in time.Duration, message string) error {
	_, err := s.people.admin.orders.give(s.giver.life.ctx, order{
		Kind: orderMaintenance, In: in, Text: message, giver: s.giver,
	})
	return err
}

// EndMaintenance implements [admin.Maintainer].
func (s adminServer) EndMaintenance() error {
	_, err := s.people.admin.orders.give(s.giver.life.ctx, order{Kind: orderMaintenanceEnd, giver: s.giver})
	return err
}

// MaintenanceStatus implements [admin.Maintainer].
func (s adminServer) MaintenanceStatus() admin.MaintenanceStatus {
	return s.people.admin.maintenance.status()
}

// BeginDrain implements [admin.Drainer].
func (s adminServer) BeginDrain(node string, within time.Duration) error {
	return s.drain(order{Kind: orderDrain, Node: node, In: within})
}

// CancelDrain implements [admin.Drainer].
func (s adminServer) CancelDrain(node string) error {
	return s.drain(order{Kind: orderDrainCancel, Node: node})
}

// drain gives an order to this server, or has another one carry it out.
func (s adminServer) drain(one order) error {
	a := s.people.admin
	one.giver = s.giver
	switch {
	case one.Node == "" || one.Node == a.node:
		one.Node = a.node
		_, err := a.orders.carryOut(one)
		return err
	case a.orders.registry == nil:
		return fmt.Errorf("there is no cluster, and no server %.60q", one.Node)
	}
	_, err := a.orders.give(s.giver.life.ctx, one)
	return err
}

// DrainStatus implements [admin.Drainer].
func (s adminServer) DrainStatus() admin.DrainStatus {
	status := s.people.admin.duck.Status()
	status.Node = s.people.admin.node
	return status
}

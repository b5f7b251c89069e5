package sshapp

import (
	"context"
	"errors"
	"slices"
	"time"

	"notakto/sshapp/cli"
	"notakto/sshapp/cli/admin"
)

// adminServer is the server as the commands of an administrator's session use it. It gives orders and records the
// commands.
type adminServer struct {
	server *Server
	giver  *channel // the session
}

var _ admin.Server = adminServer{}

// command returns the command that a session has besides those of players.
func (a adminServer) command() cli.Command {
	s := a.server
	return (&admin.Operator{
		Actor: a.giver.actorOf(), Server: a, Accounts: s.accounts, Manager: s.manager, History: s.history, Audit: s.audit,
		Data: s.data, Process: s.process, IsTerminal: a.giver.asked.terminal != nil,
	}).Command()
}

// auditWithin limits how long a command waits at its end until it is recorded.
const auditWithin = 2 * time.Second

// record counts, logs and keeps a command that was given in the session.
func (a adminServer) record(r cli.Record) {
	s, actor, role := a.server, a.giver.actorOf(), a.giver.who.role
	s.Stats.Admin.Add(AdminCommand{r.Command, r.Status}, 1)
	s.log.Info("administrator's command", "event", "admin", "actor", actor, "role", string(role),
		"command", r.Command, "object", shortened(r.Object), "reason", shortened(r.Reason), "status", r.Status,
		"session", a.giver.id())
	ctx, cancel := context.WithTimeout(context.Background(), auditWithin) // also if the client has gone
	defer cancel()
	if err := admin.Keep(ctx, s.audit, admin.Action{Actor: actor, Role: role, Record: r, Node: s.node}); err != nil {
		s.log.Warn("an administrator's command is in the log alone, and not in the audit",
			"event", "audit-failed", "command", r.Command, "error", err)
	}
}

// operator is the actor at the control socket.
const operator = "operator"

// actorOf returns who a command is from, for the log.
func (c *channel) actorOf() string {
	if c.conn.isLocal {
		return operator
	}
	return string(c.who.ID)
}

// Status implements [admin.Server].
func (a adminServer) Status() admin.Status {
	s := a.server
	var checks []admin.Check
	if s.process.Checks != nil {
		checks = s.process.Checks()
	}
	status := admin.Status{
		Version: s.version.Version, Node: s.node, Uptime: int64(time.Since(s.began) / time.Second),
		Ready:  !slices.ContainsFunc(checks, func(c admin.Check) bool { return !c.OK }),
		Checks: checks, Sessions: s.admission.Sessions(), Limit: s.admission.Stats.Limit.Load(),
		Queue: s.manager.Lobby().Stats.Waiting.Load(), Bans: len(s.accounts.Bans()),
	}
	for k, n := range s.manager.Stats.Active.All() {
		if k.State == "playing" {
			status.Matches += n
		}
	}
	return status
}

// Sessions implements [admin.Server].
func (a adminServer) Sessions() []admin.Session { return a.server.sessions.describe() }

// Servers implements [admin.Server].
func (a adminServer) Servers() []admin.Peer {
	all := []admin.Peer{}
	for _, s := range a.server.manager.Servers() {
		all = append(all, admin.Peer{
			Name: string(s.Node), Up: s.IsUp, Version: s.Version, Since: s.Since.UTC().Truncate(time.Second),
			LastSeen: s.LastSeen.UTC().Truncate(time.Second), HostKey: s.HostKey,
		})
	}
	return all
}

// Kick implements [admin.Server].
func (a adminServer) Kick(to, reason string) (admin.Reached, error) {
	return a.server.orders.give(a.giver.life.ctx, order{
		Kind: orderKick, To: to, Text: reason, Moderator: a.giver.who.role == cli.Moderator, giver: a.giver,
	})
}

// Say implements [admin.Server].
func (a adminServer) Say(text, to string) (admin.Reached, error) {
	return a.server.orders.give(a.giver.life.ctx, order{
		Kind: orderSay, To: to, Text: "Operator: " + text, giver: a.giver,
	})
}

// AnnounceMaintenance implements [admin.Server].
func (a adminServer) AnnounceMaintenance(in time.Duration, message string) error {
	_, err := a.server.orders.give(a.giver.life.ctx, order{
		Kind: orderMaintenance, In: in, Text: message, giver: a.giver,
	})
	return err
}

// EndMaintenance implements [admin.Server].
func (a adminServer) EndMaintenance() error {
	_, err := a.server.orders.give(a.giver.life.ctx, order{Kind: orderMaintenanceEnd, giver: a.giver})
	return err
}

// MaintenanceStatus implements [admin.Server].
func (a adminServer) MaintenanceStatus() admin.MaintenanceStatus {
	return a.server.schedule.maintenanceStatus()
}

// BeginDrain implements [admin.Server].
func (a adminServer) BeginDrain(node string, within time.Duration) error {
	return a.drain(order{Kind: orderDrain, Node: node, In: within})
}

// CancelDrain implements [admin.Server].
func (a adminServer) CancelDrain(node string) error {
	return a.drain(order{Kind: orderDrainCancel, Node: node})
}

// drain gives an order to this server, or has another one carry it out.
func (a adminServer) drain(one order) error {
	s := a.server
	one.giver = a.giver
	switch {
	case one.Node == "" || one.Node == s.node:
		one.Node = s.node
		_, err := s.carryOut(one)
		return err
	case s.orders.registry == nil:
		return errors.New("this server shares its database with no other one")
	}
	_, err := s.orders.give(a.giver.life.ctx, one)
	return err
}

// DrainStatus implements [admin.Server].
func (a adminServer) DrainStatus() admin.DrainStatus {
	status := a.server.schedule.drainStatus()
	status.Node = a.server.node
	return status
}

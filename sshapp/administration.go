package sshapp

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"notakto/match"
	"notakto/sshapp/cli"
	"notakto/sshapp/cli/admin"
)

// adminServer carries out the administrators' commands of one session, and records them.
type adminServer struct {
	server *Server
	giver  *channel // the session that gives the commands
}

var _ admin.Server = adminServer{}

// command returns the commands of administrators.
func (a adminServer) command() cli.Command {
	s := a.server
	return (&admin.Operator{
		Actor: a.giver.actorOf(), Server: a, Accounts: s.accounts, Manager: s.manager, History: s.history, Audit: s.audit,
		Data: s.data, Process: s.process, IsTerminal: a.giver.asked.terminal != nil,
	}).Command()
}

// auditWithin limits how long the end of a command waits for its record.
const auditWithin = 2 * time.Second

// record counts, logs and stores a command of the session.
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

// actorOf returns the actor of the session's commands, for the log.
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

// drain gives an order to this server or to another one.
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

// order is a command of an administrator to all servers that share a database. A server that does not know Kind does
// nothing.
type order struct {
	Kind      orderKind     `json:"kind"`
	To        string        `json:"to,omitempty"` // a session of this server, an account, @ and a name, or a match to tell
	Text      string        `json:"text,omitempty"`
	Moderator bool          `json:"moderator,omitempty"` // a moderator gives the order
	In        time.Duration `json:"in,omitempty"`        // from the arrival on: the servers' clocks may differ
	Node      string        `json:"node,omitempty"`      // the only server that carries the order out; empty for all

	giver *channel // the session that gives the order; nil at the other servers
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

// orders passes orders to all servers that share a database. An order is an entry of the registry. The registry removes
// such an entry by itself. If the registry cannot be reached, only this server carries the order out.
type orders struct {
	registry match.Registry // nil for a single server
	log      *slog.Logger
	carryOut func(order) (sessions int, err error) // carries an order out at this server; must not wait
	prefix   string                                // of the keys of this server's orders
	given    atomic.Int64
	began    atomic.Bool // entries are new; before, Watch delivers those from before the server's start
	stop     func()
}

// orderKey begins the key of each order's entry. tellWithin limits the time to pass an order on.
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

// give carries out an order here and passes it on to the other servers. It does so even if no session here is meant,
// since the session may be at another server. It returns errNoneHere for a single server, or if the order names a
// session ID.
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

// onEntry carries out an order of another server. It ignores orders from before the start of this server: the order
// that drained a server must not stop it again after a restart.
func (o *orders) onEntry(e match.Entry) {
	if !o.began.Load() || !strings.HasPrefix(e.Key, orderKey) || strings.HasPrefix(e.Key, o.prefix) || e.Text == nil {
		return
	}
	match.RecoverPanic(o.log, "an order", func() {
		var one order
		if json.Unmarshal(e.Text, &one) == nil {
			_, _ = o.carryOut(one) // errNoneHere only says that the session is at another server
		}
	})
}

// isSessionID reports whether text has the form of a session ID. A session ID names a session of this server or none.
func isSessionID(text string) bool {
	conn, number, _ := strings.Cut(text, ".")
	_, err := strconv.ParseUint(conn, 10, 64)
	_, err2 := strconv.ParseUint(number, 10, 64)
	return err == nil && err2 == nil
}

// carryOut carries out an order at this server. It does not wait.
func (s *Server) carryOut(one order) (sessions int, err error) {
	switch one.Kind {
	case orderKick, orderSay:
		all, err := s.sessions.addressed(one)
		for _, c := range all {
			if one.Kind == orderSay {
				c.inbox.notify(one.Text)
			} else {
				c.life.end(kickedError{one.Text})
			}
		}
		return len(all), err
	case orderMaintenance:
		return s.schedule.announce(one.In, one.Text), nil
	case orderMaintenanceEnd:
		return s.schedule.endMaintenance(), nil
	case orderDrain, orderDrainCancel:
		switch {
		case one.Node != s.node:
			return 0, nil
		case one.Kind == orderDrain:
			return 0, s.schedule.drain(one.In)
		default:
			return 0, s.schedule.cancelDrain()
		}
	}
	return 0, nil
}

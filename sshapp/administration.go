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

	"notakto/hostkeys"
	"notakto/match"
	"notakto/match/account"
	"notakto/sshapp/cli"
	"notakto/sshapp/cli/admin"
	"notakto/sshapp/wording"
)

// adminServer carries out the administrators' commands of one session.
type adminServer struct {
	server *Server
	issuer *channel
}

var _ admin.Server = adminServer{}

func (a adminServer) command() cli.Command {
	s := a.server
	return (&admin.Operator{
		Actor: a.issuer.actorOf(), Server: a, Accounts: s.accounts, Manager: s.manager, History: s.history,
		Progress: s.progress, Audit: s.audit, Data: s.data, Process: s.process,
		IsTerminal: a.issuer.asked.terminal != nil,
		HostKeys:   s.HostKeys(), PublicAddress: hostkeys.Address(s.publicAddress),
	}).Command()
}

const auditWithin = 2 * time.Second

func (a adminServer) record(r cli.Record) {
	s, actor, role := a.server, a.issuer.actorOf(), a.issuer.identity.role
	s.Stats.Admin.Add(AdminCommand{r.Command, r.Status}, 1)
	s.log.Info("administrator's command", "event", "admin", "actor", actor, "role", string(role),
		"command", r.Command, "object", shortened(r.Object), "reason", shortened(r.Reason), "status", r.Status,
		"session", a.issuer.id())
	ctx, cancel := context.WithTimeout(context.Background(), auditWithin) // also if the client has gone
	defer cancel()
	entry := admin.AuditEntry{Actor: actor, Role: role, Record: r, Node: s.node}
	if err := admin.AppendAudit(ctx, s.audit, entry); err != nil {
		s.log.Warn("an administrator's command is in the log only, not in the audit",
			"event", "audit-failed", "command", r.Command, "error", err)
	}
}

const operator = "operator"

func (c *channel) actorOf() string {
	if c.conn.isLocal {
		return operator
	}
	return string(c.identity.ID)
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

// Ban implements [admin.Server].
func (a adminServer) Ban(
	ctx context.Context, b account.Ban, lasts time.Duration, kick bool,
) (made account.Ban, hit int, err error) {
	s := a.server
	for _, proxy := range s.settings.Load().ProxyFrom {
		if b.Network.IsValid() && b.Network.Overlaps(proxy) {
			return made, 0, cli.Usage(fmt.Errorf("%s has a proxy of --proxy-from (%s): ban the addresses of its "+
				"clients, which admin who shows", b.Network, proxy))
		}
	}
	before := s.sessions.list() // a kicked session leaves the list at once
	if made, err = s.accounts.Ban(ctx, b, lasts, kick); err != nil {
		return made, 0, err
	}
	for _, ch := range before {
		if ch.banOn(made.Subject) != nil {
			hit++
		}
	}
	return made, hit, nil
}

// Kick implements [admin.Server].
func (a adminServer) Kick(to, reason string) (admin.Delivery, error) {
	return a.server.orders.issue(a.issuer.life.ctx, order{
		Kind: orderKick, To: to, Text: reason, Moderator: a.issuer.identity.role == cli.Moderator, issuer: a.issuer,
	})
}

// Say implements [admin.Server].
func (a adminServer) Say(text, to string) (admin.Delivery, error) {
	return a.server.orders.issue(a.issuer.life.ctx, order{
		Kind: orderSay, To: to, Text: "Operator: " + text, issuer: a.issuer,
	})
}

// AnnounceMaintenance implements [admin.Server].
func (a adminServer) AnnounceMaintenance(in time.Duration, message string) error {
	_, err := a.server.orders.issue(a.issuer.life.ctx, order{
		Kind: orderMaintenance, In: in, Text: message, issuer: a.issuer,
	})
	return err
}

// EndMaintenance implements [admin.Server].
func (a adminServer) EndMaintenance() error {
	_, err := a.server.orders.issue(a.issuer.life.ctx, order{Kind: orderMaintenanceEnd, issuer: a.issuer})
	return err
}

// MaintenanceStatus implements [admin.Server].
func (a adminServer) MaintenanceStatus() admin.MaintenanceStatus {
	return a.server.schedule.maintenanceStatus()
}

// StartDrain implements [admin.Server].
func (a adminServer) StartDrain(node string, within time.Duration) error {
	return a.drain(order{Kind: orderDrain, Node: node, In: within})
}

// CancelDrain implements [admin.Server].
func (a adminServer) CancelDrain(node string) error {
	return a.drain(order{Kind: orderDrainCancel, Node: node})
}

func (a adminServer) drain(o order) error {
	s := a.server
	o.issuer = a.issuer
	switch {
	case o.Node == "" || o.Node == s.node:
		o.Node = s.node
		_, err := s.carryOut(o)
		return err
	case s.orders.registry == nil:
		return errors.New("this server shares its database with no other server")
	}
	_, err := s.orders.issue(a.issuer.life.ctx, o)
	return err
}

// DrainStatus implements [admin.Server].
func (a adminServer) DrainStatus() admin.DrainStatus {
	status := a.server.schedule.drainStatus()
	status.Node = a.server.node
	return status
}

// order is a command of an administrator to all servers that share a database. A server ignores an order with an
// unknown Kind.
type order struct {
	Kind      orderKind     `json:"kind"`
	To        string        `json:"to,omitempty"` // a session of this server, an account, @ and a name, or a match to tell
	Text      string        `json:"text,omitempty"`
	Moderator bool          `json:"moderator,omitempty"` // a moderator gives the order
	In        time.Duration `json:"in,omitempty"`        // from the arrival on, since the servers' clocks may differ
	Node      string        `json:"node,omitempty"`      // the only server that carries the order out, or empty for all

	issuer *channel // the session that gives the order, nil at other servers
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

// orders passes orders to all servers that share a database. An order is an entry of the registry, removed by the
// registry after a while. If the registry cannot be reached, only this server carries the order out.
type orders struct {
	registry match.Registry // nil for a single server
	log      *slog.Logger
	carryOut func(order) (sessions int, err error) // carries an order out at this server, must not wait
	prefix   string                                // of the keys of this server's orders
	issued   atomic.Int64
	began    atomic.Bool // set once Watch has delivered the entries from before the start
	stop     func()
}

// orderKey begins the key of each order's entry, and tellWithin limits the time to pass an order on.
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

// issue carries out an order here and passes it on to the further servers. With a registry, issue returns errNoneHere
// only for a session ID. For any other recipient, another server may have a session.
func (o *orders) issue(ctx context.Context, one order) (admin.Delivery, error) {
	n, err := o.carryOut(one)
	delivery := admin.Delivery{Sessions: n}
	if o.registry == nil || isSessionID(one.To) || err != nil && !errors.Is(err, errNoneHere) {
		return delivery, err
	}
	text, err := json.Marshal(one)
	if err == nil {
		ctx, cancel := context.WithTimeout(ctx, tellWithin)
		defer cancel()
		_, err = o.registry.Put(ctx, match.Entry{
			Key: o.prefix + strconv.FormatInt(o.issued.Add(1), 10), Text: text,
		})
	}
	if err != nil {
		return delivery, fmt.Errorf("done for %s of this server; the others were not told: %w",
			wording.Count(n, "session", "sessions"), err)
	}
	delivery.Others = true
	return delivery, nil
}

// onEntry carries out an order of another server, unless the order is older than this process. Otherwise an order
// that drained a server would stop it again after a restart.
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

// isSessionID reports whether text has the form of a session ID. Only the server of a session knows its ID.
func isSessionID(text string) bool {
	conn, number, _ := strings.Cut(text, ".")
	_, err := strconv.ParseUint(conn, 10, 64)
	_, err2 := strconv.ParseUint(number, 10, 64)
	return err == nil && err2 == nil
}

// carryOut carries out an order at this server, without waiting.
func (s *Server) carryOut(o order) (sessions int, err error) {
	switch o.Kind {
	case orderKick, orderSay:
		all, err := s.sessions.recipients(o)
		for _, ch := range all {
			if o.Kind == orderSay {
				ch.inbox.notify(o.Text)
			} else {
				ch.life.end(kickedError{o.Text})
			}
		}
		return len(all), err
	case orderMaintenance:
		return s.schedule.announce(o.In, o.Text), nil
	case orderMaintenanceEnd:
		return s.schedule.endMaintenance(), nil
	case orderDrain, orderDrainCancel:
		switch {
		case o.Node != s.node:
			return 0, nil
		case o.Kind == orderDrain:
			return 0, s.schedule.drain(o.In)
		default:
			return 0, s.schedule.cancelDrain()
		}
	}
	return 0, nil
}

package sshapp

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"notakto/match"
	"notakto/sshapp/cli/admin"
)

// order is a command of an administrator to all servers that share a database. A server that does not know its kind
// does nothing.
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

// orders passes orders to all servers that share a database, as entries of the registry, which vanish by themselves. An
// order that is given while the others cannot be reached is carried out here alone.
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

// give carries out an order here, and passes it on to the other servers, also if it fails here: the session may be
// theirs. Then the error counts only for a single server.
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

// carryOut does at this server what an order says. It does not wait.
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

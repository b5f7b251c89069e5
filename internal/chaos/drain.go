package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"notakto/internal/interrupt"
)

// matchesEnd is how long the matches of a node may take to end.
const matchesEnd = 2 * time.Minute

var errReconnects = errors.New("a player had to reconnect more than once for each node")

// drain is three nodes that are restarted in turn. Each lets its matches end first, while new connections go to the
// others, as a balancer does that asks whether a node is ready. With another program to start, that is an upgrade.
type drain struct {
	cluster

	mu       sync.Mutex
	draining *server     // nil for none
	links    map[int]int // connections so far, by player
}

// dial returns a connection to any node that does not drain.
func (d *drain) dial(_ context.Context, player int) (net.Conn, string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, i := range rand.Perm(nodes) {
		if d.nodes[i] == d.draining {
			continue
		}
		if conn, err := d.nodes[i].dial(d.nodes[i].port); err == nil {
			d.links[player]++
			return conn, d.nodes[i].name, nil
		}
	}
	return nil, "", errNoNode
}

func (d *drain) harm(ctx context.Context) error {
	for _, node := range d.nodes {
		if err := interrupt.Pause(ctx, d.every); err != nil {
			return err
		}
		if err := d.restart(ctx, node); err != nil {
			return err
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for player, n := range d.links {
		if n > 1+nodes {
			return fmt.Errorf("%w: player %d connected %d times", errReconnects, player, n)
		}
	}
	return nil
}

// restart lets the matches of a node end, and starts it anew.
func (d *drain) restart(ctx context.Context, node *server) error {
	d.setDraining(node)
	defer d.setDraining(nil)
	d.harms++
	d.done("drain " + node.name)
	order := exec.CommandContext(ctx, d.binary, "admin", "--data", d.data(node.name), "drain", "--within", "5m")
	if out, err := order.CombinedOutput(); err != nil {
		return fmt.Errorf("drain %s: %w\n%s", node.name, err, out)
	}
	begun := time.Now()
	select {
	case <-node.gone:
	case <-time.After(matchesEnd):
		return fmt.Errorf("%w %s still drains after %v:\n%s", errServer, node.name, matchesEnd, node.tail())
	case <-ctx.Done():
		return ctx.Err()
	}
	if status := node.cmd.ProcessState.ExitCode(); status != 0 {
		return fmt.Errorf("%w %s ends with status %d:\n%s", errServer, node.name, status, node.tail())
	}
	fmt.Fprintf(d.out, "  %-34s %v\n", node.name+" has drained in", time.Since(begun).Round(time.Millisecond))
	d.done("ended " + node.name)
	if d.next != "" {
		node.binary = d.next
	}
	return errors.Join(node.start(), node.reachable(ctx))
}

func (d *drain) setDraining(node *server) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.draining = node
}

const (
	balancerTries = 10 * time.Second // time to reach a server, while the client waits
	balancerPause = 10 * time.Millisecond
	drainTime     = 2 * time.Second
)

// rolling is one server that is stopped normally and restarted, behind a load balancer that makes its clients wait
// until it is back.
type rolling struct {
	killing
	balancer *relay
}

func (r *rolling) open(ctx context.Context) error {
	r.extra += " --drain " + drainTime.String()
	if err := r.killing.open(ctx); err != nil {
		return err
	}
	l, err := r.server.listen(0)
	if err != nil {
		return err
	}
	r.balancer = newRelay(l, func() (net.Conn, error) { return r.reach(ctx) })
	return nil
}

// reach tries to connect until the server accepts.
func (r *rolling) reach(ctx context.Context) (net.Conn, error) {
	ctx, stop := context.WithTimeout(ctx, balancerTries)
	defer stop()
	for {
		conn, _, err := r.killing.dial(ctx, 0)
		if err == nil {
			return conn, nil
		}
		if waited := interrupt.Pause(ctx, balancerPause); waited != nil {
			return nil, errors.Join(err, waited)
		}
	}
}

func (r *rolling) dial(context.Context, int) (net.Conn, string, error) {
	conn, err := net.Dial("tcp", r.balancer.listener.Addr().String())
	return conn, "balancer", err
}

func (r *rolling) harm(ctx context.Context) error {
	for end := time.Now().Add(r.lasting); time.Now().Before(end); {
		if err := interrupt.Pause(ctx, r.every/2+time.Duration(r.rng.Int64N(int64(r.every)))); err != nil {
			return err
		}
		if err := r.server.end(syscall.SIGTERM); err != nil {
			return err
		}
		r.harms++
		if err := r.server.start(); err != nil {
			return err
		}
		if err := r.server.reachable(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (r *rolling) close() error {
	var balancer error
	if r.balancer != nil {
		balancer = r.balancer.close()
	}
	return errors.Join(balancer, r.killing.close())
}

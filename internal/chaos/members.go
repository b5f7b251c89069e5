package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"notakto/internal/interrupt"
)

// members is three nodes. A fourth joins them, another is lost and removed, and one more loses its disk and is
// replaced.
type members struct{ replace }

func (m *members) harm(ctx context.Context) error {
	if err := interrupt.Pause(ctx, m.every); err != nil {
		return err
	}
	fourth, err := m.add(ctx)
	if err != nil {
		return err
	}
	if err := interrupt.Pause(ctx, m.every); err != nil {
		return err
	}
	left := m.rng.IntN(nodes)
	if err := m.remove(ctx, left); err != nil {
		return err
	}
	m.nodes[left] = fourth // which players use from now on
	if err := interrupt.Pause(ctx, m.every); err != nil {
		return err
	}
	if err := m.replaceOne(ctx, m.nodes[(left+1+m.rng.IntN(nodes-1))%nodes]); err != nil {
		return err
	}
	return interrupt.Pause(ctx, m.every)
}

// add starts a node of another name, which joins the others as a member of its own.
func (m *members) add(ctx context.Context) (*server, error) {
	port, err := m.freePort()
	if err != nil {
		return nil, err
	}
	route, err := m.freePort()
	if err != nil {
		return nil, err
	}
	args := m.nodeArgs(route)
	for _, peer := range m.routes {
		args = append(args, "--cluster-peer", localPort(peer))
	}
	node := m.newServer(m.nodes[0].place, fmt.Sprintf("node%d", nodes), port, args...)
	m.harms++
	if err := errors.Join(node.start(), node.reachable(ctx)); err != nil {
		return nil, err
	}
	m.limit("addition of "+node.name, deathLimit)
	return node, nil
}

// remove destroys a node, and has another one remove it from the cluster.
func (m *members) remove(ctx context.Context, one int) error {
	name, err := m.nodeName(m.nodes[one])
	if err != nil {
		return err
	}
	if err := m.destroy(m.nodes[one]); err != nil {
		return err
	}
	if err := interrupt.Pause(ctx, healTime); err != nil { // a node that answered a moment ago is not removed
		return err
	}
	asked := m.data(m.nodes[(one+1)%nodes].name)
	order := exec.CommandContext(ctx, m.binary, "admin", "--data", asked, "cluster", "remove", name)
	if out, err := order.CombinedOutput(); err != nil {
		return fmt.Errorf("remove %s: %w\n%s", name, err, out)
	}
	m.limit("removal of "+name, deathLimit)
	return nil
}

var errJoined = errors.New("a node with an empty disk did not refuse to start with a word about --replace")

// replace is three nodes, one of which loses its disk and is replaced. In the end one disk is left and continues as a
// standalone server.
type replace struct{ cluster }

// nodeName returns a node's name from its disk.
func (s *stage) nodeName(node *server) (string, error) {
	text, err := os.ReadFile(filepath.Join(s.data(node.name), "journal", "node"))
	return strings.TrimSpace(string(text)), err
}

// harm destroys a disk, replaces the node, kills another node, and destroys all disks but one.
func (r *replace) harm(ctx context.Context) error {
	if err := interrupt.Pause(ctx, healTime); err != nil {
		return err
	}
	lost := r.rng.IntN(nodes)
	if err := r.replaceOne(ctx, r.nodes[lost]); err != nil {
		return err
	}
	if err := interrupt.Pause(ctx, healTime); err != nil {
		return err
	}
	if err := r.killAnother(ctx, (lost+1+r.rng.IntN(nodes-1))%nodes, deathLimit); err != nil {
		return err
	}
	if err := interrupt.Pause(ctx, healTime); err != nil {
		return err
	}
	return r.aloneOn(ctx, r.rng.IntN(nodes))
}

// destroy kills a node and its disk.
func (r *replace) destroy(node *server) error {
	r.harms++
	return errors.Join(node.end(syscall.SIGKILL), os.RemoveAll(r.data(node.name)))
}

// replaceOne destroys a node's disk, and starts the node without and with the setting that it replaces the lost one.
func (r *replace) replaceOne(ctx context.Context, node *server) error {
	name, err := r.nodeName(node)
	if err != nil {
		return err
	}
	if err := r.destroy(node); err != nil {
		return err
	}
	if err := node.start(); err != nil {
		return err
	}
	if err := r.refuses(ctx, node); err != nil {
		return err
	}
	node.args = append(node.args, "--replace", name)
	if err := node.start(); err != nil {
		return err
	}
	err = node.reachable(ctx)
	r.limit("replacement of "+node.name, deathLimit)
	return err
}

// refuses waits until a node has ended by itself, and checks that it logged how to replace the lost one.
func (r *replace) refuses(ctx context.Context, node *server) error {
	late := time.NewTimer(startTime)
	defer late.Stop()
	select {
	case <-node.gone:
	case <-node.ready:
		return fmt.Errorf("%w:\n%s", errJoined, node.tail())
	case <-late.C:
		return fmt.Errorf("%w within %v:\n%s", errJoined, startTime, node.tail())
	case <-ctx.Done():
		return ctx.Err()
	}
	if status := node.cmd.ProcessState.ExitCode(); status != 1 || !strings.Contains(node.tail(), "--replace") {
		return fmt.Errorf("%w: status %d:\n%s", errJoined, status, node.tail())
	}
	return nil
}

// aloneOn kills all nodes and leaves one disk, which becomes that of a standalone server.
func (r *replace) aloneOn(ctx context.Context, one int) error {
	last := r.nodes[one]
	for i, node := range r.nodes {
		if i == one {
			continue
		}
		if err := r.destroy(node); err != nil {
			return err
		}
		node.cmd = nil
	}
	if err := last.end(syscall.SIGKILL); err != nil {
		return err
	}
	cluster := r.data(last.name) + "-cluster"
	if err := os.Rename(r.data(last.name), cluster); err != nil {
		return err
	}
	restore := exec.CommandContext(ctx, r.binary, "restore", "--from-node", cluster, "--data", r.data(last.name))
	if out, err := restore.CombinedOutput(); err != nil {
		return fmt.Errorf("make the last node a server of its own: %w\n%s", err, out)
	}
	r.nodes[one] = r.newServer(last.place, last.name, last.port)
	if err := r.nodes[one].start(); err != nil {
		return err
	}
	if err := r.nodes[one].reachable(ctx); err != nil {
		return err
	}
	r.limit("start of the last node", deathLimit)
	return interrupt.Pause(ctx, r.every)
}

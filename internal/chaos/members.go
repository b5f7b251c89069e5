package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"

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

package main

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	"notakto/internal/interrupt"
)

const healTime = 5 * time.Second // before and after a cut

func (c *cluster) harm(ctx context.Context) error {
	for end := time.Now().Add(c.lasting); time.Now().Before(end); {
		if err := c.killOne(ctx); err != nil {
			return err
		}
	}
	for i := range c.cuts {
		if err := c.hinder(ctx, i); err != nil {
			return err
		}
	}
	return nil
}

// hinder disturbs the cluster for the i-th time. Each node freezes in turn, and with it any streams that it leads.
func (c *cluster) hinder(ctx context.Context, i int) error {
	if c.scenario == "freeze" {
		return c.freezeOne(ctx, c.nodes[i%nodes])
	}
	return c.cutOne(ctx, c.rng.IntN(nodes), links()[i%len(links())])
}

// freezeOne stops a node's process for a while; then it continues as if no time had passed. Its players stay connected.
func (c *cluster) freezeOne(ctx context.Context, node *server) error {
	if err := interrupt.Pause(ctx, healTime); err != nil {
		return err
	}
	c.done("freeze " + node.name)
	c.harms++
	if err := node.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		return err
	}
	err := interrupt.Pause(ctx, c.cut)
	if err := errors.Join(err, node.cmd.Process.Signal(syscall.SIGCONT)); err != nil {
		return err
	}
	c.done("thaw " + node.name)
	return interrupt.Pause(ctx, healTime)
}

// link is which traffic of a node is cut.
type link struct {
	name              string
	outbound, inbound bool // traffic from, and to, the node is cut
}

// links returns the ways of cutting a node off.
func links() []link {
	return []link{
		{"off", true, true},
		{"off, but that it is heard,", false, true},
		{"off, but that it hears,", true, false},
	}
}

// killOne waits, kills a node, and restarts it after a while.
func (c *cluster) killOne(ctx context.Context) error {
	if err := interrupt.Pause(ctx, c.every/2+time.Duration(c.rng.Int64N(int64(c.every)/2+1))); err != nil {
		return err
	}
	node := c.nodes[c.rng.IntN(nodes)]
	if err := node.end(syscall.SIGKILL); err != nil {
		return err
	}
	c.harms++
	if err := interrupt.Pause(ctx, time.Duration(c.rng.Int64N(int64(c.every)/2+1))); err != nil {
		return err
	}
	if err := node.start(); err != nil {
		return err
	}
	return node.reachable(ctx)
}

// cutOne stalls the traffic between one node and the others for a while. Its players stay connected.
func (c *cluster) cutOne(ctx context.Context, one int, link link) error {
	if err := interrupt.Pause(ctx, healTime); err != nil {
		return err
	}
	c.done(fmt.Sprintf("cut %s %s", link.name, c.nodes[one].name))
	c.harms++
	for other := range nodes {
		if other != one {
			if link.outbound {
				c.relays[one][other].stall(forth)
				c.relays[other][one].stall(back)
			}
			if link.inbound {
				c.relays[one][other].stall(back)
				c.relays[other][one].stall(forth)
			}
		}
	}
	err := interrupt.Pause(ctx, c.cut)
	for other := range nodes {
		if other != one {
			c.relays[one][other].resume()
			c.relays[other][one].resume()
		}
	}
	c.done(fmt.Sprintf("joined %s", c.nodes[one].name))
	if err != nil {
		return err
	}
	return interrupt.Pause(ctx, healTime)
}

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

// hinder returns the i-th time that a node cannot go on for a while. Each freezes in its turn, and with them whoever
// leads.
func (c *cluster) hinder(ctx context.Context, i int) error {
	if c.scenario == "freeze" {
		return c.freezeOne(ctx, c.nodes[i%nodes])
	}
	return c.cutOne(ctx, c.rng.IntN(nodes), links()[i%len(links())])
}

// freezeOne stops a node's process for a while, which then goes on as if no time had passed. The players at it stay
// connected.
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

// link is what is cut of the links of one node.
type link struct {
	name              string
	outbound, inbound bool // what it says to the others does not arrive, nor what they say to it
}

// links returns the ways to cut a node off.
func links() []link {
	return []link{
		{"off", true, true},
		{"off, but that it is heard,", false, true},
		{"off, but that it hears,", true, false},
	}
}

// killOne waits, kills a node, and has it come back after a while.
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

// cutOne stalls what goes between one node and the others for a while. The players at it stay connected.
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

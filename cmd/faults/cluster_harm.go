package main

import (
	"context"
	"fmt"
	"syscall"
	"time"

	"notakto/cmd/internal/interrupt"
)

const healTime = 5 * time.Second // before and after a cut

func (c *cluster) harm(ctx context.Context) error {
	for end := time.Now().Add(c.lasting); time.Now().Before(end); {
		if err := c.killOne(ctx); err != nil {
			return err
		}
	}
	for range c.cuts {
		if err := c.cutOne(ctx, c.dice.IntN(nodes)); err != nil {
			return err
		}
	}
	return nil
}

// killOne waits, kills a node, and has it come back after a while.
func (c *cluster) killOne(ctx context.Context) error {
	if err := interrupt.Pause(ctx, c.every/2+time.Duration(c.dice.Int64N(int64(c.every)/2+1))); err != nil {
		return err
	}
	node := c.nodes[c.dice.IntN(nodes)]
	if err := node.end(syscall.SIGKILL); err != nil {
		return err
	}
	c.harms++
	if err := interrupt.Pause(ctx, time.Duration(c.dice.Int64N(int64(c.every)/2+1))); err != nil {
		return err
	}
	if err := node.start(); err != nil {
		return err
	}
	return node.reachable(ctx)
}

// cutOne stalls everything between one node and the others for a while. The players at it stay connected.
func (c *cluster) cutOne(ctx context.Context, one int) error {
	if err := interrupt.Pause(ctx, healTime); err != nil {
		return err
	}
	c.done(fmt.Sprintf("cut off %s", c.nodes[one].name))
	c.harms++
	for other := range nodes {
		if other != one {
			c.relays[one][other].stall()
			c.relays[other][one].stall()
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

package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"notakto/internal/interrupt"
	"notakto/internal/overlay"
)

// clockLimit is how long players may go without a move while clocks differ.
const clockLimit = 15 * time.Second

// clockVariable names the environment variable by which the changed program shifts its clock, in seconds.
const clockVariable = "FAULTS_CLOCK"

var errNoWarning = errors.New("a node has logged no error about clocks that differ")

// clockChanges shift a program's wall clock by the variable. Measured durations do not change.
var clockChanges = [...]overlay.Change{
	{File: "time/time.go", From: "\tsec, nsec, mono := runtimeNow()\n\tif mono == 0 {",
		To: "\tsec, nsec, mono := runtimeNow()\n\tsec += clockShift\n\tif mono == 0 {"},
	{File: "time/zoneinfo_unix.go", From: "var platformZoneSources",
		To: "var clockShift = func() int64 {\n\ttext, _ := syscall.Getenv(\"" + clockVariable +
			"\")\n\tn, _ := atoi(text)\n\treturn int64(n)\n}()\n\nvar platformZoneSources"},
}

// clocks is three nodes whose clocks are an hour apart. The program has to be built with clockChanges.
type clocks struct{ cluster }

func (c *clocks) open(ctx context.Context) error {
	c.extra += " --log-level debug" // it logs which node leads a stream
	if err := c.create(); err != nil {
		return err
	}
	for i, hours := range [nodes]int{0, 1, -1} {
		c.nodes[i].env = []string{fmt.Sprintf("%s=%d", clockVariable, hours*3600)}
	}
	return c.begin(ctx)
}

// harm lets the nodes play for a while, and then kills each leader.
func (c *clocks) harm(ctx context.Context) error {
	c.limit("clocks differ", clockLimit)
	if err := interrupt.Pause(ctx, healTime); err != nil {
		return err
	}
	for range c.kills {
		if err := c.killAnother(ctx, c.leader(), clockLimit); err != nil {
			return err
		}
		c.limit("return of a node", clockLimit)
		if err := interrupt.Pause(ctx, healTime); err != nil {
			return err
		}
	}
	return nil
}

// close stops the nodes, each of which must have logged that clocks differ.
func (c *clocks) close() error {
	all := []error{c.cluster.close()}
	for _, node := range c.nodes {
		if c.harms > 0 && !node.said(clocksDiffer) {
			all = append(all, fmt.Errorf("%w: %s", errNoWarning, node.name))
		}
	}
	return errors.Join(all...)
}

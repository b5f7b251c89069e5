package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"syscall"
	"time"

	"notakto/internal/interrupt"
	"notakto/internal/overlay"
)

const (
	shortestLoad = 20 * time.Millisecond // from the first player back to the kill
	longestLoad  = 300 * time.Millisecond
	longestStart = 150 * time.Millisecond // from the start to a kill that does not wait for players
)

// serverName is the name of a single server.
const serverName = "server"

// killing is one server that is killed repeatedly.
type killing struct {
	*stage
	server *server
}

func (k *killing) open(ctx context.Context) error {
	here, err := newPlace(false)
	if err != nil {
		return err
	}
	port, err := k.freePort()
	if err != nil {
		return err
	}
	k.server = k.newServer(here, serverName, port)
	if err := k.server.start(); err != nil {
		return err
	}
	return k.server.reachable(ctx)
}

func (k *killing) dial(context.Context, int) (net.Conn, string, error) {
	conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", k.server.port))
	return conn, k.server.name, err
}

func (k *killing) servers() []*server { return []*server{k.server} }

func (k *killing) harm(ctx context.Context) error { return k.again(ctx, k.kill) }

func (k *killing) kill() error { return k.server.end(syscall.SIGKILL) }

// again ends the server with end and restarts it, as often as the options say.
func (k *killing) again(ctx context.Context, end func() error) error {
	for range k.kills {
		if err := k.instant(ctx); err != nil {
			return err
		}
		if err := end(); err != nil {
			return err
		}
		k.harms++
		k.progress()
		select {
		case <-k.load.Back(): // welcomed before
		default:
		}
		if err := k.server.start(); err != nil {
			return err
		}
	}
	return errors.Join(k.server.reachable(ctx), interrupt.Pause(ctx, longestLoad))
}

// instant waits until the next kill.
func (k *killing) instant(ctx context.Context) error {
	if k.rng.IntN(100) < k.early {
		return interrupt.Pause(ctx, time.Duration(k.rng.Int64N(int64(longestStart))))
	}
	if err := k.back(ctx, k.server); err != nil {
		return err
	}
	return interrupt.Pause(ctx, shortestLoad+time.Duration(k.rng.Int64N(int64(longestLoad-shortestLoad))))
}

func (k *killing) progress() {
	if k.harms%100 == 0 {
		fmt.Fprintf(k.out, "%d kills\n", k.harms)
	}
}

func (k *killing) close() error {
	if k.server == nil || k.server.cmd == nil {
		return nil
	}
	return k.server.end(syscall.SIGTERM)
}

const (
	lingering     = 30 // of 100 cuts: the server goes on without a disk
	longestLinger = 8 * time.Second
)

// power is one server on a machine whose power is cut repeatedly. Unlike a kill, that loses what the system had not
// written to the disk.
type power struct {
	killing
	disk *disk
}

func (p *power) open(ctx context.Context) (err error) {
	if p.disk, err = newDisk(filepath.Join(p.dir, "disk"), p.data(serverName)); err != nil {
		return err
	}
	return p.killing.open(ctx)
}

func (p *power) harm(ctx context.Context) error {
	return p.again(ctx, func() error { return p.cut(ctx) })
}

// cut ends the disk and then its server. The server stands still first: of a sync that is under way, Linux may say
// that it was done. At some cuts the server goes on without a disk, and must not acknowledge what it cannot sync.
func (p *power) cut(ctx context.Context) error {
	child := p.server.cmd.Process
	err := errors.Join(freeze(child), p.disk.cut())
	if p.rng.IntN(100) < lingering {
		err = errors.Join(err, thaw(child), interrupt.Pause(ctx, time.Duration(p.rng.Int64N(int64(longestLinger)))))
	}
	return errors.Join(err, p.kill(), p.disk.restore())
}

func (p *power) close() error {
	if p.disk == nil {
		return nil
	}
	return errors.Join(p.killing.close(), p.disk.unmount())
}

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

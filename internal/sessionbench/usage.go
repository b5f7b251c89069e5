package main

import (
	"os"
	"time"
)

// usage is the CPU used in a window, in percent of one core. The others are all other processes of the machine and, on
// a virtual machine, its neighbours: they slow server and clients alike, so figures measured while they are busy are
// not reliable.
type usage struct {
	window                  time.Duration
	server, clients, others float64
}

func (u *usage) add(more usage) {
	u.window += more.window
	u.server += more.server
	u.clients += more.clients
	u.others += more.others
}

// watch measures the CPU usage during run.
func (t *trial) watch(run func() error) (usage, error) {
	start := time.Now()
	before, err := t.readClocks()
	if err != nil {
		return usage{}, err
	}
	if err := run(); err != nil {
		return usage{}, err
	}
	window := time.Since(start)
	after, err := t.readClocks()
	if err != nil {
		return usage{}, err
	}
	share := func(used time.Duration) float64 { return 100 * used.Seconds() / window.Seconds() }
	u := usage{window: window, server: share(after.server - before.server), clients: share(after.clients - before.clients)}
	u.others = max(0, share(after.machine-before.machine)-u.server-u.clients)
	return u, nil
}

type clocks struct{ server, clients, machine time.Duration }

func (t *trial) readClocks() (clocks, error) {
	var c clocks
	var err error
	if c.server, err = cpuTime(t.server.pid()); err != nil {
		return c, err
	}
	if c.clients, err = cpuTime(os.Getpid()); err != nil {
		return c, err
	}
	c.machine, err = machineTime()
	return c, err
}

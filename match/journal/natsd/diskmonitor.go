package natsd

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"notakto/match/journal/internal/disk"
)

const (
	// MinFree is the free space below which nothing is recorded, because NATS shuts down JetStream when a write fails.
	// What the server writes by itself is far less.
	MinFree = 64 << 20
	// checkEvery is how often the disk and the server are checked.
	checkEvery = 500 * time.Millisecond
	// restartEvery is the shortest time between two restarts of a server that cannot write.
	restartEvery = 10 * time.Second
)

// Monitor watches the free space on the disk of an embedded server. It restarts a server that could not write once
// there is space, and stops a server that is cut off from its cluster.
type Monitor struct {
	dir      string
	embedded *embeddedServer
	log      *slog.Logger
	MinFree  atomic.Uint64
	Free     atomic.Uint64               // bytes on the disk, by the latest check
	restore  func(context.Context) error // makes the streams again that lived in memory

	isolation isolation

	full   atomic.Bool
	cutOff atomic.Bool // the server is stopped until others can be reached
}

func newMonitor(dir string, server *embeddedServer, cfg Config) *Monitor {
	k := &Monitor{dir: dir, embedded: server, log: cfg.Log, isolation: isolation{peers: cfg.Cluster.others(), call: call}}
	k.MinFree.Store(MinFree)
	return k
}

// Writable returns an error if nothing can be written now. A nil monitor returns nil.
func (k *Monitor) Writable() error {
	switch {
	case k == nil:
		return nil
	case k.full.Load():
		return Unavailable(errFull)
	case k.cutOff.Load():
		return Unavailable(errCutOff)
	}
	return nil
}

// Run monitors until ctx ends.
func (k *Monitor) Run(ctx context.Context) {
	restarted := time.Now().Add(-restartEvery)
	for ctx.Err() == nil {
		k.check()
		received, servers := k.embedded.received()
		if k.isolation.isCutOff(ctx, received) && ctx.Err() == nil {
			k.waitForMajority(ctx)
			continue
		}
		k.logReachable(received)
		if servers < len(k.isolation.peers) {
			if err := k.embedded.compact(); err != nil {
				k.log.Debug("the log of the matches could not be compacted", "event", "compaction-failed", "error", err)
			}
		}
		if !k.full.Load() && !k.embedded.records() && time.Since(restarted) >= restartEvery {
			k.restart(ctx)
			restarted = time.Now()
		}
		Wait(ctx, checkEvery)
	}
}

// check updates whether the disk is full.
func (k *Monitor) check() {
	left, err := disk.Free(k.dir)
	if err != nil {
		k.log.Error("the journal's disk cannot be asked how full it is",
			"event", "disk-unknown", "dir", k.dir, "error", err)
		return
	}
	k.Free.Store(left)
	full := left < k.MinFree.Load()
	if k.full.Swap(full) == full {
		return
	}
	if full {
		k.log.Error("nothing is recorded until there is room on the disk",
			"event", "disk-full", "dir", k.dir, "free", left,
			"needed", k.MinFree.Load())
	} else {
		k.log.Info("there is room on the disk again", "event", "disk-free", "dir", k.dir, "free", left)
	}
}

// restart replaces a server that has shut down.
func (k *Monitor) restart(ctx context.Context) {
	k.log.Warn("the journal's server could not write and is started anew", "event", "nats-restart")
	k.embedded.stop()
	err := k.embedded.start(ctx)
	if err == nil {
		err = k.restore(ctx)
	}
	if err != nil && ctx.Err() == nil {
		k.log.Error("the journal's server does not come back", "event", "nats-failed", "error", err)
	}
}

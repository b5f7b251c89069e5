package journal

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"
)

const (
	// floor is how much room must be left on the disk for anything to be recorded, so that the server, which gives up when a write fails, does
	// not meet a full one. What it writes by itself stays well below.
	floor = 64 << 20
	// lookEvery is how often the disk and the server are looked at.
	lookEvery = 500 * time.Millisecond
	// restartEvery is how long a server that fails to write is left alone after it was restarted.
	restartEvery = 10 * time.Second
)

// keeper watches the room on the disk of an embedded server, and restarts a server that could not write once there is room.
type keeper struct {
	dir     string
	housing *housing
	log     *slog.Logger
	floor   atomic.Uint64
	restore func(context.Context) error // makes the streams again that lived in memory

	isolation isolation

	full   atomic.Bool
	cutOff atomic.Bool // the server sits out
	failed atomic.Bool // a write was refused
}

// run returns when ctx has ended.
func (k *keeper) run(ctx context.Context) {
	restarted := time.Now().Add(-restartEvery)
	for ctx.Err() == nil {
		k.look()
		heard, servers := k.housing.heard()
		if k.isolation.isCutOff(ctx, heard) && ctx.Err() == nil {
			k.sitOut(ctx)
			continue
		}
		k.comeBack(heard)
		if servers < len(k.isolation.peers) {
			if err := k.housing.compact(); err != nil {
				k.log.Debug("the log of the matches could not be compacted", "err", err)
			}
		}
		if !k.full.Load() && (k.failed.Load() || !k.housing.records()) && time.Since(restarted) >= restartEvery {
			k.restart(ctx)
			restarted = time.Now()
		}
		wait(ctx, lookEvery)
	}
}

// look looks whether there is room.
func (k *keeper) look() {
	left, err := free(k.dir)
	if err != nil {
		k.log.Error("the journal's disk cannot be asked how full it is", "dir", k.dir, "err", err)
		return
	}
	full := left < k.floor.Load()
	if k.full.Swap(full) == full {
		return
	}
	if full {
		k.log.Error("nothing is recorded until there is room on the disk", "dir", k.dir, "free", left, "needed", k.floor.Load())
	} else {
		k.log.Info("there is room on the disk again", "dir", k.dir, "free", left)
	}
}

// restart starts another server in the place of one that gave up.
func (k *keeper) restart(ctx context.Context) {
	k.log.Warn("the journal's server could not write and is started anew")
	k.failed.Store(false)
	k.housing.stop()
	err := k.housing.start(ctx)
	if err == nil {
		err = k.restore(ctx)
	}
	if err != nil && ctx.Err() == nil {
		k.log.Error("the journal's server does not come back", "err", err)
	}
}

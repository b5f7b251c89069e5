package main

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"notakto/internal/interrupt"
)

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

package main

import (
	"context"
	"errors"
	"path/filepath"
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

func (p *power) harm(ctx context.Context) error { return p.again(ctx, p.cut) }

// cut ends the server and its disk. The server stands still before the disk ends: else it might acknowledge an event
// that it could not sync any more, which no machine without power does. The disk ends before the server, so that
// nothing is written after the last message to a player.
func (p *power) cut() error {
	return errors.Join(freeze(p.server.cmd.Process), p.disk.cut(), p.kill(), p.disk.restore())
}

func (p *power) close() error {
	if p.disk == nil {
		return nil
	}
	return errors.Join(p.killing.close(), p.disk.unmount())
}

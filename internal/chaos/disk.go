package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

const diskSize = 1 << 30 // bytes, of which only those in use take space

// disk is a file system in a file, whose power can be cut, and which can be filled.
type disk struct {
	image string
	dir   string // mount point
}

// newDisk creates and mounts a disk. It needs root and the programs mkfs.ext4, mount and umount.
func newDisk(image, dir string) (*disk, error) {
	err := errors.Join(os.WriteFile(image, nil, 0o600), os.Truncate(image, diskSize), os.Mkdir(dir, 0o700))
	if err != nil {
		return nil, err
	}
	d := &disk{image: image, dir: dir}
	if err := tool("mkfs.ext4", "-q", "-F", "-m", "0", image); err != nil {
		return nil, err
	}
	return d, d.mount()
}

// cut cuts the power: nothing is written to the disk from now on, and what the system has not written is lost.
func (d *disk) cut() error { return shutDown(d.dir) }

// restore restores the power, once no process uses the disk: it has what had been written to it before the cut.
func (d *disk) restore() error { return errors.Join(d.unmount(), d.mount()) }

// filler is the file that takes all free space.
func (d *disk) filler() string { return filepath.Join(d.dir, "filler") }

func (d *disk) fill() error {
	f, err := os.Create(d.filler())
	if err != nil {
		return err
	}
	for size := int64(diskSize); size >= 4096; size /= 2 {
		for extend(f, size) == nil {
		}
	}
	return f.Close()
}

func (d *disk) free() error { return os.Remove(d.filler()) }

func (d *disk) mount() error   { return tool("mount", "-t", "ext4", "-o", "loop", d.image, d.dir) }
func (d *disk) unmount() error { return tool("umount", d.dir) }

// tool runs a program of the system.
func tool(name string, args ...string) error {
	return toolOf(exec.CommandContext(context.Background(), name, args...))
}

func toolOf(cmd *exec.Cmd) error {
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", filepath.Base(cmd.Path), err, out)
	}
	return nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"notakto/internal/rig"
	"notakto/match"
)

const diskSize = 1 << 30 // bytes of a sparse file

// disk is an ext4 file system in a file. A test can cut its power or fill it.
type disk struct {
	image string
	dir   string // mount point
}

// newDisk creates and mounts a disk. The caller must be root, with mkfs.ext4, mount and umount installed.
func newDisk(image, dir string) (*disk, error) {
	err := errors.Join(os.WriteFile(image, nil, 0o600), os.Truncate(image, diskSize), os.Mkdir(dir, 0o700))
	if err != nil {
		return nil, err
	}
	d := &disk{image: image, dir: dir}
	if err := tool(context.Background(), "mkfs.ext4", "-q", "-F", "-m", "0", image); err != nil {
		return nil, err
	}
	return d, d.mount()
}

// cut cuts the power. Data that the system has not written is lost, and later writes fail.
func (d *disk) cut() error { return shutDown(d.dir) }

// restore mounts the disk again with the data that was written before the cut. No process may use the disk.
func (d *disk) restore() error { return errors.Join(d.unmount(), d.mount()) }

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

func (d *disk) mount() error {
	return tool(context.Background(), "mount", "-t", "ext4", "-o", "loop", d.image, d.dir)
}

// unmount tries again for a while, because the last processes of a database end after the one that was stopped.
func (d *disk) unmount() error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	for {
		err := tool(ctx, "umount", d.dir)
		if err == nil || match.Sleep(ctx, 200*time.Millisecond) != nil {
			return err
		}
	}
}

// tool runs a program to its end.
func tool(ctx context.Context, name string, args ...string) error {
	_, err := output(ctx, name, args...)
	return err
}

// output runs a program to its end and returns its output. An error contains the output.
func output(ctx context.Context, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = time.Second // the server that pg_ctl starts keeps the pipe open
	out, err := cmd.CombinedOutput()
	if err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		return "", fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out)), nil
}

// clockVariable names the environment variable that shifts the clock of the changed program, in seconds.
const clockVariable = "FAULTS_CLOCK"

// clockChanges make the standard library shift the wall clock by clockVariable. The monotonic clock stays.
var clockChanges = [...]rig.Change{
	rig.ShiftClock("clockShift"),
	{File: "time/zoneinfo_unix.go", From: "var platformZoneSources",
		To: "var clockShift = func() int64 {\n\ttext, _ := syscall.Getenv(\"" + clockVariable +
			"\")\n\tn, _ := atoi(text)\n\treturn int64(n)\n}()\n\nvar platformZoneSources"},
}

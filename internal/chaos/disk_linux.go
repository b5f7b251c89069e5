package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"

	"golang.org/x/sys/unix"
)

// disk is a file system in a file, whose power can be cut.
type disk struct {
	image string
	dir   string // mount point
}

// The shutdown of include/uapi/linux/ext4.h: unwritten data is lost, as in a power cut, and so is the end of the file
// system's journal.
const (
	ext4Shutdown    = 0x8004587d // EXT4_IOC_SHUTDOWN
	withoutFlushing = 2          // EXT4_GOING_FLAGS_NOLOGFLUSH
	diskSize        = 1 << 30    // bytes, of which only those in use take space
)

// newDisk creates and mounts a disk. It needs root and the programs mkfs.ext4, mount and umount.
func newDisk(image, dir string) (*disk, error) {
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		return nil, err
	}
	if err := os.Truncate(image, diskSize); err != nil {
		return nil, err
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	d := &disk{image: image, dir: dir}
	if err := tool("mkfs.ext4", "-q", "-F", image); err != nil {
		return nil, err
	}
	return d, d.mount()
}

// cut cuts the power: nothing is written to the disk from now on.
func (d *disk) cut() error {
	root, err := os.Open(d.dir)
	if err != nil {
		return err
	}
	err = unix.IoctlSetPointerInt(int(root.Fd()), ext4Shutdown, withoutFlushing)
	return errors.Join(err, root.Close())
}

// freeze stops a child of this process, and returns when none of its threads runs.
func freeze(child *os.Process) error {
	if err := child.Signal(unix.SIGSTOP); err != nil {
		return err
	}
	_, err := unix.Wait4(child.Pid, nil, unix.WUNTRACED, nil)
	return err
}

// thaw has a frozen child run again.
func thaw(child *os.Process) error { return child.Signal(unix.SIGCONT) }

// restore restores the power, once no process uses the disk: it has what had been written to it before the cut.
func (d *disk) restore() error {
	if err := d.unmount(); err != nil {
		return err
	}
	return d.mount()
}

func (d *disk) mount() error   { return tool("mount", "-t", "ext4", "-o", "loop", d.image, d.dir) }
func (d *disk) unmount() error { return tool("umount", d.dir) }

func tool(name string, args ...string) error {
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, out)
	}
	return nil
}

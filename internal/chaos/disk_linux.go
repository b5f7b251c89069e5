package main

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// The shutdown of include/uapi/linux/ext4.h: unwritten data is lost, as in a power cut, and so is the end of the file
// system's journal.
const (
	ext4Shutdown    = 0x8004587d // EXT4_IOC_SHUTDOWN
	withoutFlushing = 2          // EXT4_GOING_FLAGS_NOLOGFLUSH
)

// shutDown ends the file system at a mount point.
func shutDown(dir string) error {
	root, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(unix.IoctlSetPointerInt(int(root.Fd()), ext4Shutdown, withoutFlushing), root.Close())
}

// extend adds bytes to a file, and takes the space for them.
func extend(f *os.File, size int64) error {
	end, err := f.Seek(0, 2)
	if err != nil {
		return err
	}
	return unix.Fallocate(int(f.Fd()), 0, end, size)
}

// stopProcess stops a child of this process, and returns when none of its threads runs.
func stopProcess(child *os.Process) error {
	if err := child.Signal(unix.SIGSTOP); err != nil {
		return err
	}
	_, err := unix.Wait4(child.Pid, nil, unix.WUNTRACED, nil)
	return err
}

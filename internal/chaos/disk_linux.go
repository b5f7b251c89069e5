package main

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// The request and the flag are from include/uapi/linux/ext4.h. A shutdown with this flag loses unwritten data and the
// end of the file system's journal, as a power cut does.
const (
	ext4Shutdown    = 0x8004587d // EXT4_IOC_SHUTDOWN
	withoutFlushing = 2          // EXT4_GOING_FLAGS_NOLOGFLUSH
)

// shutDown stops all writes of the ext4 file system mounted at dir.
func shutDown(dir string) error {
	root, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(unix.IoctlSetPointerInt(int(root.Fd()), ext4Shutdown, withoutFlushing), root.Close())
}

// extend adds size bytes to f and allocates their space.
func extend(f *os.File, size int64) error {
	end, err := f.Seek(0, 2)
	if err != nil {
		return err
	}
	return unix.Fallocate(int(f.Fd()), 0, end, size)
}

// freeze stops the process of a server and returns once all of its threads stand still.
func freeze(n *node) error {
	if err := n.Signal(unix.SIGSTOP); err != nil {
		return err
	}
	_, err := unix.Wait4(int(n.Process), nil, unix.WUNTRACED, nil)
	return err
}

//go:build unix

package main

import (
	"fmt"
	"os"
	"syscall"
)

// writesToJournald reports whether a file is the stream to journald that systemd has opened.
func writesToJournald(f *os.File) bool {
	stat, err := f.Stat()
	if err != nil {
		return false
	}
	unix, ok := stat.Sys().(*syscall.Stat_t)
	return ok && os.Getenv("JOURNAL_STREAM") == fmt.Sprintf("%d:%d", unix.Dev, unix.Ino)
}

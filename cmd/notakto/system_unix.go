//go:build unix

package main

import (
	"fmt"
	"os"
	"syscall"
)

// writesToJournald reports whether f is the stream to journald that systemd has opened.
func writesToJournald(f *os.File) bool {
	stat, err := f.Stat()
	if err != nil {
		return false
	}
	unix, ok := stat.Sys().(*syscall.Stat_t)
	return ok && os.Getenv("JOURNAL_STREAM") == fmt.Sprintf("%d:%d", unix.Dev, unix.Ino)
}

// isLameDuck reports whether a signal asks the server to let its matches end before it stops.
func isLameDuck(sig os.Signal) bool { return sig == syscall.SIGUSR2 }

// operatorSignals returns the signals of an operator for a reload or a drain.
func operatorSignals() []os.Signal { return []os.Signal{syscall.SIGHUP, syscall.SIGUSR2} }

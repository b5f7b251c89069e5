//go:build unix

package main

import (
	"fmt"
	"os"
	"syscall"
)

// writesToJournald reports whether f is the stream to journald that systemd opened.
func writesToJournald(f *os.File) bool {
	stat, err := f.Stat()
	if err != nil {
		return false
	}
	unix, ok := stat.Sys().(*syscall.Stat_t)
	return ok && os.Getenv("JOURNAL_STREAM") == fmt.Sprintf("%d:%d", unix.Dev, unix.Ino)
}

func isDrainSignal(sig os.Signal) bool { return sig == syscall.SIGUSR2 }

func operatorSignals() []os.Signal { return []os.Signal{syscall.SIGHUP, syscall.SIGUSR2} }

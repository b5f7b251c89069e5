//go:build !unix

package main

import (
	"os"
	"syscall"
)

// writesToJournald returns false, because systems other than Unix have no systemd.
func writesToJournald(*os.File) bool { return false }

// isDrainSignal returns false, because systems other than Unix have no SIGUSR2.
func isDrainSignal(os.Signal) bool { return false }

func operatorSignals() []os.Signal { return []os.Signal{syscall.SIGHUP} }

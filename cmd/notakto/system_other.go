//go:build !unix

package main

import (
	"os"
	"syscall"
)

// writesToJournald returns false: these systems have no systemd.
func writesToJournald(*os.File) bool { return false }

// isLameDuck returns false: these systems have no SIGUSR2.
func isLameDuck(os.Signal) bool { return false }

// operatorSignals returns the signals of an operator for a reload or a drain.
func operatorSignals() []os.Signal { return []os.Signal{syscall.SIGHUP} }

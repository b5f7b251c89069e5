//go:build !unix

package main

import (
	"os"
	"syscall"
)

// writesToJournald is for systems with systemd.
func writesToJournald(*os.File) bool { return false }

// isLameDuck is for systems with SIGUSR2.
func isLameDuck(os.Signal) bool { return false }

// operatorSignals returns the signals of an operator for a reload or a drain.
func operatorSignals() []os.Signal { return []os.Signal{syscall.SIGHUP} }

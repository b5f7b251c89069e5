//go:build !linux

package sshapp

import (
	"math"
	"net"
	"time"
)

// setUserTimeout does nothing, since the kernel has no such option. The keep-alive probes find dead peers.
func setUserTimeout(*net.TCPConn, time.Duration) {}

// acknowledged reports nothing, since the kernel does not tell.
func acknowledged(*net.TCPConn) (waiting bool, received time.Duration) { return false, 0 }

// descriptors returns no limit.
func descriptors() int { return math.MaxInt32 }

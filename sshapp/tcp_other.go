//go:build !linux

package sshapp

import (
	"math"
	"net"
	"time"
)

// setUserTimeout does nothing where the kernel has no such option: the keep-alive probes find dead peers.
func setUserTimeout(*net.TCPConn, time.Duration) {}

// acknowledged knows nothing.
func acknowledged(*net.TCPConn) (waiting bool, received time.Duration) { return false, 0 }

// descriptors is no limit.
func descriptors() int { return math.MaxInt32 }

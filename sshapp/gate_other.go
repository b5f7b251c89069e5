//go:build !linux

package sshapp

import (
	"net"
	"time"
)

// setUserTimeout does nothing where the kernel has no such option: the keep-alive probes find dead peers.
func setUserTimeout(*net.TCPConn, time.Duration) {}

// acknowledged knows nothing.
func acknowledged(*net.TCPConn) (waiting bool, heard time.Duration) { return false, 0 }

//go:build !linux

package sshapp

import (
	"math"
	"net"
	"time"
)

func setUserTimeout(*net.TCPConn, time.Duration) {}

// ackState reports no unacknowledged data because this system does not tell.
func ackState(*net.TCPConn) (isUnacked bool, sinceAck time.Duration) { return false, 0 }

func maxOpenFiles() int { return math.MaxInt32 }

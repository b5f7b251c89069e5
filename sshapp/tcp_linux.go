package sshapp

import (
	"math"
	"net"
	"time"

	"golang.org/x/sys/unix"
)

// setUserTimeout limits the time that sent data may stay unacknowledged. If the kernel refuses, the keep-alive probes
// and deadPeerDetector still find dead peers.
func setUserTimeout(conn *net.TCPConn, timeout time.Duration) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) {
		_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(timeout.Milliseconds()))
	})
}

// ackState reports whether sent data waits for an acknowledgement, and the time since the peer's last
// acknowledgement.
func ackState(conn *net.TCPConn) (isUnacked bool, sinceAck time.Duration) {
	if conn == nil {
		return false, 0
	}
	raw, err := conn.SyscallConn()
	if err != nil {
		return false, 0
	}
	_ = raw.Control(func(fd uintptr) {
		if info, err := unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO); err == nil {
			isUnacked, sinceAck = info.Unacked > 0, time.Duration(info.Last_ack_recv)*time.Millisecond
		}
	})
	return isUnacked, sinceAck
}

func maxOpenFiles() int {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil || limit.Cur > math.MaxInt32 {
		return math.MaxInt32
	}
	return int(limit.Cur)
}

//go:build attack

package main

import "syscall"

// bindNoPort is Linux's IP_BIND_ADDRESS_NO_PORT: the port is chosen at connect, so that there are 28,000 for each
// destination address, not for each source address.
const bindNoPort = 24

func anyPort(_, _ string, raw syscall.RawConn) error {
	return raw.Control(func(fd uintptr) { _ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_IP, bindNoPort, 1) })
}

package main

import (
	"errors"
	"fmt"
	"net"
	"syscall"
)

// listen opens the port. The text of its error says what to do.
func listen(address string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	if err == nil {
		return listener, nil
	}
	const choose = "choose another with --listen, such as --listen :2223, or NOTAKTO_LISTEN"
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("cannot listen on %s: another program has that port; %s: %w", address, choose, err)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("cannot listen on %s: ports below 1024 need the right to (CAP_NET_BIND_SERVICE); %s: %w", address, choose, err)
	default:
		return nil, fmt.Errorf("cannot listen on %s; %s: %w", address, choose, err)
	}
}

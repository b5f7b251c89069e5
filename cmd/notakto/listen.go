package main

import (
	"errors"
	"fmt"
	"net"
	"syscall"
)

// listenSSH returns the port for players: that which systemd opened, or else that of the setting.
func listenSSH(address string) (net.Listener, error) {
	if passed, err := passedListener(); passed != nil || err != nil {
		return passed, err
	}
	return listen(address, "listen", ":2223")
}

// listen opens the port of a flag. The text of its error says what to do, with another address as an example.
func listen(address, flag, example string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	if err == nil {
		return listener, nil
	}
	choose := fmt.Sprintf("choose another with --%s, such as --%[1]s %s, or %s", flag, example, variable(flag))
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("cannot listen on %s: another program has that port; %s: %w", address, choose, err)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("cannot listen on %s: ports below 1024 need the right to (CAP_NET_BIND_SERVICE); %s: %w",
			address, choose, err)
	default:
		return nil, fmt.Errorf("cannot listen on %s; %s: %w", address, choose, err)
	}
}

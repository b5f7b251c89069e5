package sshapp

import (
	"cmp"
	"net"
	"net/netip"

	"notakto/match/limit"
	"notakto/sshapp/wording"
)

// sshHost returns the HOST of ssh commands that the player of a connection may copy. HOST is the public address, or
// otherwise the address that the client has dialled.
func (s *Server) sshHost(conn *connection) string {
	address := s.publicAddress
	if address == "" {
		address = dialledAddress(conn.LocalAddr(), conn.RemoteAddr())
	}
	return SSHArguments(address)
}

// SSHArguments returns an address, HOST or HOST:PORT, as arguments of ssh, or [wording.NoHost] for "".
func SSHArguments(address string) string {
	host, port, err := net.SplitHostPort(address)
	switch {
	case address == "":
		return wording.NoHost
	case err != nil || port == "22":
		return cmp.Or(host, address)
	default:
		return "-p " + port + " " + host
	}
}

// dialledAddress returns local, the server's end of a connection, or "" if the client cannot have dialled that address.
// Clients of a server behind a router or in a container dial another address. Behind a trusted proxy, local is the
// address that the client has dialled at the proxy.
//
// dialledAddress returns a private address only to a client in its network. A client with the router's address gets "",
// because all clients of a container seem to have that address.
func dialledAddress(local, remote net.Addr) string {
	to, from := limit.ClientIP(local), limit.ClientIP(remote)
	switch {
	case !to.IsValid() || !from.IsValid() || !to.IsGlobalUnicast() && !to.IsLoopback():
		return ""
	case to.IsLoopback() && from.IsLoopback():
	case to.IsLoopback(), !isPublic(to) && (!areNeighbors(to, from) || isRouter(from)):
		return ""
	}
	_, port, _ := net.SplitHostPort(local.String())
	return net.JoinHostPort(to.String(), port)
}

// isPublic reports whether an address is neither in a private network nor in that of providers (100.64.0.0/10).
func isPublic(ip netip.Addr) bool {
	return !ip.IsPrivate() && !netip.PrefixFrom(netip.AddrFrom4([4]byte{100, 64}), 10).Contains(ip)
}

// areNeighbors reports whether two addresses are in one network of the usual size.
func areNeighbors(a, b netip.Addr) bool {
	bits := 24
	if a.Is6() {
		bits = 64
	}
	return netip.PrefixFrom(a, bits).Contains(b)
}

// isRouter reports whether an address is the first of its network, as those of most routers are.
func isRouter(ip netip.Addr) bool {
	bytes := ip.AsSlice()
	return bytes[len(bytes)-1] == 1
}

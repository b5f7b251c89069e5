package sshapp

import (
	"cmp"
	"net"
	"net/netip"

	"notakto/match/limit"
	"notakto/sshapp/wording"
)

// hostFor returns the HOST of ssh commands that the player of a connection may copy. HOST is the public address, or
// else the address that the client has dialled.
func (s *Server) hostFor(c *connection) string {
	address := s.publicAddress
	if address == "" {
		address = dialledAddress(c.LocalAddr(), c.RemoteAddr())
	}
	return hostIn(address)
}

// hostIn returns an address, HOST or HOST:PORT, as arguments of ssh, or [wording.NoHost] for "".
func hostIn(address string) string {
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

// dialledAddress returns local, the server's end of a connection, if the client can have dialled that address.
// Otherwise it returns "": behind a router or in a container, the server has another address for clients. A private
// address counts only for a client in its network. The router of that network does not count, since all clients of a
// container seem to have its address. Behind a trusted proxy, local is the address that the client has dialled at the
// proxy.
func dialledAddress(local, remote net.Addr) string {
	to, from := limit.IPOf(local), limit.IPOf(remote)
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

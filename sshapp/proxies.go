package sshapp

import (
	"net"
	"net/netip"
	"slices"

	"github.com/pires/go-proxyproto"
)

// behindProxies is a listener whose connections from the trusted proxies have the address that the proxy tells of them. Such a connection
// has to begin with that (the PROXY protocol, version 1 or 2) within the time of a login; one from anywhere else is taken as it is, so that
// nobody can choose an address.
func (s Settings) behindProxies(listener net.Listener) net.Listener {
	if len(s.ProxyFrom) == 0 {
		return listener
	}
	return &proxyproto.Listener{
		Listener:          listener,
		ReadHeaderTimeout: s.Login,
		ConnPolicy: func(options proxyproto.ConnPolicyOptions) (proxyproto.Policy, error) {
			if s.trusts(options.Upstream) {
				return proxyproto.REQUIRE, nil
			}
			return proxyproto.SKIP, nil
		},
	}
}

// trusts reports whether a connection comes from a proxy that may tell addresses.
func (s Settings) trusts(from net.Addr) bool {
	at, err := netip.ParseAddrPort(from.String())
	ip := at.Addr().Unmap().WithZone("")
	return err == nil && slices.ContainsFunc(s.ProxyFrom, func(trusted netip.Prefix) bool { return trusted.Contains(ip) })
}

package limit

import (
	"net"
	"net/netip"

	"notakto/match"
)

// NetworkFactor is the ratio of a network's limit to that of the next smaller network.
const NetworkFactor = 4

// Prefix lengths of the parts of IPv6 that a provider gives to a customer. The smallest part counts as one
// address. A /48 has 65,536 of them.
const (
	ipv6AddressBits = 64
	ipv6SiteBits    = 56
	ipv6LargestBits = 48
)

// Account is a player, an address, or a network around an address. Limits charge it for what a player or client
// does.
type Account struct {
	Name  string
	Times int // multiple of the limit that the account has
}

// IPOf returns the IP of a client's address, or the zero value, which no network contains, if the address has none.
func IPOf(addr net.Addr) netip.Addr {
	if at, ok := addr.(interface{ AddrPort() netip.AddrPort }); ok { // of the package net
		return at.AddrPort().Addr().Unmap().WithZone("")
	}
	return netip.Addr{}
}

// AddressOf returns the address that counts as one source of connections and sessions: an IPv4 address or an IPv6 /64.
func AddressOf(addr net.Addr) netip.Prefix {
	ip := IPOf(addr)
	bits := ip.BitLen()
	if ip.Is6() {
		bits = ipv6AddressBits
	}
	return netip.PrefixFrom(ip, bits).Masked()
}

// LargestNetworkOf returns the largest network in which an address counts.
func LargestNetworkOf(address netip.Prefix) netip.Prefix {
	if address.Addr().Is4() {
		return address
	}
	return netip.PrefixFrom(address.Addr(), ipv6LargestBits).Masked()
}

// networkNames returns the networks in which an address counts, smallest first: an IPv4 address alone, or the /64, /56
// and /48 of an IPv6 address.
func networkNames(address netip.Prefix) []string {
	if address.Addr().Is4() {
		return []string{address.String()}
	}
	names := make([]string, 0, 3)
	for _, bits := range [...]int{ipv6AddressBits, ipv6SiteBits, ipv6LargestBits} {
		names = append(names, netip.PrefixFrom(address.Addr(), bits).Masked().String())
	}
	return names
}

// networks returns the accounts of an address and of the networks around it, smallest first.
func networks(address netip.Prefix) []Account { return addNetworks(nil, networkNames(address)) }

// Accountable returns the accounts charged for what a player does: first the player's own, then those of the
// player's networks. The caller passes networks smallest first.
func Accountable(p match.PlayerID, networks []string) []Account {
	return addNetworks([]Account{{Name: string(p), Times: 1}}, networks)
}

func addNetworks(all []Account, names []string) []Account {
	times := 1
	for _, name := range names {
		all = append(all, Account{name, times})
		times *= NetworkFactor
	}
	return all
}

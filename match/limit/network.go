package limit

import (
	"net"
	"net/netip"

	"notakto/match"
)

// NetworkFactor is the ratio of a network's limit to that of the next smaller one.
const NetworkFactor = 4

// A provider gives a customer one of these parts of IPv6. The smallest counts as one address. A /48 has 65,536 of
// these.
const (
	ipv6Address = 64
	ipv6Site    = 56
	ipv6Largest = 48
)

// Account is charged for what a player or a client does: a player, an address, or a network around an address.
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
		bits = ipv6Address
	}
	return netip.PrefixFrom(ip, bits).Masked()
}

// LargestNetworkOf returns the largest network in which an address counts.
func LargestNetworkOf(address netip.Prefix) netip.Prefix {
	if address.Addr().Is4() {
		return address
	}
	return netip.PrefixFrom(address.Addr(), ipv6Largest).Masked()
}

// networkNames returns the networks in which an address counts, smallest first: an IPv4 address alone, or the /64, /56
// and /48 of an IPv6 address.
func networkNames(address netip.Prefix) []string {
	if address.Addr().Is4() {
		return []string{address.String()}
	}
	names := make([]string, 0, 3)
	for _, bits := range [...]int{ipv6Address, ipv6Site, ipv6Largest} {
		names = append(names, netip.PrefixFrom(address.Addr(), bits).Masked().String())
	}
	return names
}

// networks returns the accounts of an address and of the networks around it, smallest first.
func networks(address netip.Prefix) []Account { return addNetworks(nil, networkNames(address)) }

// Accountable returns the accounts charged for what a player does: the player's own, and those of the player's
// networks, which the caller passes smallest first.
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

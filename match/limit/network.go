package limit

import (
	"net"
	"net/netip"

	"notakto/match"
)

// NetworkFactor is the ratio of a network's limit to that of the next smaller network.
const NetworkFactor = 4

// Prefix lengths of the IPv6 networks that providers give to customers. A /64 counts as one address, and a /48 has
// 65,536 of them.
const (
	ipv6AddressBits = 64
	ipv6SiteBits    = 56
	ipv6LargestBits = 48
)

// Payer is a player, an address, or a network around an address. Limits charge a payer for the actions of a player or
// client.
type Payer struct {
	Name     string
	Multiple int // multiplies every limit of the payer
}

// load returns count divided by Multiple, rounded up, to compare networks of different sizes.
func (p Payer) load(count int) int { return (count + p.Multiple - 1) / p.Multiple }

// ClientIP returns the IP of a client's address, or the zero value if the address has no IP. No network contains the
// zero value.
func ClientIP(addr net.Addr) netip.Addr {
	if at, ok := addr.(interface{ AddrPort() netip.AddrPort }); ok { // an address of package net
		return at.AddrPort().Addr().Unmap().WithZone("")
	}
	return netip.Addr{}
}

// SourceAddress returns the address that counts as one source of connections and sessions, an IPv4 address or an IPv6
// /64.
func SourceAddress(addr net.Addr) netip.Prefix {
	ip := ClientIP(addr)
	bits := ip.BitLen()
	if ip.Is6() {
		bits = ipv6AddressBits
	}
	return netip.PrefixFrom(ip, bits).Masked()
}

// LargestNetwork returns an IPv4 address alone, or the /48 of an IPv6 address.
func LargestNetwork(address netip.Prefix) netip.Prefix {
	if address.Addr().Is4() {
		return address
	}
	return netip.PrefixFrom(address.Addr(), ipv6LargestBits).Masked()
}

// networkNames returns an IPv4 address alone, or the /64, /56 and /48 of an IPv6 address.
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

// ShareNetwork reports whether the largest networks of two players are equal. The result is false if either player has
// no networks.
func ShareNetwork(networks, others []string) bool {
	return len(networks) > 0 && len(others) > 0 && networks[len(networks)-1] == others[len(others)-1]
}

func networkPayers(address netip.Prefix) []Payer {
	return appendNetworks(nil, networkNames(address))
}

// PlayerPayers returns the payers to charge for the actions of p. The first payer is the player, followed by the
// player's networks in the order given by the caller, smallest first.
func PlayerPayers(p match.PlayerID, networks []string) []Payer {
	return appendNetworks([]Payer{{Name: string(p), Multiple: 1}}, networks)
}

func appendNetworks(payers []Payer, names []string) []Payer {
	multiple := 1
	for _, name := range names {
		payers = append(payers, Payer{name, multiple})
		multiple *= NetworkFactor
	}
	return payers
}

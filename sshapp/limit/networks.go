package limit

import "net/netip"

// network is a network that an address belongs to, for limits that hold for an address.
type network struct {
	prefix netip.Prefix
	times  int // how many times the limit of one address it has
}

// networksOf returns the networks in which an address counts, the smallest first. An IPv4 address is one of its own.
// Of an IPv6 address they are the /64, the /56 and the /48, since a provider gives a customer any of these, and a /48
// has 65,536 of the first.
func networksOf(address netip.Prefix) []network {
	if address.Addr().Is4() {
		return []network{{address, 1}}
	}
	all := make([]network, 0, 3)
	for i, bits := range [...]int{ipv6Share, 56, 48} {
		all = append(all, network{netip.PrefixFrom(address.Addr(), bits).Masked(), 1 << (2 * i)})
	}
	return all
}

// LargestNetworkOf returns the last of the networks in which an address counts.
func LargestNetworkOf(address netip.Prefix) netip.Prefix {
	all := networksOf(address)
	return all[len(all)-1].prefix
}

package limit

import (
	"fmt"
	"net/netip"
	"testing"
)

func TestNetworkAccounts(t *testing.T) {
	for address, want := range map[string]string{
		"203.0.113.9/32":          "203.0.113.9/32 1\n",
		"2001:db8:12:3456::/64":   "2001:db8:12:3456::/64 1\n2001:db8:12:3400::/56 4\n2001:db8:12::/48 16\n",
		"2001:db8:ffff:ffff::/64": "2001:db8:ffff:ffff::/64 1\n2001:db8:ffff:ff00::/56 4\n2001:db8:ffff::/48 16\n",
	} {
		var got string
		for _, n := range networkPayers(netip.MustParsePrefix(address)) {
			got += fmt.Sprint(n.Name, " ", n.Multiple, "\n")
		}
		if got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

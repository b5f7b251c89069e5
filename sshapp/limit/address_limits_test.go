package limit

import (
	"fmt"
	"net/netip"
	"testing"
	"testing/synctest"

	"golang.org/x/time/rate"
)

func TestSourcesAreBounded(t *testing.T) {
	s := NewAddressLimits(DefaultSettings())
	address := netip.MustParseAddr("10.0.0.0")
	for range 2 * maxAddresses {
		s.addressLimit(netip.PrefixFrom(address, 32)).logins.Allow()
		address = address.Next()
	}
	if len(s.byNetwork) > maxAddresses {
		t.Errorf("%d addresses are remembered", len(s.byNetwork))
	}
}

// 256 addresses of a /56 had 256 times the logins of a household.
func TestLoginsOfANetworkCountTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		settings := DefaultSettings()
		settings.MaxSessionsPerAddress, settings.MaxLoginRate = 2, 1
		s := NewAddressLimits(settings)
		reserve := func(address string) bool {
			_, ok := s.reserve(handshaking(address).Source, 1, 0, func(one *addressLimit) *rate.Limiter { return one.logins })
			return ok
		}
		for network, want := range map[string]int{"2001:db8:0:%x::1": 2 * 4, "2001:db8:1:%x00::1": 2 * 16} {
			took := 0
			for i := range 100 {
				if reserve(fmt.Sprintf(network, i)) {
					took++
				}
			}
			if took != want {
				t.Errorf("%s: %d logins at once, want %d", network, took, want)
			}
		}
		if !reserve("2001:db8:2::1") || !reserve("192.0.2.1") {
			t.Error("another network had no turn")
		}
	})
}

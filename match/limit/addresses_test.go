package limit

import (
	"fmt"
	"testing"
	"testing/synctest"
)

// Otherwise the 256 addresses of a /56 have 256 times the logins of a household.
func TestLoginsOfANetworkCountTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		settings := DefaultSettings()
		settings.MaxSessionsPerAddress, settings.MaxLoginRate = 2, 1
		s := NewAddressLimits(settings)
		reserve := func(address string) bool {
			_, ok := s.ReserveLogin(handshaking(address).Source, 0)
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

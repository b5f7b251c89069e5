package limit

import (
	"fmt"
	"net/netip"
	"testing"
	"testing/synctest"

	"golang.org/x/time/rate"

	"notakto/match"
)

func TestNetworksOf(t *testing.T) {
	for address, want := range map[string]string{
		"203.0.113.9/32":          "203.0.113.9/32 1\n",
		"2001:db8:12:3456::/64":   "2001:db8:12:3456::/64 1\n2001:db8:12:3400::/56 4\n2001:db8:12::/48 16\n",
		"2001:db8:ffff:ffff::/64": "2001:db8:ffff:ffff::/64 1\n2001:db8:ffff:ff00::/56 4\n2001:db8:ffff::/48 16\n",
	} {
		var got string
		for _, n := range networksOf(netip.MustParsePrefix(address)) {
			got += fmt.Sprint(n.prefix, " ", n.times, "\n")
		}
		if got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

// A player with a session left stays there, whichever of the sessions ends.
func TestAnAddressIsKnownAsLongAsAPlayerIsThere(t *testing.T) {
	here, there := netip.MustParsePrefix("192.0.2.1/32"), netip.MustParsePrefix("192.0.2.2/32")
	var a SourceTracker
	a.add("guest", there)
	a.add("one", here)
	a.add("two", here)
	a.GuestResumed("one", "guest")
	if a.remove("guest"); whereIs(&a, "guest") != here.String() {
		t.Errorf("the guest is at %q", whereIs(&a, "guest"))
	}
	a.GuestResumed("two", "guest")
	a.GuestResumed("guest", "other")
	if a.remove("one"); whereIs(&a, "guest") != here.String() || whereIs(&a, "other") != here.String() {
		t.Errorf("the guest is at %q, and at %q as another", whereIs(&a, "guest"), whereIs(&a, "other"))
	}
	a.remove("two")
	a.add("one", here)
	a.add("two", there)
	a.GuestResumed("one", "guest") // and then the other one goes on as the guest, too, and leaves first
	a.GuestResumed("two", "guest")
	a.GuestResumed("two", "guest")
	a.GuestResumed("guest", "other")
	if whereIs(&a, "guest") != there.String() {
		t.Errorf("the guest is at %q", whereIs(&a, "guest"))
	}
	if a.remove("two"); whereIs(&a, "guest") != here.String() || whereIs(&a, "other") != here.String() {
		t.Errorf("the guest is at %q, and at %q as another", whereIs(&a, "guest"), whereIs(&a, "other"))
	}
	a.remove("one")
	if len(a.of)+len(a.resumedAs)+len(a.guests) > 0 {
		t.Errorf("left behind: %v, %v, %v", a.of, a.resumedAs, a.guests)
	}
}

// whereIs is the smallest network of a player, "" if that is not known.
func whereIs(a *SourceTracker, p match.PlayerID) string {
	if all := a.Networks(p); len(all) > 0 {
		return all[0]
	}
	return ""
}

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

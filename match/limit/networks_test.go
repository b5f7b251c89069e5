package limit

import (
	"fmt"
	"net/netip"
	"testing"
	"testing/synctest"

	"notakto/match"
)

// A /48 has 65,536 networks of a /64. If each had a share of its own, one client could take all places. In a trial, 52
// of them filled the server in ten seconds, and kept it full with a ping each per half hour.
func TestAddressesOfANetworkCountTogether(t *testing.T) {
	for name, row := range map[string]struct {
		share int // of a /64
		start func() (take func(netip.Addr, match.PlayerID) bool)
	}{
		"logins": {2, func() func(netip.Addr, match.PlayerID) bool {
			settings := DefaultSettings()
			settings.MaxSessionsPerAddress, settings.MaxLoginRate = 2, 1
			s := NewAddressLimits(settings)
			return func(address netip.Addr, _ match.PlayerID) bool {
				_, ok := s.ReserveLogin(handshaking(address.String()).Source, 0)
				return ok
			}
		}},
		"sessions": {100, func() func(netip.Addr, match.PlayerID) bool {
			a := newAdmissionTest(t, func(*Settings) {})
			a.plays = nil
			return func(address netip.Addr, p match.PlayerID) bool {
				_, err := a.enters(address.String(), p, Ordinary)
				return err == nil
			}
		}},
		"wrong codes": {2 * freeTries, func() func(netip.Addr, match.PlayerID) bool {
			tries := NewAttempts(1000)
			return func(address netip.Addr, p match.PlayerID) bool {
				allowed, _ := tryWrongCode(tries, PlayerPayers(p, networkNames(netip.PrefixFrom(address, 64).Masked())))
				return allowed
			}
		}},
		"seats at tables": {1, func() func(netip.Addr, match.PlayerID) bool {
			at := make(map[match.PlayerID][]string)
			seats := NewSeats(1, func(p match.PlayerID) []string { return at[p] })
			return func(address netip.Addr, p match.PlayerID) bool {
				at[p] = networkNames(netip.PrefixFrom(address, 64).Masked())
				if seats.IsFull(p) {
					return false
				}
				seats.Take(Claim{p, "match"})
				return true
			}
		}},
	} {
		for format, factor := range map[string]int{"2001:db8::%x": 1, "2001:db8:0:%x::1": 4, "2001:db8:0:%x00::1": 16} {
			synctest.Test(t, func(t *testing.T) {
				take, took := row.start(), 0
				for i := range 2 * factor * row.share {
					if take(netip.MustParseAddr(fmt.Sprintf(format, i%52)), match.PlayerID(fmt.Sprint(i))) {
						took++
					}
				}
				if took != factor*row.share {
					t.Errorf("%s of %s: %d at once, want %d", name, format, took, factor*row.share)
				}
				if !take(netip.MustParseAddr("2001:db8:1::1"), "neighbour") {
					t.Errorf("%s: another network has none", name)
				}
			})
		}
	}
}

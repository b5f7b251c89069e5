package limit

import (
	"context"
	"net/netip"
	"testing"
	"testing/synctest"
)

// In a trial without turns, the keys of thirty addresses, each within its budget, kept all processors busy, and a login
// or a key of another player waited for half a second.
func TestANetworkThatSeldomWaitsHasItsTurnNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const busy, passes = 30, 3 * earlyTurns
		turns, alice := NewTurns(1), netip.MustParsePrefix("192.0.2.1/32")
		turns.Take(alice)
		last := make(chan netip.Prefix, 1)
		take := func(network netip.Prefix) {
			go func() {
				turns.Take(network)
				last <- network
			}()
			synctest.Wait()
		}
		next := func() netip.Prefix {
			turns.GiveBack()
			return <-last
		}
		for i := range busy {
			for range passes {
				take(netip.PrefixFrom(netip.AddrFrom4([4]byte{203, 0, 113, byte(i)}), 32))
			}
		}
		for range busy * earlyTurns {
			next()
		}
		for range 2 { // the second time after a pass of the rotation without a key
			for range earlyTurns {
				if take(alice); next() != alice {
					t.Error("alice waits for others")
				}
			}
			for range earlyTurns + 1 { // in one pass alice has a turn as all others do
				take(alice)
			}
			had := 0
			for range busy + 1 {
				if next() == alice {
					had++
				}
			}
			if had != 1 {
				t.Errorf("busy alice has %d turns while each other has one", had)
			}
			for turns.WaitingNetworks() > busy {
				next()
			}
			for range busy + 1 {
				next()
			}
			for i := range busy {
				for range passes {
					take(netip.PrefixFrom(netip.AddrFrom4([4]byte{203, 0, 113, byte(i)}), 32))
				}
			}
		}
		for turns.WaitingNetworks() > 0 {
			next()
		}
	})
}

func TestNothingIsDoneInVain(t *testing.T) {
	network := netip.MustParsePrefix("192.0.2.1/32")
	for _, isGone := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			turns, isDone := NewTurns(0), false
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			go turns.Do(ctx, network, func() { isDone = true })
			synctest.Wait()
			if isGone {
				leave()
			}
			turns.GiveBack()
			if synctest.Wait(); isDone == isGone || turns.free != 1 {
				t.Errorf("with the client gone: %v, the work is done: %v; %d turns are free", isGone, isDone, turns.free)
			}
		})
	}
}

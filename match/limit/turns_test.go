package limit

import (
	"context"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
)

// The keys of thirty addresses, each within its budget, kept all processors busy: moves of other players took half a
// second.
func TestNetworksTakeTurns(t *testing.T) {
	mallory, alice := netip.MustParsePrefix("2001:db8::/48"), netip.MustParsePrefix("192.0.2.1/32")
	synctest.Test(t, func(t *testing.T) {
		turns := NewTurns(1)
		turns.Take(mallory)
		var mu sync.Mutex
		var order []netip.Prefix
		for _, network := range []netip.Prefix{mallory, mallory, mallory, alice, alice} {
			go func() {
				turns.Take(network)
				mu.Lock()
				order = append(order, network)
				mu.Unlock()
			}()
			synctest.Wait()
		}
		if len(order) > 0 {
			t.Fatalf("%v have a turn at once", order)
		}
		for range 5 {
			turns.GiveBack()
			synctest.Wait()
		}
		if want := []netip.Prefix{mallory, alice, mallory, alice, mallory}; !slices.Equal(order, want) {
			t.Errorf("the turns went to %v", order)
		}
		turns.GiveBack()
		if turns.free != 1 || len(turns.next) > 0 || len(turns.waiting) > 0 {
			t.Errorf("left are %d turns and %v", turns.free, turns.waiting)
		}
	})
}

// Nothing is done for a client that has gone while it waited.
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

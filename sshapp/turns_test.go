package sshapp

import (
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
		turns := newTurns()
		turns.free = 1
		turns.take(mallory)
		var mu sync.Mutex
		var order []netip.Prefix
		for _, network := range []netip.Prefix{mallory, mallory, mallory, alice, alice} {
			go func() {
				turns.take(network)
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
			turns.giveBack()
			synctest.Wait()
		}
		if want := []netip.Prefix{mallory, alice, mallory, alice, mallory}; !slices.Equal(order, want) {
			t.Errorf("the turns went to %v", order)
		}
		turns.giveBack()
		if turns.free != 1 || len(turns.next) > 0 || len(turns.waiting) > 0 {
			t.Errorf("left are %d turns and %v", turns.free, turns.waiting)
		}
	})
}

// waiters returns how many networks wait for a turn.
func (t *turns) waiters() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.next)
}

func TestAScreenTakesATurn(t *testing.T) {
	h := startServer(t, func(o *options) { o.spoil = func(s *Server) { s.turns.free = 0 } })
	alice := h.sit("alice", newKey(t, 1))
	eventually(t, "the screen to wait for a turn", func() bool { return h.turns.waiters() == 1 })
	h.turns.giveBack()
	alice.sees("Play someone")
}

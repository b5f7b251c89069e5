package sshapp

import (
	"fmt"
	"net"
	"testing"
)

func handshaking(address string) *preauthConn {
	return &preauthConn{source: addressOf(&net.TCPAddr{IP: net.ParseIP(address), Port: 1})}
}

func TestFullPreauthEvictsTheOldestOfTheAddressThatHoldsMost(t *testing.T) {
	h := newPreauthConns(7, 7*returnFactor)
	enter := func(address string) *preauthConn {
		t.Helper()
		c := handshaking(address)
		if evicted := h.enter(c); evicted != nil {
			t.Fatalf("%v had to go for %v", evicted.source, c.source)
		}
		return c
	}
	player := enter("192.0.2.1")
	var household []*preauthConn
	for _, address := range []string{"2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8::4", "2001:db8::5", "2001:db8::6"} {
		household = append(household, enter(address)) // one /64
	}
	household[1].setStep(talking)
	for i, want := range []*preauthConn{household[0], household[2]} { // who has spoken goes last
		if got := h.enter(handshaking(fmt.Sprint("198.51.100.", i))); got != want {
			t.Fatalf("newcomer %d pushed out %v, number %d", i, got.source, got.arrival)
		}
	}
	h.leave(player)
	h.leave(player)
	enter("192.0.2.1")
	if len(h.all) != 7 {
		t.Errorf("%d are counted", len(h.all))
	}
}

// After a restart all players came back at once, and pushed each other out.
func TestManyAddressesWithFewEachMayBeMore(t *testing.T) {
	h := newPreauthConns(2, 2*returnFactor)
	oldest := handshaking("192.0.2.0")
	h.enter(oldest)
	for i := 1; i < 2*returnFactor; i++ {
		if evicted := h.enter(handshaking(fmt.Sprint("192.0.2.", i))); evicted != nil {
			t.Fatalf("%v had to go for number %d", evicted.source, i)
		}
	}
	if got := h.enter(handshaking("192.0.2.99")); got != oldest {
		t.Errorf("%v went", got)
	}
}

// Of many with one connection each the oldest went, though it was about to log in and the others said nothing.
func TestSilentConnectionsAreEvictedFirst(t *testing.T) {
	h := newPreauthConns(2, 2)
	player, silent := handshaking("192.0.2.1"), handshaking("192.0.2.2")
	h.enter(player)
	h.enter(silent)
	player.setStep(talking)
	for i := range 3 {
		added := handshaking(fmt.Sprint("198.51.100.", i))
		if got := h.enter(added); got != silent {
			t.Fatalf("%v had to go for number %d", got.source, i)
		}
		silent = added
	}
}

// An address has few turns to exchange keys. Who has one goes after those that only talk, and these after those that
// have been turned away.
func TestWhoExchangesKeysGoesLast(t *testing.T) {
	h := newPreauthConns(6, 6)
	for _, reached := range []step{exchanging, talking, turnedAway, silent, talking, exchanging} {
		c := handshaking("192.0.2.1")
		h.enter(c)
		c.setStep(reached)
	}
	for i, want := range []step{turnedAway, silent, talking, talking} {
		added := handshaking("192.0.2.1")
		if got := h.enter(added); got == added || got.step() != want {
			t.Fatalf("the newcomer %d pushed out %d, step %d", i, got.arrival, got.step())
		}
		added.setStep(talking)
	}
}

// Those who exchange keys and then take their time would have filled the room of their address, so that no newcomer had
// any to come as far.
func TestConnectionsInKexLeaveRoomForNewOnes(t *testing.T) {
	h := newPreauthConns(6, 6)
	for range 6 {
		c := handshaking("192.0.2.1")
		h.enter(c)
		c.setStep(exchanging)
	}
	for i := range 3 {
		got := h.enter(handshaking("192.0.2.1"))
		if got.step() != exchanging || got.arrival != uint64(i) {
			t.Fatalf("newcomer %d pushed out %d, step %d", i, got.arrival, got.step())
		}
	}
	if got := h.enter(handshaking("192.0.2.1")); got.step() != silent {
		t.Errorf("%d went, step %d", got.arrival, got.step())
	}
}

// Under a flood of one connection an address, a household that logged in twice at once held most, and was evicted
// always.
func TestNetworksWithFewPreauthConnsAreEquals(t *testing.T) {
	h := newPreauthConns(8, 8)
	var flood []*preauthConn
	for i := range 6 {
		flood = append(flood, handshaking(fmt.Sprint("198.51.100.", i)))
		h.enter(flood[i])
	}
	for range 2 {
		h.enter(handshaking("192.0.2.1"))
	}
	for i := range 6 {
		if got := h.enter(handshaking(fmt.Sprint("203.0.113.", i))); got != flood[i] {
			t.Fatalf("newcomer %d evicted a connection from %v", i, got.source)
		}
	}
}

// A /48 has 65,536 addresses of a /64 each, with one connection from each of which it could fill the room of all
// others.
func TestPreauthConnsOfANetworkCountTogether(t *testing.T) {
	for network, room := range map[string]int{"2001:db8:0:%x::1": 4 * fewPreauthConns, "2001:db8:0:%x00::1": 16 * fewPreauthConns} {
		h := newPreauthConns(room+4, returnFactor*(room+4))
		for range fewPreauthConns {
			h.enter(handshaking("2001:db8:1::1"))
		}
		for i := range room {
			if evicted := h.enter(handshaking(fmt.Sprintf(network, i))); evicted != nil {
				t.Fatalf("%s: %v was evicted", network, evicted.source)
			}
		}
		for i := range room {
			evicted := h.enter(handshaking(fmt.Sprintf(network, 128+i)))
			if evicted == nil || evicted.source != addressOf(&net.TCPAddr{IP: net.ParseIP(fmt.Sprintf(network, i))}) {
				t.Fatalf("%s: newcomer %d evicted %v", network, i, evicted)
			}
		}
	}
}

func TestPreauthConnsForgetClosedConnections(t *testing.T) {
	h := newPreauthConns(10, 10*returnFactor)
	var all []*preauthConn
	for range 10 {
		c := handshaking("192.0.2.1")
		h.enter(c)
		all = append(all, c)
	}
	for _, c := range all {
		h.leave(c)
	}
	if len(h.all) != 0 || len(h.counts) != 0 || h.total.count != 0 {
		t.Errorf("%d are counted, from %d networks", len(h.all), len(h.counts))
	}
}

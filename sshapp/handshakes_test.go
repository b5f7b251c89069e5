package sshapp

import (
	"fmt"
	"net"
	"net/netip"
	"testing"
)

func handshaking(address string) *connection {
	return &connection{source: addressOf(&net.TCPAddr{IP: net.ParseIP(address), Port: 1})}
}

func TestAFullHouseLetsGoOfTheOldestOfTheAddressThatHoldsMost(t *testing.T) {
	h := newHandshakes(7, 7*returnFactor)
	enter := func(address string) *connection {
		t.Helper()
		c := handshaking(address)
		if evicted := h.enter(c); evicted != nil {
			t.Fatalf("%v had to go for %v", evicted.source, c.source)
		}
		return c
	}
	player := enter("192.0.2.1")
	var household []*connection
	for _, address := range []string{"2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8::4", "2001:db8::5", "2001:db8::6"} {
		household = append(household, enter(address)) // one /64
	}
	household[1].reaches(talking)
	for i, want := range []*connection{household[0], household[2]} { // who has spoken goes last
		if got := h.enter(handshaking(fmt.Sprint("198.51.100.", i))); got != want {
			t.Fatalf("newcomer %d pushed out %v, number %d", i, got.source, got.arrival)
		}
	}
	h.leave(player)
	h.leave(player)
	enter("192.0.2.1")
	if h.total != 7 {
		t.Errorf("%d are counted", h.total)
	}
}

// After a restart all players came back at once, and pushed each other out.
func TestManyAddressesWithFewEachMayBeMore(t *testing.T) {
	h := newHandshakes(2, 2*returnFactor)
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
func TestWhoHasSpokenGoesAfterWhoHasNot(t *testing.T) {
	h := newHandshakes(2, 2)
	player, silent := handshaking("192.0.2.1"), handshaking("192.0.2.2")
	h.enter(player)
	h.enter(silent)
	player.reaches(talking)
	for i := range 3 {
		newcomer := handshaking(fmt.Sprint("198.51.100.", i))
		if got := h.enter(newcomer); got != silent {
			t.Fatalf("%v had to go for number %d", got.source, i)
		}
		silent = newcomer
	}
}

// An address has few turns to exchange keys. Who has one goes after those that only talk, and these after those that have been turned away.
func TestWhoExchangesKeysGoesLast(t *testing.T) {
	h := newHandshakes(6, 6)
	for _, reached := range []step{exchanging, talking, turnedAway, silent, talking, exchanging} {
		c := handshaking("192.0.2.1")
		h.enter(c)
		c.reaches(reached)
	}
	for i, want := range []step{turnedAway, silent, talking, talking} {
		newcomer := handshaking("192.0.2.1")
		if got := h.enter(newcomer); got == newcomer || got.step() != want {
			t.Fatalf("the newcomer %d pushed out %d, step %d", i, got.arrival, got.step())
		}
		newcomer.reaches(talking)
	}
}

// Those who exchange keys and then take their time would have filled the room of their address, so that no newcomer had any to come as far.
func TestThoseWhoExchangeKeysLeaveRoomForNewcomers(t *testing.T) {
	h := newHandshakes(6, 6)
	for range 6 {
		c := handshaking("192.0.2.1")
		h.enter(c)
		c.reaches(exchanging)
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

func TestHandshakesForgetWhoHasLeft(t *testing.T) {
	h := newHandshakes(10, 10*returnFactor)
	var all []*connection
	for range 10 {
		c := handshaking("192.0.2.1")
		h.enter(c)
		all = append(all, c)
	}
	for _, c := range all {
		h.leave(c)
	}
	if h.total != 0 || len(h.from) != 0 {
		t.Errorf("%d are counted, from %d addresses", h.total, len(h.from))
	}
}

func TestSourcesAreBounded(t *testing.T) {
	s := newSources(DefaultSettings())
	address := netip.MustParseAddr("10.0.0.0")
	for range 2 * maxSources {
		s.of(netip.PrefixFrom(address, 32)).logins.Allow()
		address = address.Next()
	}
	if len(s.all) > maxSources {
		t.Errorf("%d addresses are remembered", len(s.all))
	}
}

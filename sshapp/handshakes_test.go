package sshapp

import (
	"net"
	"net/netip"
	"testing"
)

func handshaking(address string) *connection {
	return &connection{source: addressOf(&net.TCPAddr{IP: net.ParseIP(address), Port: 1})}
}

func TestAFullHouseLetsGoOfTheOldestOfTheAddressThatHoldsMost(t *testing.T) {
	h := newHandshakes(4)
	enter := func(address string) *connection {
		t.Helper()
		c := handshaking(address)
		if evicted := h.enter(c); evicted != nil {
			t.Fatalf("%v had to go for %v", evicted.source, c.source)
		}
		return c
	}
	player := enter("192.0.2.1")
	first, second, third := enter("2001:db8::1"), enter("2001:db8::2"), enter("2001:db8::3") // one household
	second.spoke.Store(true)
	for i, want := range []*connection{first, third} { // who has spoken goes last
		if got := h.enter(handshaking("198.51.100.7")); got != want {
			t.Fatalf("newcomer %d pushed out %v, number %d", i, got.source, got.arrival)
		}
	}
	h.leave(player)
	h.leave(player)
	enter("192.0.2.1")
	if h.total != 4 {
		t.Errorf("%d are counted", h.total)
	}
}

func TestAmongEqualsTheOldestGoes(t *testing.T) {
	h := newHandshakes(2)
	oldest := handshaking("192.0.2.1")
	for _, c := range []*connection{oldest, handshaking("192.0.2.2")} {
		h.enter(c)
	}
	if got := h.enter(handshaking("192.0.2.3")); got != oldest {
		t.Errorf("%v went", got.source)
	}
}

func TestHandshakesForgetWhoHasLeft(t *testing.T) {
	h := newHandshakes(10)
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

package sshapp

import (
	"fmt"
	"net"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"

	"notakto/sshapp/sshfix"
)

func handshaking(address string) *connection {
	return &connection{source: addressOf(&net.TCPAddr{IP: net.ParseIP(address), Port: 1})}
}

func TestFullPreauthEvictsTheOldestOfTheAddressThatHoldsMost(t *testing.T) {
	h := newPreauthConns(7, 7*returnFactor)
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
	household[1].setStep(talking)
	for i, want := range []*connection{household[0], household[2]} { // who has spoken goes last
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
	var flood []*connection
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
	var all []*connection
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

func TestSourcesAreBounded(t *testing.T) {
	s := newAddressLimits(DefaultSettings())
	address := netip.MustParseAddr("10.0.0.0")
	for range 2 * maxAddresses {
		s.addressLimit(netip.PrefixFrom(address, 32)).logins.Allow()
		address = address.Next()
	}
	if len(s.byNetwork) > maxAddresses {
		t.Errorf("%d addresses are remembered", len(s.byNetwork))
	}
}

// A player who read ssh's question about the host key for 12 s was cut off.
func TestALoginMayTakeTheWholeTimeWithoutLoad(t *testing.T) {
	const login, crowded = time.Minute, crowdedLogin
	for _, test := range []struct {
		name    string
		reached step
		crowd   int           // other connections, of the same address
		after   time.Duration // when they come
		want    time.Duration
	}{
		{"asks its user", exchanging, 0, 0, login},
		{"silent", silent, 0, 0, login},
		{"a few beside it", exchanging, fewPreauthConns - 1, 0, login},
		{"on a slow link", talking, 0, 0, login},
		{"many from its address", exchanging, fewPreauthConns, 0, crowded},
		{"many from its address later", silent, fewPreauthConns, 20 * time.Second, 20 * time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newPreauthConns(100, 800)
				c := loggingIn(h, login)
				c.setStep(test.reached)
				<-time.After(test.after)
				for range test.crowd {
					h.enter(handshaking("192.0.2.1"))
				}
				<-c.gone
				if took := time.Since(c.opened); took < test.want || took > test.want+loginCheckEvery+disconnectWait {
					t.Errorf("it was closed after %v, want %v", took, test.want)
				}
			})
		})
	}
}

func TestALoginIsShortWhileManyLogIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newPreauthConns(100, 800)
		for i := range 51 {
			h.enter(handshaking(fmt.Sprint("198.51.100.", i)))
		}
		c := loggingIn(h, time.Minute)
		c.setStep(exchanging)
		<-c.gone
		if took := time.Since(c.opened); took > crowdedLogin+disconnectWait {
			t.Errorf("it was closed after %v", took)
		}
	})
}

// loggingIn is a connection with so much time for its login.
func loggingIn(h *preauthConns, login time.Duration) *connection {
	c := handshaking("192.0.2.1")
	c.Conn, _ = net.Pipe()
	c.login, c.roomy, c.leavePreauth, c.opened = login, h.hasRoom, h.leave, time.Now()
	c.releaseSlot, c.onReject = func() {}, func(reason, ...any) {}
	c.preauthBudget, c.gone = sshfix.NewPreauthBudget(), make(chan struct{})
	h.enter(c)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unused = time.AfterFunc(crowdedLogin, c.overdue)
	return c
}

// 256 addresses of a /56 had 256 times the logins of a household.
func TestLoginsOfANetworkCountTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		settings := DefaultSettings()
		settings.MaxSessionsPerAddress, settings.MaxLoginRate = 2, 1
		s := newAddressLimits(settings)
		reserve := func(address string) bool {
			_, ok := s.reserve(handshaking(address).source, 1, 0, func(one *addressLimit) *rate.Limiter { return one.logins })
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

package limit

import (
	"fmt"
	"net"
	"testing"
	"testing/synctest"
)

func TestConnSlotsAreAsManyAsTheLimitSaysNow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slots, taken, stop := NewConnSlots(1), 0, make(chan struct{})
		done := make(chan struct{})
		go func() {
			defer close(done)
			for slots.Acquire(stop) {
				taken++
			}
		}()
		for _, step := range []struct {
			do          func()
			taken, used int
		}{
			{func() {}, 1, 1},
			{slots.Release, 2, 1},
			{func() { slots.SetLimit(3) }, 4, 3},
			{func() { slots.SetLimit(2) }, 4, 3},
			{slots.Release, 4, 2},
			{slots.Release, 5, 2},
		} {
			step.do()
			synctest.Wait()
			if taken != step.taken || slots.Used() != step.used {
				t.Errorf("%d were taken and %d are, want %d and %d", taken, slots.Used(), step.taken, step.used)
			}
		}
		close(stop)
		<-done
	})
}

func handshaking(address string) *PreauthConn {
	return &PreauthConn{Source: SourceAddress(&net.TCPAddr{IP: net.ParseIP(address), Port: 1})}
}

func TestFullPreauthEvictsTheOldestOfTheAddressThatHoldsMost(t *testing.T) {
	p := NewPreauthConns(7, 7*returnFactor)
	enter := func(address string) *PreauthConn {
		t.Helper()
		c := handshaking(address)
		if evicted := p.Enter(c); evicted != nil {
			t.Fatalf("%v had to go for %v", evicted.Source, c.Source)
		}
		return c
	}
	player := enter("192.0.2.1")
	var household []*PreauthConn
	for _, address := range []string{
		"2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8::4", "2001:db8::5", "2001:db8::6",
	} {
		household = append(household, enter(address)) // one /64
	}
	household[1].SetStep(Talking)
	for i, want := range []*PreauthConn{household[0], household[2]} { // the one at Talking goes last
		if got := p.Enter(handshaking(fmt.Sprint("198.51.100.", i))); got != want {
			t.Fatalf("newcomer %d pushed out %v, number %d", i, got.Source, got.arrival)
		}
	}
	p.Leave(player)
	p.Leave(player)
	enter("192.0.2.1")
	if len(p.conns) != 7 {
		t.Errorf("%d are counted", len(p.conns))
	}
	for len(p.conns) > 0 {
		p.Leave(p.conns[0])
	}
	if len(p.counts)+p.total.conns > 0 {
		t.Errorf("after all have gone, %d are counted, from %d networks", p.total.conns, len(p.counts))
	}
}

// After a restart, all players come back at once.
func TestManyAddressesWithFewEachMayBeMore(t *testing.T) {
	p := NewPreauthConns(2, 2*returnFactor)
	oldest := handshaking("192.0.2.0")
	p.Enter(oldest)
	for i := 1; i < 2*returnFactor; i++ {
		if evicted := p.Enter(handshaking(fmt.Sprint("192.0.2.", i))); evicted != nil {
			t.Fatalf("%v had to go for number %d", evicted.Source, i)
		}
	}
	if got := p.Enter(handshaking("192.0.2.99")); got != oldest {
		t.Errorf("%v went", got)
	}
}

// An address has few turns to exchange keys.
func TestWhoExchangesKeysGoesLast(t *testing.T) {
	p := NewPreauthConns(6, 6)
	for _, reached := range []Step{Exchanging, Talking, TurnedAway, Silent, Talking, Exchanging} {
		c := handshaking("192.0.2.1")
		p.Enter(c)
		c.SetStep(reached)
	}
	for i, want := range []Step{TurnedAway, Silent, Talking, Talking} {
		added := handshaking("192.0.2.1")
		if got := p.Enter(added); got == added || got.Step() != want {
			t.Fatalf("the newcomer %d pushed out %d, step %d", i, got.arrival, got.Step())
		}
		added.SetStep(Talking)
	}
}

// Otherwise slow clients that exchange keys fill the room of their address.
func TestConnectionsInKexLeaveRoomForNewOnes(t *testing.T) {
	p := NewPreauthConns(6, 6)
	for range 6 {
		c := handshaking("192.0.2.1")
		p.Enter(c)
		c.SetStep(Exchanging)
	}
	for i := range 3 {
		got := p.Enter(handshaking("192.0.2.1"))
		if got.Step() != Exchanging || got.arrival != uint64(i) {
			t.Fatalf("newcomer %d pushed out %d, step %d", i, got.arrival, got.Step())
		}
	}
	if got := p.Enter(handshaking("192.0.2.1")); got.Step() != Silent {
		t.Errorf("%d went, step %d", got.arrival, got.Step())
	}
}

// Otherwise a flood of one connection an address evicts a household with two logins at once.
func TestNetworksWithFewPreauthConnsAreEquals(t *testing.T) {
	p := NewPreauthConns(8, 8)
	var flood []*PreauthConn
	for i := range 6 {
		flood = append(flood, handshaking(fmt.Sprint("198.51.100.", i)))
		p.Enter(flood[i])
	}
	for range 2 {
		p.Enter(handshaking("192.0.2.1"))
	}
	for i := range 6 {
		if got := p.Enter(handshaking(fmt.Sprint("203.0.113.", i))); got != flood[i] {
			t.Fatalf("newcomer %d evicted a connection from %v", i, got.Source)
		}
	}
}

// Otherwise a /48, with 65,536 addresses of a /64 each, could fill the room with one connection from each.
func TestPreauthConnsOfANetworkCountTogether(t *testing.T) {
	for network, room := range map[string]int{
		"2001:db8:0:%x::1": 4 * crowdLoad, "2001:db8:0:%x00::1": 16 * crowdLoad,
	} {
		p := NewPreauthConns(room+4, returnFactor*(room+4))
		for range crowdLoad {
			p.Enter(handshaking("2001:db8:1::1"))
		}
		for i := range room {
			if evicted := p.Enter(handshaking(fmt.Sprintf(network, i))); evicted != nil {
				t.Fatalf("%s: %v was evicted", network, evicted.Source)
			}
		}
		for i := range room {
			evicted := p.Enter(handshaking(fmt.Sprintf(network, 128+i)))
			if evicted == nil || evicted.Source != SourceAddress(&net.TCPAddr{IP: net.ParseIP(fmt.Sprintf(network, i))}) {
				t.Fatalf("%s: newcomer %d evicted %v", network, i, evicted)
			}
		}
	}
}

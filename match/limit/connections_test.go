package limit

import (
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
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

// arrivals are connections from addresses that reach a step.
type arrivals struct {
	addresses string // with # for their number
	count     int
	step      Step
}

// A newcomer to a full room makes room by the connection that matters least.
func TestAFullRoomEvicts(t *testing.T) {
	const one = "192.0.2.1"
	for name, row := range map[string]struct {
		few, most    int // room for crowds, and for many addresses with few each
		there, comes []arrivals
		evicted      []uint64 // number of the arrival
	}{
		"the oldest of the address that holds most": { // of one /64, and last the one at Talking
			7, 7 * returnFactor,
			[]arrivals{
				{one, 1, Silent}, {"2001:db8::#", 1, Silent}, {"2001:db8::1#", 1, Talking}, {"2001:db8::2#", 4, Silent},
			},
			[]arrivals{{"198.51.100.#", 2, Silent}}, []uint64{1, 3},
		},
		"no address with few connections, as after a restart": {
			2, 2 * returnFactor,
			[]arrivals{{"192.0.2.#", 2 * returnFactor, Silent}}, []arrivals{{"198.51.100.#", 1, Silent}}, []uint64{0},
		},
		"who exchanges keys last, because an address has few turns": {
			6, 6,
			[]arrivals{
				{one, 1, Exchanging}, {one, 1, Talking}, {one, 1, TurnedAway}, {one, 1, Silent}, {one, 1, Talking},
				{one, 1, Exchanging},
			},
			[]arrivals{{one, 4, Talking}}, []uint64{2, 3, 1, 4},
		},
		"those in an exchange, so that new ones have room": {
			6, 6, []arrivals{{one, 6, Exchanging}}, []arrivals{{one, 4, Silent}}, []uint64{0, 1, 2, 6},
		},
		"a flood from many addresses before a household with two logins": {
			8, 8, []arrivals{{"198.51.100.#", 6, Silent}, {one, 2, Silent}},
			[]arrivals{{"203.0.113.#", 6, Silent}}, []uint64{0, 1, 2, 3, 4, 5},
		},
	} {
		p := NewPreauthConns(row.few, row.most)
		enter := func(all []arrivals) (evicted []uint64) {
			for _, a := range all {
				for i := range a.count {
					c := handshaking(strings.ReplaceAll(a.addresses, "#", strconv.Itoa(i)))
					if gone := p.Enter(c); gone != nil {
						evicted = append(evicted, gone.arrival)
					}
					c.SetStep(a.step)
				}
			}
			return evicted
		}
		if evicted := enter(row.there); len(evicted) > 0 {
			t.Errorf("%s: %v had to go while there was room", name, evicted)
		}
		if evicted := enter(row.comes); !slices.Equal(evicted, row.evicted) {
			t.Errorf("%s: %v had to go, want %v", name, evicted, row.evicted)
		}
		for len(p.conns) > 0 {
			c := p.conns[0]
			p.Leave(c)
			p.Leave(c)
		}
		if len(p.counts)+p.total.conns != 0 {
			t.Errorf("%s: after all have gone, %d are counted, from %d networks", name, p.total.conns, len(p.counts))
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

//go:build attack

package main

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"notakto/internal/attack/players"
)

func farAttacks() []attack {
	return []attack{{
		name: "rtt", memory: 30, visitors: inPairs, fair: true, run: (*enemy).floodFromNetwork,
		holds: "a flood of one connection an address lets in two logins at once from one honest address, over any link",
	}}
}

// floodFromNetwork floods from all addresses of a network: none of them ever holds more than one connection.
func (e *enemy) floodFromNetwork() error {
	const addresses, each = 5_000, 1_500
	return e.flood(e.attackFor(5), func(n int) net.IP { return spread(n % addresses) }, each, "")
}

// roundTrips returns the round-trip times of honest players' links.
func roundTrips() []time.Duration {
	return []time.Duration{20 * time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond, 300 * time.Millisecond}
}

// couples are pairs of honest players who log in at once from one address, as in one household, over links with several
// round-trip times.
type couples struct {
	server string

	mu       sync.Mutex
	in, all  map[time.Duration]int // pairs of which both logged in, and all, by the round-trip time
	failures []string
}

// come starts couples until open ends. Those under way then have until ctx ends.
func (c *couples) come(ctx, open context.Context) {
	const homes = 4 // for each round-trip time
	c.in, c.all = map[time.Duration]int{}, map[time.Duration]int{}
	var running sync.WaitGroup
	defer running.Wait()
	for i, roundTrip := range roundTrips() {
		address, err := startRelay(ctx, c.server, roundTrip)
		if err != nil {
			c.failures = append(c.failures, err.Error())
			return
		}
		for home := range homes {
			source := net.IPv4(127, 0, 4, byte(1+homes*i+home))
			running.Go(func() {
				for n := 0; open.Err() == nil; n++ {
					c.visit(ctx, source, address, roundTrip, n)
					<-time.After(visitPause)
				}
			})
		}
	}
}

// visit logs a couple in once.
func (c *couples) visit(ctx context.Context, source net.IP, address string, roundTrip time.Duration, n int) {
	var errs [2]error
	var both sync.WaitGroup
	for i := range errs {
		both.Go(func() {
			errs[i] = players.Visit(ctx, source, address, players.Key(4_000_000+1_000_000*i+1_000*int(source.To4()[3])+n))
		})
	}
	both.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all[roundTrip]++
	if errs[0] == nil && errs[1] == nil {
		c.in[roundTrip]++
		return
	}
	c.failures = append(c.failures, fmt.Sprintf("%v, %v", errs[0], errs[1]))
}

// evaluate adds how many logged in, and a fault if fewer than 95 % did.
func (c *couples) evaluate(v *verdict) {
	var figures []string
	in, all := 0, 0
	for _, roundTrip := range roundTrips() {
		in, all = in+c.in[roundTrip], all+c.all[roundTrip]
		figures = append(figures, fmt.Sprintf("%v %d/%d", roundTrip, c.in[roundTrip], c.all[roundTrip]))
	}
	v.visits = "; pairs of logins by the round-trip time " + strings.Join(figures, ", ")
	if 100*in < 95*all || all == 0 {
		slices.Sort(c.failures)
		v.fault("%d of %d pairs got in, of the others for example: %s", in, all, c.failures[len(c.failures)/2])
	}
}

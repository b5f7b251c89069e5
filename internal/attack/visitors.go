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

	"notakto/internal/rig"
)

const (
	visitPause = 100 * time.Millisecond
	comeBack   = time.Second      // pause after a rejection
	waitsFor   = 15 * time.Second // time after the attack for the last logins
)

// visitors are players that log in to one server during an attack. A visitor at the attacker's address tries again
// after a rejection.
type visitors struct {
	from    visitorSource
	address string

	running  sync.WaitGroup
	mu       sync.Mutex
	took     rig.Times // of successful logins
	firstTry int       // logins at the first try
	faults   []string
}

// come starts a visitor each visitPause until open ends, for the servers in turn. A login that is unfinished at the
// end of ctx has failed.
func come(ctx, open context.Context, to ...*visitors) {
	for n := 0; open.Err() == nil; n++ {
		v := to[n%len(to)]
		v.running.Go(func() { v.visit(ctx, n) })
		select {
		case <-open.Done():
		case <-time.After(visitPause):
		}
	}
}

func (v *visitors) visit(ctx context.Context, n int) {
	at := net.IPv4(127, 0, 2, byte(1+n%250))
	if v.from == beside {
		at = source(0)
	}
	begun := time.Now()
	tries := 1
	err := rig.Visit(ctx, at, v.address, rig.Key(2_000_000+n))
	for ; err != nil && ctx.Err() == nil && v.from == beside; tries++ {
		<-time.After(comeBack)
		err = rig.Visit(ctx, at, v.address, rig.Key(2_000_000+n))
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if err != nil {
		v.faults = append(v.faults, fmt.Sprintf("a login failed after %.1f s: %v", time.Since(begun).Seconds(), err))
		return
	}
	v.took = append(v.took, time.Since(begun))
	if tries == 1 {
		v.firstTry++
	}
}

// wait waits for the last visitor and returns the durations of the successful logins.
func (v *visitors) wait() rig.Times {
	v.running.Wait()
	slices.Sort(v.took)
	return v.took
}

// roundTrips returns the round-trip times of honest players' links.
func roundTrips() []time.Duration {
	return []time.Duration{20 * time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond, 300 * time.Millisecond}
}

// couples are pairs of honest players that log in at once from one address, as at home, over links with several
// round-trip times.
type couples struct {
	server string

	mu       sync.Mutex
	in, all  map[time.Duration]int // pairs with two successful logins, and all pairs, by round-trip time
	failures []string
}

// come starts pairs of logins until open ends, and waits for the last pairs. The end of ctx cuts them.
func (c *couples) come(ctx, open context.Context) {
	const homes = 4 // addresses per round-trip time
	c.in, c.all = map[time.Duration]int{}, map[time.Duration]int{}
	var running sync.WaitGroup
	defer running.Wait()
	for i, roundTrip := range roundTrips() {
		address, err := rig.StartRelay(ctx, c.server, roundTrip)
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

func (c *couples) visit(ctx context.Context, source net.IP, address string, roundTrip time.Duration, n int) {
	var errs [2]error
	var both sync.WaitGroup
	for i := range errs {
		both.Go(func() {
			errs[i] = rig.Visit(ctx, source, address, rig.Key(4_000_000+1_000_000*i+1_000*int(source.To4()[3])+n))
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

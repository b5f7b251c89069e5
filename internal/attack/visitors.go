//go:build attack

package main

import (
	"context"
	"fmt"
	"net"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"notakto/internal/rig"
)

const (
	visitPause = 100 * time.Millisecond
	comeBack   = time.Second      // pause after a rejection
	waitsFor   = 15 * time.Second // time after the attack for the last logins
)

// visitorSource says where additional players log in from during an attack.
type visitorSource int

const (
	noVisitor visitorSource = iota
	elsewhere               // each from a different address
	beside                  // from the attacker's address; a visitor tries again after a rejection
	inPairs                 // two players at once from one address, as at home, over slow links
)

// visitors are players that log in to one server during an attack.
type visitors struct {
	from    visitorSource
	address string
	links   []string // addresses of the relays for inPairs, with different round-trip times

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
		v.running.Go(func() { v.visit(ctx, n/len(to)) })
		select {
		case <-open.Done():
		case <-time.After(visitPause):
		}
	}
}

// startLinks starts the relays for visitors in pairs. They end with ctx.
func (v *visitors) startLinks(ctx context.Context) error {
	for _, ms := range []time.Duration{20, 50, 100, 300} {
		link, err := rig.StartRelay(ctx, v.address, ms*time.Millisecond)
		if err != nil {
			return err
		}
		v.links = append(v.links, link)
	}
	return nil
}

// logIn logs in visitor n. With inPairs a visitor is two players.
func (v *visitors) logIn(ctx context.Context, n int) error {
	const homes = 16
	switch v.from {
	case beside:
		return rig.Visit(ctx, source(0), v.address, rig.Key(2_000_000+n))
	case inPairs:
		var both errgroup.Group
		for i := range 2 {
			both.Go(func() error {
				home := net.IPv4(127, 0, 4, byte(1+n%homes))
				return rig.Visit(ctx, home, v.links[n%len(v.links)], rig.Key(4_000_000+2*n+i))
			})
		}
		return both.Wait()
	default:
		return rig.Visit(ctx, net.IPv4(127, 0, 2, byte(1+n%250)), v.address, rig.Key(2_000_000+n))
	}
}

func (v *visitors) visit(ctx context.Context, n int) {
	begun := time.Now()
	tries := 1
	err := v.logIn(ctx, n)
	for ; err != nil && ctx.Err() == nil && v.from == beside; tries++ {
		<-time.After(comeBack)
		err = v.logIn(ctx, n)
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

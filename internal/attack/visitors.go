//go:build attack

package main

import (
	"context"
	"fmt"
	"net"
	"slices"
	"sync"
	"time"

	"notakto/internal/attack/players"
)

const (
	visitPause = 100 * time.Millisecond
	comeBack   = time.Second      // delay after a rejection
	waitsFor   = 15 * time.Second // limit after the attack
)

// visitors log in during an attack, one after the other whether the previous one has succeeded or not. A rejected one
// tries again.
type visitors struct {
	from    from
	address string

	running sync.WaitGroup
	mu      sync.Mutex
	took    players.Times // of those who logged in
	at      int           // how many logged in at the first try
	faults  []string
}

// come starts visitors until open ends, to one server after the other. Those not logged in when ctx ends have failed.
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
	for try := 1; ; try++ {
		err := players.Visit(ctx, at, v.address, players.Key(2_000_000+n))
		v.mu.Lock()
		switch {
		case err == nil:
			v.took = append(v.took, time.Since(begun))
			if try == 1 {
				v.at++
			}
		case ctx.Err() != nil || v.from != beside:
			v.faults = append(v.faults, fmt.Sprintf("a login failed after %.1f s: %v", time.Since(begun).Seconds(), err))
		default:
			v.mu.Unlock()
			<-time.After(comeBack)
			continue
		}
		v.mu.Unlock()
		return
	}
}

// wait waits for the last of them, and returns the durations of all successful logins.
func (v *visitors) wait() players.Times {
	v.running.Wait()
	slices.Sort(v.took)
	return v.took
}

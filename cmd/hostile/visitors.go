//go:build hostile

package main

import (
	"context"
	"fmt"
	"net"
	"slices"
	"sync"
	"time"

	"notakto/cmd/hostile/honest"
)

const (
	visitPause = 100 * time.Millisecond
	comeBack   = time.Second      // after a refusal
	waitsFor   = 15 * time.Second // after the attack
)

// visitors are people who log in while an attack goes on, one after the other whether the one before has got in or not. Who is refused
// comes back.
type visitors struct {
	from    from
	address string

	running sync.WaitGroup
	mu      sync.Mutex
	took    honest.Times // of who got in
	at      int          // of them, at the first try
	faults  []string
}

// come has visitors come until open ends; whoever is not inside by the time that ctx ends has not got in.
func (v *visitors) come(ctx, open context.Context) {
	for n := 0; open.Err() == nil; n++ {
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
		err := honest.Visit(ctx, at, v.address, honest.Key(2_000_000+n))
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

// judge is what became of the visitors, and what is wrong with it.
func (v *visitors) judge(usual honest.Times, slack time.Duration) (figure string, faults []string) {
	v.running.Wait()
	slices.Sort(v.took)
	all := len(v.took) + len(v.faults)
	figure = fmt.Sprintf("logins %d of %d, at once %d, ms %v", len(v.took), all, v.at, v.took)
	if n := len(v.faults); n > 0 {
		faults = append(faults, fmt.Sprintf("%d of %d logins failed, such as: %s", n, all, v.faults[0]))
	}
	switch p99, most := v.took.Tail(), usual.Tail()+slack; {
	case v.from == beside && 2*v.at < all:
		faults = append(faults, fmt.Sprintf("%d of %d logins at the attacker's address succeeded at once", v.at, all))
	case v.from == elsewhere && p99 > most:
		faults = append(faults, fmt.Sprintf("the p99 of logins is %v, over %v", p99.Round(time.Millisecond), most.Round(time.Millisecond)))
	}
	return figure, faults
}

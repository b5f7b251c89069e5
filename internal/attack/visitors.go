//go:build attack

package main

import (
	"context"
	"fmt"
	"net"
	"slices"
	"sync"
	"time"

	"notakto/internal/rig"
)

const (
	visitPause = 100 * time.Millisecond
	retryPause = time.Second      // after a rejection
	lastLogins = 15 * time.Second // time after the attack for the last logins
)

// visitorSource says where additional players log in from during an attack.
type visitorSource int

const (
	noVisitor visitorSource = iota
	elsewhere               // each from a different address
	beside                  // from the attacker's address; a visitor tries again after a rejection
)

// visitors are players that log in to one server during an attack.
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
		v.running.Go(func() { v.visit(ctx, n/len(to)) })
		select {
		case <-open.Done():
		case <-time.After(visitPause):
		}
	}
}

func (v *visitors) visit(ctx context.Context, n int) {
	visitor := rig.Client{
		Source: net.IPv4(127, 0, 2, byte(1+n%250)), Address: v.address, User: "dave", Key: rig.Key(2_000_000 + n),
	}
	if v.from == beside {
		visitor.Source = source(0)
	}
	begun, tries := time.Now(), 1
	err := visitor.Visit(ctx)
	for ; err != nil && ctx.Err() == nil && v.from == beside; tries++ {
		<-time.After(retryPause)
		err = visitor.Visit(ctx)
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

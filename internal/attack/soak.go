//go:build attack

package main

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"notakto/internal/attack/players"
)

const (
	soakPairs  = 99               // besides the one that is always there
	soakPause  = 12 * time.Second // until matches are over: three times the grace period, for slow disks
	usualPause = time.Second      // of the honest players after a move
	warmUp     = 10               // the part of a soak in which the server grows to its usual size: one of so many
	fewMatches = 50_000           // from which a slope is significant: two hours at the usual pace
	mostGrowth = 0.04             // MB per 1,000 matches
)

// soak runs attacks one after another on one server until the time is over, and evaluates their long-term effect.
func (t *trial) soak(ctx context.Context) error {
	if err := t.undisturbed(ctx); err != nil {
		return err
	}
	r, err := t.open(ctx, attack{name: "soak"}, players.Load{Pairs: soakPairs, Pause: t.pause})
	if err != nil {
		return err
	}
	r.begin()
	t.usual = float64(runtime.NumCPU()) // all cores: a soak does not evaluate an attack's CPU
	v := &verdict{attack: r.attack, begun: time.Now(), filesBefore: r.files}
	var all []reading
	var reading sync.WaitGroup
	watch, enough := context.WithCancel(ctx)
	reading.Go(func() { all = r.server.readings(watch) })
	attacks := t.rotate(ctx, v, r)
	enough()
	reading.Wait()
	v.took, v.alive = time.Since(v.begun), r.server.alive()
	fmt.Fprintf(t.out, "soak: %d attacks in %.1f min\n", attacks, v.took.Minutes())
	t.evaluateSoak(v, r, all[len(all)/warmUp:])
	return nil
}

// rotate runs attacks until the time is over.
func (t *trial) rotate(ctx context.Context, v *verdict, r *round) (attacks int) {
	all := t.chosen()
	for ; time.Since(v.begun) < t.lasting && ctx.Err() == nil && r.server.alive(); attacks++ {
		r.attack = all[attacks%len(all)]
		said, err := t.attackWith(ctx, r)
		if err != nil {
			v.fault("%s: %v", r.name, err)
		}
		for _, fault := range said.Faults {
			v.fault("%s: %s", r.name, fault)
		}
		r.settle(t.limit())
		<-time.After(soakPause)
		t.tell(said.Faults)
		fmt.Fprintf(t.out, "%6.1f min %-18s %d faults, %.1f MB, %d files, %d matches\n",
			time.Since(v.begun).Minutes(), r.name, len(said.Faults), mb(r.server.memory()), r.server.files(),
			r.server.ended.Load())
	}
	r.attack = v.attack
	return attacks
}

// evaluateSoak prints how the server's use grew, and the faults.
func (t *trial) evaluateSoak(v *verdict, r *round, all []reading) {
	_, faults := r.party.Moves.Since(r.moves)
	_, more := r.party.Keys.Since(r.keys)
	v.Faults = append(append(v.Faults, faults...), more...)
	for _, pair := range r.party.Load {
		_, faults := pair.Since(players.Mark{})
		v.Faults = append(v.Faults, faults...)
	}
	v.files = r.server.files()
	var err error
	if v.goroutines, err = r.leave(t); err != nil {
		v.fault("%v", err)
	}
	v.Faults = append(v.Faults, r.server.logFaults()...)
	growth, matches := slope(all), 0
	if len(all) > 0 {
		matches = all[len(all)-1].matches - all[0].matches
	}
	fmt.Fprintf(t.out, "     memory %+.3f MB per 1,000 of %d matches, files %+d, goroutines %+d\n", growth, matches,
		v.files-v.filesBefore, v.goroutines-t.goroutines)
	switch {
	case matches < fewMatches:
		fmt.Fprintf(t.out, "     which is not judged: it takes %d matches, and so a longer -for or a shorter -pause\n",
			fewMatches)
	case growth > mostGrowth:
		v.fault("the memory grows by %.3f MB per 1,000 matches", growth)
	}
	v.excess(t.goroutines)
	t.verdicts++
	if len(v.Faults) > 0 {
		t.failures = append(t.failures, "soak")
	}
	t.tell(v.Faults)
}

// reading is the use of a server at a time.
type reading struct {
	memory  float64 // MB
	matches int     // that have ended
}

// readings takes a reading once a second until ctx ends.
func (s *server) readings(ctx context.Context) (all []reading) {
	clock := time.NewTicker(time.Second)
	defer clock.Stop()
	for {
		select {
		case <-clock.C:
			all = append(all, reading{mb(s.memory()), int(s.ended.Load())})
		case <-ctx.Done():
			return all
		}
	}
}

// slope returns the growth in MB per 1,000 matches, by least squares; 0 if no match has ended.
func slope(all []reading) float64 {
	var n, x, y, xx, xy float64
	for _, r := range all {
		thousands := float64(r.matches) / 1000
		n, x, y, xx, xy = n+1, x+thousands, y+r.memory, xx+thousands*thousands, xy+thousands*r.memory
	}
	if below := n*xx - x*x; below > 0 {
		return (n*xy - x*y) / below
	}
	return 0
}

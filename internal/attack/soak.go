//go:build attack

package main

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"notakto/internal/rig"
	"notakto/match"
)

const (
	soakPairs  = 99               // additional pairs of honest bots
	soakPause  = 12 * time.Second // for matches to end, three grace periods because of slow disks
	movePause  = time.Second      // of the honest players after a move
	warmUp     = 10               // a tenth of a soak is not judged, because the server still grows to its usual size
	fewMatches = 50_000           // two hours at movePause, fewer matches give no significant slope
	mostGrowth = 0.04             // MB per 1,000 matches
)

// amendments make the machine of a soak unsteady. Every twenty minutes the clock jumps an hour ahead. In one minute
// of twenty each commit takes 20 ms more, as on a slow disk. The monotonic clock does not jump.
var amendments = [...]rig.Change{
	rig.ShiftClock("mono / 1200e9 * 3600"),
	{File: "database/sql/sql.go",
		From: "func (s *Stmt) ExecContext(ctx context.Context, args ...any) (Result, error) {\n",
		To: "func (s *Stmt) ExecContext(ctx context.Context, args ...any) (Result, error) {\n" +
			"\tif s.query == \"COMMIT\" && time.Now().Unix()/60%20 == 19 {\n" +
			"\t\ttime.Sleep(20 * time.Millisecond)\n\t}\n"},
}

// soak runs attacks on one server in rotation until the time is over. A soak looks for resources that a server never
// gives back, and does not judge an attack's times.
func (t *trial) soak(ctx context.Context) error {
	if err := t.undisturbed(ctx); err != nil {
		return err
	}
	r, err := t.open(ctx, attack{name: "soak"}, rig.Load{Pairs: soakPairs, Pause: movePause})
	if err != nil {
		return err
	}
	r.begin()
	t.usual = float64(runtime.NumCPU()) // no attack can use more, and thus its processor time is not judged
	var all []reading
	var watching sync.WaitGroup
	watch, enough := context.WithCancel(ctx)
	watching.Go(func() { all = r.readings(watch) })
	attacks := t.rotate(ctx, r)
	enough()
	watching.Wait()
	t.read(r)
	for _, pair := range r.party.Load {
		_, faults := pair.Since(rig.Mark{})
		r.Faults = append(r.Faults, faults...)
	}
	t.close(r)
	fmt.Fprintf(t.out, "soak: %d attacks in %.1f min\n", attacks, time.Since(r.begun).Minutes())
	t.evaluateSoak(r, all[len(all)/warmUp:])
	return nil
}

// rotate runs the chosen attacks in turn until the time is over, and returns their number.
func (t *trial) rotate(ctx context.Context, r *round) (attacks int) {
	all := t.chosen()
	for ; time.Since(r.begun) < t.lasting && ctx.Err() == nil && !r.server.HasEnded(); attacks++ {
		a := all[attacks%len(all)]
		said, err := t.attackWith(ctx, r, a)
		if err != nil {
			r.fault("%s: %v", a.name, err)
		}
		for _, fault := range said.Faults {
			r.fault("%s: %s", a.name, fault)
		}
		r.settle(t.limit())
		_ = match.Sleep(ctx, soakPause)
		t.printFaults(said.Faults)
		now := r.server.Figures()
		fmt.Fprintf(t.out, "%6.1f min %-18s %d faults, %.1f MB, %d files, %d matches\n",
			time.Since(r.begun).Minutes(), a.name, len(said.Faults), mb(now.Memory), now.Files, r.ended.Load())
	}
	return attacks
}

// evaluateSoak judges the growth of the memory, and prints it with the faults.
func (t *trial) evaluateSoak(r *round, all []reading) {
	growth, matches := slope(all), 0
	if len(all) > 0 {
		matches = all[len(all)-1].matches - all[0].matches
	}
	fmt.Fprintf(t.out, "     memory %+.3f MB per 1,000 of %d matches, files %+d, goroutines %+d\n", growth, matches,
		r.after.Files-r.before.Files, r.goroutines)
	switch {
	case matches < fewMatches:
		fmt.Fprintf(t.out, "     not judged: it needs %d matches, use a longer -for\n", fewMatches)
	case growth > mostGrowth:
		r.fault("the memory grows by %.3f MB per 1,000 matches", growth)
	}
	t.count(r)
	t.printFaults(r.Faults)
}

// reading is a measurement of a server.
type reading struct {
	memory  float64 // MB
	matches int     // ended since the start
}

// readings takes a reading once a second until ctx ends.
func (r *round) readings(ctx context.Context) (all []reading) {
	clock := time.NewTicker(time.Second)
	defer clock.Stop()
	for {
		select {
		case <-clock.C:
			all = append(all, reading{mb(r.server.Figures().Memory), int(r.ended.Load())})
		case <-ctx.Done():
			return all
		}
	}
}

// slope returns the growth in MB per 1,000 matches, by least squares. Readings without an ended match give 0.
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

//go:build hostile

package main

import (
	"context"
	"fmt"
	"time"

	"notakto/cmd/hostile/honest"
)

const (
	soakPairs  = 99              // beside the one that never pauses
	soakPause  = 5 * time.Second // after an attack, before the server is looked at
	longEnough = time.Hour       // for a slope to say something: what was thrown away comes and goes by megabytes
	mostGrowth = 1.0             // MB an hour
)

// sample is what a server takes at a time.
type sample struct {
	at    time.Duration
	value float64
}

// soak has the attacks follow each other on one server until the time is over, and judges what they leave behind in the long run.
func (t *trial) soak(ctx context.Context) error {
	r, err := t.open(ctx, attack{name: "soak"}, soakPairs)
	if err != nil {
		return err
	}
	r.begin()
	v := &verdict{attack: r.attack, begun: time.Now(), filesBefore: r.files}
	all := t.chosen()
	var memory, files []sample
	for n := 0; time.Since(v.begun) < t.lasting && ctx.Err() == nil && r.server.alive(); n++ {
		r.attack = all[n%len(all)]
		said, err := t.attackWith(ctx, r)
		if err != nil {
			v.fault("%s: %v", r.name, err)
		}
		for _, fault := range said.Faults {
			v.fault("%s: %s", r.name, fault)
		}
		<-time.After(soakPause)
		now := time.Since(v.begun)
		memory, files = append(memory, sample{now, mb(r.server.memory())}), append(files, sample{now, float64(r.server.files())})
		fmt.Fprintf(t.out, "%6.1f min %-13s %d faults, %.1f MB, %d files\n",
			now.Minutes(), r.name, len(said.Faults), mb(r.server.memory()), r.server.files())
	}
	v.took, v.alive = time.Since(v.begun), r.server.alive()
	t.judgeSoak(v, r, memory, files)
	return nil
}

// judgeSoak prints the slopes from the end of the first rotation on, in which the server takes what it will take, and what is wrong.
func (t *trial) judgeSoak(v *verdict, r *round, memory, files []sample) {
	_, faults := r.party.Moves.Since(r.moves)
	_, more := r.party.Keys.Since(r.keys)
	v.Faults = append(append(v.Faults, faults...), more...)
	for _, pair := range r.party.Crowd {
		_, faults := pair.Since(honest.Mark{})
		v.Faults = append(v.Faults, faults...)
	}
	v.files, r.attack = r.server.files(), v.attack
	var err error
	if v.goroutines, err = r.leave(t); err != nil {
		v.fault("%v", err)
	}
	v.Faults = append(v.Faults, r.server.logFaults()...)
	first := min(len(t.chosen()), len(memory)/2)
	growth := slope(memory[first:])
	fmt.Fprintf(t.out, "soak: %d attacks in %.1f min; memory %+.2f MB an hour, files %+.2f an hour, %+d at the end, goroutines %+d\n",
		len(memory), v.took.Minutes(), growth, slope(files[first:]), v.files-v.filesBefore, v.goroutines-t.goroutines)
	if growth > mostGrowth && v.took > longEnough {
		v.fault("the memory grows by %.1f MB an hour", growth)
	}
	v.excess(t.goroutines)
	t.judged++
	if len(v.Faults) > 0 {
		t.failures = append(t.failures, "soak")
	}
	t.tell(v.Faults)
}

// slope is how much the values grow in an hour, by least squares; 0 for fewer than two.
func slope(samples []sample) float64 {
	var n, x, y, xx, xy float64
	for _, s := range samples {
		at := s.at.Hours()
		n, x, y, xx, xy = n+1, x+at, y+s.value, xx+at*at, xy+at*s.value
	}
	if below := n*xx - x*x; below > 0 {
		return (n*xy - x*y) / below
	}
	return 0
}

//go:build attack

package main

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"notakto/internal/attack/players"
)

const (
	soakPairs  = 99               // besides the one that is always there
	soakPause  = 12 * time.Second // until matches are over: three times the grace period, for slow disks
	usualPause = time.Second      // of the honest players after a move; a block of the archive then takes an hour
	fewBlocks  = 3                // from which a slope is significant
	mostGrowth = 1.0              // MB per block, and so per hour
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
	t.evaluateSoak(v, r, perBlock(all))
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
		fmt.Fprintf(t.out, "%6.1f min %-18s %d faults, %.1f MB, %d files, block %d\n",
			time.Since(v.begun).Minutes(), r.name, len(said.Faults), mb(r.server.memory()), r.server.files(), r.server.blocks())
	}
	r.attack = v.attack
	return attacks
}

// evaluateSoak prints the server's use while each whole block of the archive was written, and the faults.
func (t *trial) evaluateSoak(v *verdict, r *round, blocks []reading) {
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
	for _, b := range blocks {
		fmt.Fprintf(t.out, "     block %d of the archive, about %.0f min: %.1f MB on the average\n", b.blocks,
			b.at.Minutes(), b.memory)
	}
	growth := slope(blocks)
	fmt.Fprintf(t.out, "     memory %+.2f MB a block, files %+d, goroutines %+d\n", growth, v.files-v.filesBefore,
		v.goroutines-t.goroutines)
	switch {
	case len(blocks) < fewBlocks:
		fmt.Fprintf(t.out,
			"     which is not judged: it takes %d whole blocks, and so a longer -for or a shorter -pause\n", fewBlocks)
	case growth > mostGrowth:
		v.fault("the memory grows by %.1f MB a block", growth)
	}
	v.excess(t.goroutines)
	t.verdicts++
	if len(v.Faults) > 0 {
		t.failures = append(t.failures, "soak")
	}
	t.tell(v.Faults)
}

// reading is the use of a server at a time, and the number of blocks of its archive.
type reading struct {
	at     time.Duration
	memory float64 // MB
	blocks int
}

// readings takes a reading once a second until ctx ends.
func (s *server) readings(ctx context.Context) (all []reading) {
	begun := time.Now()
	clock := time.NewTicker(time.Second)
	defer clock.Stop()
	for {
		select {
		case <-clock.C:
			all = append(all, reading{time.Since(begun), mb(s.memory()), s.blocks()})
		case <-ctx.Done():
			return all
		}
	}
}

// blocks returns the number of files of the archive: the journal's server never deletes one, and starts a new one at 8
// MB.
func (s *server) blocks() int {
	found, _ := filepath.Glob(filepath.Join(s.data, "journal", "jetstream", "*", "streams", "ARCHIVE", "msgs", "*.blk"))
	return len(found)
}

// perBlock returns the means over the time in which each block of the archive was written, except the first, in which
// the server grows to its usual size, and the last, which is not full. The journal's server has the block that it
// writes in memory, so its memory rises and falls with it, and only whole blocks compare.
func perBlock(all []reading) (means []reading) {
	for begun := 0; begun < len(all); {
		end, sum := begun, reading{blocks: all[begun].blocks}
		for ; end < len(all) && all[end].blocks == sum.blocks; end++ {
			sum.at += all[end].at
			sum.memory += all[end].memory
		}
		n := end - begun
		means = append(means, reading{sum.at / time.Duration(n), sum.memory / float64(n), sum.blocks})
		begun = end
	}
	if len(means) < 3 {
		return nil
	}
	return means[1 : len(means)-1]
}

// slope returns the growth in MB per block, by least squares; 0 for fewer than two readings.
func slope(all []reading) float64 {
	var n, x, y, xx, xy float64
	for _, r := range all {
		block := float64(r.blocks)
		n, x, y, xx, xy = n+1, x+block, y+r.memory, xx+block*block, xy+block*r.memory
	}
	if below := n*xx - x*x; below > 0 {
		return (n*xy - x*y) / below
	}
	return 0
}

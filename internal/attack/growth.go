//go:build attack

package main

import (
	"context"
	"path/filepath"
	"time"
)

// reading is what a server takes at a time, and how many blocks its archive has.
type reading struct {
	at     time.Duration
	memory float64 // MB
	blocks int
}

// readings reads once a second until ctx ends.
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

// blocks returns how many files the archive has: the journal's server never deletes one, and begins another at 8 MB.
func (s *server) blocks() int {
	found, _ := filepath.Glob(filepath.Join(s.data, "journal", "jetstream", "*", "streams", "ARCHIVE", "msgs", "*.blk"))
	return len(found)
}

// perBlock returns the means over the time in which each block of the archive was written, but for the first, in which
// the server takes what it will take, and the last, which is not full. The journal's server has the block that it
// writes in memory: what it takes goes up and down by that, and only whole blocks compare.
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

// slope returns how many MB more there are with each block, by least squares; 0 for fewer than two readings.
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

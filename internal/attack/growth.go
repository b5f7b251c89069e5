//go:build attack

package main

import (
	"context"
	"path/filepath"
	"time"
)

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

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"notakto/internal/rig"
)

// measureMoves has pairs of bots play matches on nine boards, and returns the moves a second that the server has
// recorded and told to both players. syncs is the number of small writes a second that the disk can sync one after the
// other.
func (o *options) measureMoves(ctx context.Context) (moves, syncs float64, err error) {
	data, err := os.MkdirTemp(o.dir, "moves")
	if err != nil {
		return 0, 0, err
	}
	if syncs, err = countSyncs(filepath.Join(data, "syncs")); err != nil {
		return 0, 0, err
	}
	s := o.startNotakto(ctx, data)
	defer func() {
		s.stop(syscall.SIGKILL)
		err = s.err
	}()
	ctx, cancel := context.WithCancel(ctx)
	var playing sync.WaitGroup
	defer playing.Wait()
	var pairs []*rig.Pair
	for n := 0; n < o.matches && s.err == nil; n++ {
		var pair *rig.Pair
		if pair, s.err = (rig.Client{Address: s.Address("address")}).Pair(ctx, n); s.err == nil {
			defer pair.Leave()
			pair.Variant = "notakto/9"
			pairs = append(pairs, pair)
			playing.Go(func() { pair.Run(ctx) })
		}
	}
	defer cancel() // before the bots leave, so that their end is no fault
	told := func() (n int64) {
		for _, pair := range pairs {
			n += pair.Moves.Load()
		}
		return n
	}
	s.pause(rest) // the matches begin
	s.used("moves", func() {
		before, began := told(), time.Now()
		s.pause(o.window())
		moves = float64(told()-before) / time.Since(began).Seconds()
	})
	for _, pair := range pairs {
		if _, faults := pair.Since(rig.Mark{}); len(faults) > 0 {
			fmt.Fprintln(o.progress, faults)
		}
	}
	return moves, syncs, nil
}

// countSyncs writes and syncs a page again and again for a second.
func countSyncs(name string) (float64, error) {
	file, err := os.Create(name)
	if err != nil {
		return 0, err
	}
	defer func() { _ = file.Close() }()
	page, count, began := make([]byte, 4096), 0, time.Now()
	for ; time.Since(began) < time.Second; count++ {
		if _, err := file.Write(page); err != nil {
			return 0, err
		}
		if err := file.Sync(); err != nil {
			return 0, err
		}
	}
	return float64(count) / time.Since(began).Seconds(), nil
}

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"notakto/internal/interrupt"
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
	s, err := o.startNotakto(ctx, data)
	if err != nil {
		return 0, 0, err
	}
	defer func() { _ = s.Stop(syscall.SIGKILL) }()
	ctx, cancel := context.WithCancel(ctx)
	var playing sync.WaitGroup
	defer playing.Wait()
	pairs := make([]*rig.Pair, o.matches)
	for n := range pairs {
		if pairs[n], err = (rig.Client{Address: s.Address("address")}).Pair(ctx, n); err != nil {
			cancel()
			return 0, 0, err
		}
		defer pairs[n].Leave()
		pairs[n].Variant = "notakto/9"
		playing.Go(func() { pairs[n].Run(ctx) })
	}
	defer cancel() // before the bots leave, so that their end is no fault
	told := func() (n int64) {
		for _, pair := range pairs {
			n += pair.Moves.Load()
		}
		return n
	}
	if err := interrupt.Pause(ctx, rest); err != nil { // the matches begin
		return 0, 0, err
	}
	_, err = o.used(ctx, s, "moves", func() error {
		before, began := told(), time.Now()
		err := interrupt.Pause(ctx, o.window())
		moves = float64(told()-before) / time.Since(began).Seconds()
		return err
	})
	for _, pair := range pairs {
		if _, faults := pair.Since(rig.Mark{}); len(faults) > 0 {
			fmt.Fprintln(o.progress, faults)
		}
	}
	return moves, syncs, err
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

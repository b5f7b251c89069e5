package main

import (
	"context"
	"math"
	"sync"
	"time"
)

// times collects how long keys took to be answered. Its methods are safe for concurrent use.
type times struct {
	epoch time.Time
	done  chan struct{} // one slot; has a value after the last open key was answered

	mu    sync.Mutex
	open  int // keys without an answer
	taken []time.Duration
}

func newTimes() *times { return &times{epoch: time.Now(), done: make(chan struct{}, 1)} }

// now returns a time that is never 0, for [times.answer].
func (t *times) now() int64 { return int64(time.Since(t.epoch)) + 1 }

func (t *times) ask() {
	t.mu.Lock()
	t.open++
	t.mu.Unlock()
}

func (t *times) answer(pressed int64) {
	took := time.Duration(t.now() - pressed)
	t.mu.Lock()
	t.taken = append(t.taken, took)
	t.open--
	last := t.open == 0
	t.mu.Unlock()
	if last {
		select {
		case t.done <- struct{}{}:
		default:
		}
	}
}

// wait returns when every key is answered or after the timeout, with the number of keys without an answer.
func (t *times) wait(ctx context.Context, timeout time.Duration) int {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for {
		t.mu.Lock()
		open := t.open
		t.mu.Unlock()
		if open == 0 {
			return 0
		}
		select {
		case <-t.done:
		case <-timer.C:
			return open
		case <-ctx.Done():
			return open
		}
	}
}

// take returns all times since the last call, in no order.
func (t *times) take() []time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	taken := t.taken
	t.taken = nil
	return taken
}

// percentile returns the time that a share of the sorted times does not exceed; 0 if there are none.
func percentile(sorted []time.Duration, share float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[max(int(math.Ceil(share*float64(len(sorted))))-1, 0)]
}

package main

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"notakto/internal/interrupt"
)

func TestPercentile(t *testing.T) {
	var hundred []time.Duration
	for i := range 100 {
		hundred = append(hundred, time.Duration(i+1))
	}
	for share, want := range map[float64]time.Duration{0: 1, 0.5: 50, 0.99: 99, 1: 100} {
		if got := percentile(hundred, share); got != want {
			t.Errorf("percentile %.2f is %d, want %d", share, got, want)
		}
	}
	if got := percentile(nil, 0.5); got != 0 {
		t.Errorf("the percentile of nothing is %d", got)
	}
}

func TestTimesWaitForTheLastAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		times := newTimes()
		pressed := times.now()
		times.ask()
		times.ask()
		go func() {
			_ = interrupt.Pause(t.Context(), time.Second)
			times.answer(pressed)
			_ = interrupt.Pause(t.Context(), time.Second)
			times.answer(pressed)
		}()
		if open := times.wait(t.Context(), time.Minute); open != 0 {
			t.Errorf("%d keys are open", open)
		}
		if taken := times.take(); !slices.Equal(taken, []time.Duration{time.Second, 2 * time.Second}) {
			t.Errorf("the times taken are %v, want 1 s and 2 s", taken)
		}
		times.ask()
		if open := times.wait(t.Context(), time.Minute); open != 1 {
			t.Errorf("%d keys are open at the end of the patience, want 1", open)
		}
	})
}

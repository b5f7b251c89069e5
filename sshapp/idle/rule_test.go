package idle_test

import (
	"testing"
	"testing/synctest"
	"time"

	"notakto/sshapp/idle"
)

func TestRule(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := idle.NewRule(10 * time.Minute)
		for i, step := range []struct {
			pass    time.Duration
			active  bool
			waiting bool
			want    idle.Action
			next    time.Duration
		}{
			{pass: 8 * time.Minute, want: idle.Nothing, next: time.Minute},
			{pass: time.Minute, want: idle.Warn, next: time.Minute},
			{pass: 59 * time.Second, want: idle.Nothing, next: time.Second},
			{active: true, want: idle.Nothing, next: 9 * time.Minute},
			{pass: 9 * time.Minute, waiting: true, want: idle.Nothing, next: 9 * time.Minute},
			{pass: 9 * time.Minute, want: idle.Warn, next: time.Minute},
			{pass: time.Minute, want: idle.End},
		} {
			<-time.After(step.pass)
			if step.active {
				r.Activity()
			}
			if got := r.Check(step.waiting); got != step.want {
				t.Fatalf("step %d: %d is due", i, got)
			}
			if got := time.Until(r.Next()); got != step.next {
				t.Fatalf("step %d: the next in %v", i, got)
			}
		}
	})
}

func TestNoLimitIsForEver(t *testing.T) {
	r := idle.NewRule(0)
	if !r.Next().IsZero() || r.Check(false) != idle.Nothing {
		t.Error("something is due")
	}
}

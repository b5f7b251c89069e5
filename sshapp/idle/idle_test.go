package idle_test

import (
	"testing"
	"testing/synctest"
	"time"

	"notakto/internal/testkit"
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
			testkit.Equal(t, r.Check(step.waiting), step.want, i)
			testkit.Equal(t, time.Until(r.Next()), step.next, i)
		}
		forever := idle.NewRule(0)
		testkit.Equal(t, forever.Check(false), idle.Nothing)
		testkit.Equal(t, forever.Next().IsZero(), true)
	})
}

func TestTimer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		type due struct {
			action idle.Action
			at     time.Duration
		}
		dues := make(chan due, 3)
		timer := idle.NewTimer(10*time.Minute, func(timer *idle.Timer) {
			action, left := timer.Check(false)
			if dues <- (due{action, time.Since(begun)}); left != time.Minute {
				t.Errorf("%v is left after the warning", left)
			}
		})
		defer timer.Stop()
		<-time.After(5 * time.Minute)
		timer.Activity()
		for _, want := range []due{
			{idle.Nothing, 9 * time.Minute}, {idle.Warn, 14 * time.Minute}, {idle.End, 15 * time.Minute},
		} {
			testkit.Equal(t, <-dues, want)
		}
	})
}

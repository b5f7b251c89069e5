package idle_test

import (
	"testing"
	"testing/synctest"
	"time"

	"notakto/sshapp/idle"
)

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
			if got := <-dues; got != want {
				t.Errorf("%v, want %v", got, want)
			}
		}
	})
}

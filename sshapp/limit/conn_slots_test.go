package limit

import (
	"testing"
	"testing/synctest"
)

func TestConnSlotsAreAsManyAsTheLimitSaysNow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slots, taken, stop := NewConnSlots(1), 0, make(chan struct{})
		done := make(chan struct{})
		go func() {
			defer close(done)
			for slots.Acquire(stop) {
				taken++
			}
		}()
		for _, step := range []struct {
			do          func()
			taken, used int
		}{
			{func() {}, 1, 1},
			{slots.Release, 2, 1},
			{func() { slots.SetLimit(3) }, 4, 3},
			{func() { slots.SetLimit(2) }, 4, 3},
			{slots.Release, 4, 2},
			{slots.Release, 5, 2},
		} {
			step.do()
			synctest.Wait()
			if taken != step.taken || slots.Used() != step.used {
				t.Errorf("%d were taken and %d are, want %d and %d", taken, slots.Used(), step.taken, step.used)
			}
		}
		close(stop)
		<-done
	})
}

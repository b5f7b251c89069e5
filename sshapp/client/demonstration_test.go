package client

import (
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"notakto/internal/testkit"
	"notakto/match/manager"
)

// after lets simulated time pass, and takes the snapshots that have come.
func after(pause time.Duration, table *Table) {
	<-time.After(pause)
	synctest.Wait()
	for more := true; more; {
		_, more = table.Poll()
	}
}

func TestNothingRunsWhenNobodyWatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := manager.New(manager.Config{Seed: 7})
		defer synctest.Wait()
		defer m.Close()
		s := New(m)
		table, err := s.Watch(t.Context(), "", "SHA256:ann")
		testkit.OK(t, err)
		d := table.handle.(*demonstration)
		after(demonstrationPace, table)
		watched := runtime.NumGoroutine()
		table.Close()
		synctest.Wait()
		if d.timer.Stop() {
			t.Error("a timer is left")
		}
		if n := runtime.NumGoroutine(); n > watched {
			t.Errorf("%d goroutines, %d while the demonstration was watched", n, watched)
		}
		moves := len(d.state.Moves)
		<-time.After(time.Hour) // simulated
		testkit.Equal(t, len(d.state.Moves), moves, "a move after the end")
		d.Close() // a second time
		testkit.Equal(t, len(s.opened), 0, "open demonstrations")

		table, err = s.Watch(t.Context(), "", "SHA256:ann")
		testkit.OK(t, err)
		s.Close()
		if after(0, table); !table.IsGone() || table.handle.(*demonstration).timer.Stop() {
			t.Error("the demonstration outlives the session")
		}
	})
}

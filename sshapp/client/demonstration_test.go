package client

import (
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"notakto/internal/testkit"
	"notakto/match/manager"
)

// inDemonstration runs test on the clock of synctest, with a manager and a table that shows a demonstration.
func inDemonstration(t *testing.T, test func(t *testing.T, m *manager.Manager, s *Session, table *Table)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		m := manager.New(manager.Config{Seed: 7})
		defer func() {
			m.Close()
			synctest.Wait()
		}()
		s := New(m)
		defer s.Close()
		table, err := s.Watch(t.Context(), "", "SHA256:ann")
		testkit.OK(t, err)
		test(t, m, s, table)
	})
}

// after lets simulated time pass, and takes the snapshots that have come.
func after(pause time.Duration, table *Table) {
	<-time.After(pause)
	synctest.Wait()
	for more := true; more; {
		_, more = table.Poll()
	}
}

func TestNothingRunsWhenNobodyWatches(t *testing.T) {
	inDemonstration(t, func(t *testing.T, _ *manager.Manager, s *Session, table *Table) {
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
		if len(s.opened) > 0 {
			t.Errorf("the session still has %v", s.opened)
		}
	})
}

func TestASessionEndsItsDemonstration(t *testing.T) {
	inDemonstration(t, func(t *testing.T, _ *manager.Manager, s *Session, table *Table) {
		s.Close()
		if after(0, table); !table.IsGone() || table.handle.(*demonstration).timer.Stop() {
			t.Error("the demonstration outlives the session")
		}
	})
}

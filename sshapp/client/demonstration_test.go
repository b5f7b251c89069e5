package client

import (
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/manager"
	"notakto/rules"
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

func TestAnEmptyServerShowsADemonstration(t *testing.T) {
	inDemonstration(t, func(t *testing.T, m *manager.Manager, _ *Session, table *Table) {
		if !table.IsDemonstration() || !table.IsWatching() || len(table.Moves) > 0 ||
			table.Start == table.Variant.Start() {
			t.Fatalf("begins with %+v", table.State)
		}
		if _, ok := table.Comment(); ok {
			t.Error("a comment before the first move")
		}
		first, second := table.Seat(rules.First).Player, table.Seat(rules.Second).Player
		if !first.IsComputer() || !second.IsComputer() || first.Level == second.Level {
			t.Errorf("%v against %v", first, second)
		}
		for moves := 1; !table.IsOver(); moves++ {
			after(demonstrationPace, table)
			comment, ok := table.Comment()
			if len(table.Moves) != moves || !ok || comment.Move != table.Moves[moves-1] ||
				comment.PositionAfter != table.Position {
				t.Fatalf("after %d paces: %d moves, comment %+v", moves, len(table.Moves), comment)
			}
		}
		if len(m.List()) > 0 || m.Finished(table.ID) != nil || m.LastEnded() != nil {
			t.Error("the server knows the demonstration")
		}
		after(demonstrationEnd-demonstrationPace, table)
		if table.IsGone() {
			t.Error("the end was not shown long enough")
		}
		if after(demonstrationPace, table); !table.IsGone() {
			t.Error("the demonstration stays after its end")
		}
	})
}

func TestADemonstrationGivesWayToAMatchOfPeople(t *testing.T) {
	inDemonstration(t, func(t *testing.T, m *manager.Manager, s *Session, table *Table) {
		for _, p := range []match.Player{{ID: "SHA256:bob", Name: "bob"}, {ID: "SHA256:cyd", Name: "cyd"}} {
			place, err := s.Seek(t.Context(), p, match.DefaultTerms())
			testkit.OK(t, err)
			defer place.release()
		}
		synctest.Wait()
		id := m.List()[0].ID
		for _, p := range []match.PlayerID{"SHA256:bob", "SHA256:cyd"} {
			if _, err := s.Sit(t.Context(), id, p); err != nil {
				t.Fatal(err)
			}
		}
		if after(demonstrationPace, table); !table.IsGone() {
			t.Fatal("the demonstration goes on")
		}
		next, err := s.Watch(t.Context(), "", "SHA256:ann")
		if err != nil || next.ID != id {
			t.Fatalf("then %v, %v", next, err)
		}
		testkit.Equal(t, s.NextMatch(id, "SHA256:ann"), "")
	})
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

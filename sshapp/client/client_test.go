package client_test

import (
	"errors"
	"math/rand/v2"
	"testing"
	"testing/synctest"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
)

func ann() match.Player { return match.Player{ID: "SHA256:ann", Name: "ann"} }
func bob() match.Player { return match.Player{ID: "SHA256:bob", Name: "bob"} }

// inBubble runs test on the clock of synctest with a manager.
func inBubble(t *testing.T, test func(t *testing.T, m *manager.Manager)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		m := manager.New(manager.Config{Seed: 7})
		defer func() {
			m.Close()
			synctest.Wait()
		}()
		test(t, m)
	})
}

func sit(t *testing.T, m *manager.Manager, s *client.Session) *client.Table {
	t.Helper()
	id, err := m.PlayComputer(t.Context(), ann(), match.DefaultTerms(), strategy.Perfect, rules.First)
	testkit.OK(t, err)
	table, err := s.Sit(t.Context(), id, ann().ID)
	testkit.OK(t, err)
	return table
}

func TestATableIsGivenBackAtTheEnd(t *testing.T) {
	inBubble(t, func(t *testing.T, m *manager.Manager) {
		s := client.New(m)
		table := sit(t, m, s)
		if !table.IsPlaying() || !table.IsMyTurn() || table.Snapshots() == nil {
			t.Fatalf("a new table: %+v", table)
		}
		s.Close()
		synctest.Wait()
		if snapshot, open := <-table.Snapshots(); open {
			t.Errorf("after the end came %+v", snapshot)
		}
		if _, err := s.Sit(t.Context(), table.ID, ann().ID); !errors.Is(err, client.ErrEnded) {
			t.Errorf("after the end: %v", err)
		}
		other := client.New(m)
		defer other.Close()
		again, err := other.Watch(t.Context(), table.ID, bob().ID)
		if err != nil || again.Seat(rules.First).Present || !again.IsWatching() {
			t.Errorf("who looks on sees %+v, %v", again, err)
		}
	})
}

func TestATableThatWasGivenBackTellsNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, m *manager.Manager) {
		s := client.New(m)
		defer s.Close()
		table := sit(t, m, s)
		table.Close()
		table.Close()
		if table.Snapshots() != nil || !table.IsGone() || table.IsUnfinished() {
			t.Errorf("it still tells something: %+v", table)
		}
		var none *client.Table
		if none.Snapshots() != nil || none.IsSeated() || none.IsPlaying() || none.IsMyTurn() || none.IsUnfinished() {
			t.Error("no table at all says yes")
		}
	})
}

func TestWatch(t *testing.T) {
	inBubble(t, func(t *testing.T, m *manager.Manager) {
		s := client.New(m)
		defer s.Close()
		table := sit(t, m, s)
		for player, isSeated := range map[match.PlayerID]bool{ann().ID: true, bob().ID: false} {
			at, err := s.Watch(t.Context(), "", player)
			if err != nil || at.ID != table.ID || at.IsSeated() != isSeated {
				t.Errorf("%s: %+v, %v", player, at, err)
			}
		}
	})
}

func TestJoinOnesOwnTable(t *testing.T) {
	inBubble(t, func(t *testing.T, m *manager.Manager) {
		s := client.New(m)
		defer s.Close()
		id, code, err := m.OpenPrivate(t.Context(), ann(), match.DefaultTerms())
		testkit.OK(t, err)
		for _, p := range []match.Player{ann(), bob()} {
			if to, who, err := s.Join(t.Context(), p, code); to != id || who != p || err != nil {
				t.Errorf("%s comes to %s as %v: %v", p.ID, to, who, err)
			}
		}
	})
}

func seek(t *testing.T, s *client.Session, p match.Player) *client.Place {
	t.Helper()
	q, err := s.Seek(t.Context(), p, match.DefaultTerms())
	if err != nil || !q.IsWaiting() || q.Waiting != 1 {
		t.Fatalf("%+v, %v", q, err)
	}
	return q
}

// follow takes statuses until the place is over.
func follow(q *client.Place) client.PlaceState {
	for !q.IsOver() {
		status, open := <-q.Status()
		q.Take(status, open)
	}
	return q.State
}

func TestHowAPlaceInAQueueEnds(t *testing.T) {
	for name, test := range map[string]struct {
		end  func(t *testing.T, m *manager.Manager, s *client.Session, q *client.Place)
		want client.PlaceState
	}{
		"given up": {func(_ *testing.T, _ *manager.Manager, _ *client.Session, q *client.Place) {
			q.Leave()()
		}, client.PlaceLeft},
		"found": {func(t *testing.T, _ *manager.Manager, s *client.Session, _ *client.Place) {
			t.Helper()
			if _, err := s.Seek(t.Context(), bob(), match.DefaultTerms()); err != nil {
				t.Fatal(err)
			}
		}, client.PlaceFound},
		"stopping": {func(_ *testing.T, m *manager.Manager, _ *client.Session, _ *client.Place) {
			m.Drain()
		}, client.PlaceClosed},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, m *manager.Manager) {
				s := client.New(m)
				defer s.Close()
				q := seek(t, s, ann())
				test.end(t, m, s, q)
				if got := follow(q); got != test.want || q.Status() != nil || q.IsWaiting() || q.IsLeaving() {
					t.Errorf("it ended as %d, want %d", got, test.want)
				}
				testkit.Equal(t, q.Match != "", test.want == client.PlaceFound, q.Match)
			})
		})
	}
}

// play plays a match of ann against level to its end. The match begins with moves, and ann plays perfectly.
func play(t *testing.T, m *manager.Manager, s *client.Session, level strategy.Level, moves ...rules.Move) {
	t.Helper()
	one, err := rules.Notakto(1)
	testkit.OK(t, err)
	id, err := m.PlayComputer(t.Context(), ann(), match.Terms{Variant: one}, level, rules.First, moves...)
	testkit.OK(t, err)
	table, err := s.Sit(t.Context(), id, ann().ID)
	testkit.OK(t, err)
	defer table.Close()
	rng := rand.New(rand.NewPCG(1, 2))
	for !table.IsOver() {
		if table.IsMyTurn() {
			testkit.OK(t, table.Play(t.Context(), strategy.Perfect.Choose(table.Position, rng)))
		}
		snapshot, open := <-table.Snapshots()
		table.Take(snapshot, open)
	}
	if table.Outcome.Winner != table.Side {
		t.Fatalf("%v is lost: %+v", level, table.Outcome)
	}
}

func TestTheLowestRungNotYetBeatenIsOffered(t *testing.T) {
	inBubble(t, func(t *testing.T, m *manager.Manager) {
		s := client.New(m)
		defer s.Close()
		offered := func(last, want strategy.Level) {
			t.Helper()
			testkit.Equal(t, s.NextRung(last), want, last)
		}
		offered(0, strategy.Novice)
		offered(strategy.Careful, strategy.Careful) // not beaten yet
		offered(strategy.Club, strategy.Novice)     // not on the ladder

		play(t, m, s, strategy.Novice)
		offered(0, strategy.Learner)
		offered(strategy.Novice, strategy.Learner)

		play(t, m, s, strategy.Steady) // counts for the learner too
		offered(0, strategy.Careful)
		play(t, m, s, strategy.Learner)
		play(t, m, s, strategy.Student)
		offered(0, strategy.Careful)

		play(t, m, s, strategy.Sharp, rules.Move{Cell: 5}, rules.Move{Cell: 1}) // begins with moves of another match
		offered(0, strategy.Careful)

		play(t, m, s, strategy.Perfect)
		offered(0, strategy.Perfect)
		offered(strategy.Novice, strategy.Perfect)
	})
}

// Against the computer, the player sees the deadly cells without Reveal.
func TestDeadlyCellsCanBeRevealed(t *testing.T) {
	inBubble(t, func(t *testing.T, m *manager.Manager) {
		s := client.New(m)
		defer s.Close()
		if sit(t, m, s).CanReveal() {
			t.Error("against the computer")
		}
		id, code, err := m.OpenPrivate(t.Context(), ann(), match.DefaultTerms())
		testkit.OK(t, err)
		table, err := s.Sit(t.Context(), id, ann().ID)
		testkit.OK(t, err)
		if table.CanReveal() {
			t.Error("without an opponent")
		}
		if _, _, err := m.Join(t.Context(), bob(), code); err != nil {
			t.Fatal(err)
		}
		next := func() {
			synctest.Wait()
			snapshot, open := <-table.Snapshots()
			table.Take(snapshot, open)
		}
		if next(); !table.CanReveal() {
			t.Error("it cannot be revealed to bob")
		}
		testkit.OK(t, table.Reveal(t.Context()))
		if next(); table.CanReveal() {
			t.Error("it can be revealed again")
		}
	})
}

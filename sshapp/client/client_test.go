package client_test

import (
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

// sit begins a match of ann against level on one board, with the first move. It may begin with moves of another match.
func sit(t *testing.T, m *manager.Manager, s *client.Session, level strategy.Level, moves ...rules.Move) *client.Table {
	t.Helper()
	one, err := rules.Notakto(1)
	testkit.OK(t, err)
	id, err := m.PlayComputer(t.Context(), ann(), match.Terms{Variant: one}, level, rules.First, moves...)
	testkit.OK(t, err)
	table, err := s.Sit(t.Context(), id, ann().ID)
	testkit.OK(t, err)
	return table
}

// play plays a match of ann against level to its end. ann plays perfectly.
func play(t *testing.T, m *manager.Manager, s *client.Session, level strategy.Level, moves ...rules.Move) {
	t.Helper()
	table := sit(t, m, s, level, moves...)
	defer table.Close()
	rng := rand.New(rand.NewPCG(1, 2))
	for !table.IsOver() {
		if table.IsMyTurn() {
			testkit.OK(t, table.Play(t.Context(), strategy.Perfect.Choose(table.Position, rng)))
		}
		snapshot, open := <-table.Snapshots()
		table.Take(snapshot, open)
	}
	testkit.Equal(t, table.Outcome.Winner, table.Side, level)
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

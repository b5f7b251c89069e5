package client_test

import (
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/store"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
)

// A rung that was beaten in an earlier session is not offered again.
func TestEarlierWinsCount(t *testing.T) {
	j := testkit.Store(t)
	for i, level := range []strategy.Level{strategy.Learner, strategy.Careful} {
		events := []match.Event{
			{Kind: match.Opened, Terms: match.DefaultTerms(), Origin: match.ComputerOrigin},
			{Kind: match.Seated, Seat: rules.First, Player: ann()},
			{Kind: match.Seated, Seat: rules.Second, Player: match.Computer(level)},
			{Kind: match.Resigned, Seat: rules.Sides()[1-i]}, // ann beats the learner and loses to the other
		}
		id := match.ID(level.String())
		for i := range events {
			events[i].Match, events[i].Seq = id, uint64(i+1)
		}
		if _, err := j.Append(t.Context(), events...); err != nil {
			t.Fatal(err)
		}
		if err := j.Archive(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	record := j.History()
	for _, test := range []struct {
		from   *store.History
		player match.Player
		want   strategy.Level
	}{{record, ann(), strategy.Steady}, {record, bob(), strategy.Novice}, {nil, ann(), strategy.Novice}} {
		s := client.New(nil)
		if err := s.Recall(t.Context(), test.from, test.player); err != nil {
			t.Error(err)
		}
		if got := s.NextRung(0); got != test.want {
			t.Errorf("%s is offered %v, want %v", test.player.Name, got, test.want)
		}
		if got := s.Beaten(); strategy.Ladder()[got] != test.want {
			t.Errorf("%s has beaten %d, and is offered %v", test.player.Name, got, test.want)
		}
	}
}

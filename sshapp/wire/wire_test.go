package wire

import (
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
)

// With a clock, a move has the time that was charged for it: the time in which the server was down is not.
func TestAMoveTookWhatWasCharged(t *testing.T) {
	days, err := match.Correspondence(1)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		clock match.Clock
		want  time.Duration
	}{{match.Clock{}, 10 * time.Hour}, {days, 3 * time.Second}} {
		events := []match.Event{
			{Kind: match.Opened, Terms: match.Terms{Variant: rules.DefaultVariant(), Clock: test.clock}},
			{Kind: match.Seated, Seat: rules.First, Player: match.Player{ID: "a", Name: "ann"}},
			{Kind: match.Seated, Seat: rules.Second, Player: match.Player{ID: "b", Name: "bob"}},
			{Kind: match.Moved, Seat: rules.First, Spent: 3 * time.Second},
		}
		var states []match.State
		var state match.State
		for i, e := range events {
			e.Match, e.Seq, e.At = "m", uint64(i+1), time.UnixMilli(1)
			if e.Kind == match.Moved {
				e.Move, e.At = rules.Move{Cell: 5}, e.At.Add(10*time.Hour)
			}
			if state, err = state.Apply(e); err != nil {
				t.Fatal(err)
			}
			states = append(states, state)
		}
		if all := NewMoves(states); len(all) != 1 || all[0].Milliseconds != test.want.Milliseconds() {
			t.Errorf("with %v the moves are %v, want one that took %v", test.clock, all, test.want)
		}
	}
}

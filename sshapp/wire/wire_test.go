package wire

import (
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/rules"
)

// With a clock, a move has the time charged for it, without the time when the server was down.
func TestAMoveTookWhatWasCharged(t *testing.T) {
	days, err := match.Correspondence(1)
	testkit.OK(t, err)
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

// A move that was taken back is not listed, and the move in its place is.
func TestMovesThatStand(t *testing.T) {
	var states []match.State
	var state match.State
	for i, e := range []match.Event{
		{Kind: match.Opened, Terms: match.DefaultTerms()},
		{Kind: match.Seated, Seat: rules.First, Player: match.Player{ID: "a", Name: "ann"}},
		{Kind: match.Seated, Seat: rules.Second, Player: match.Player{ID: "b", Name: "bob"}},
		{Kind: match.Moved, Seat: rules.First, Move: rules.Move{Cell: 5}},
		{Kind: match.Moved, Seat: rules.Second, Move: rules.Move{Cell: 1}},
		{Kind: match.TakebackOffered, Seat: rules.Second},
		{Kind: match.TakebackOffered, Seat: rules.First},
		{Kind: match.Moved, Seat: rules.Second, Move: rules.Move{Cell: 2}},
	} {
		e.Match, e.Seq, e.At = "m", uint64(i+1), time.UnixMilli(int64(i)*100)
		next, err := state.Apply(e)
		testkit.OK(t, err)
		state = next
		states = append(states, state)
	}
	all := NewMoves(states)
	if len(all) != 2 || all[0].Move != "A5" || all[1] != (Move{2, rules.Second, "A2", 100}) {
		t.Errorf("the moves are %v", all)
	}
}

package wire

import (
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/rules"
)

// listed returns the moves of a game of ann and bob, whose events come 100 ms apart.
func listed(t *testing.T, clock match.Clock, game ...match.Event) []Move {
	t.Helper()
	events := append([]match.Event{
		{Kind: match.Opened, Terms: match.Terms{Variant: rules.DefaultVariant(), Clock: clock}},
		{Kind: match.Seated, Seat: rules.First, Player: match.Player{ID: "a", Name: "ann"}},
		{Kind: match.Seated, Seat: rules.Second, Player: match.Player{ID: "b", Name: "bob"}},
	}, game...)
	var states []match.State
	var state match.State
	for i, e := range events {
		e.Match, e.Seq, e.At = "m", uint64(i+1), time.UnixMilli(int64(i)*100)
		next, err := state.Apply(e)
		testkit.OK(t, err)
		state = next
		states = append(states, state)
	}
	return NewMoves(states)
}

// With a clock, a move has the time charged for it, without the time when the server was down. A move that was taken
// back is not listed, and the move in its place is.
func TestMovesThatStand(t *testing.T) {
	days, err := match.Correspondence(1)
	testkit.OK(t, err)
	game := []match.Event{
		{Kind: match.Moved, Seat: rules.First, Move: rules.Move{Cell: 5}, Spent: 3 * time.Second},
		{Kind: match.Moved, Seat: rules.Second, Move: rules.Move{Cell: 1}},
		{Kind: match.TakebackOffered, Seat: rules.Second},
		{Kind: match.TakebackOffered, Seat: rules.First},
		{Kind: match.Moved, Seat: rules.Second, Move: rules.Move{Cell: 2}, Spent: time.Second},
	}
	for clock, want := range map[match.Clock][2]int64{{}: {100, 100}, days: {3000, 1000}} {
		all := listed(t, clock, game...)
		if len(all) != 2 || all[0] != (Move{1, rules.First, "A5", want[0]}) ||
			all[1] != (Move{2, rules.Second, "A2", want[1]}) {
			t.Errorf("with %v the moves are %v", clock, all)
		}
	}
}

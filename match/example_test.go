package match_test

import (
	"fmt"

	"notakto/match"
	"notakto/rules"
)

// A state is folded from events, one after another.
func ExampleState_Apply() {
	var state match.State
	for _, event := range []match.Event{
		{Match: "m1", Seq: 1, Kind: match.Opened, Terms: match.Terms{Variant: rules.TicTacToe()}, Origin: match.QueueOrigin},
		{Match: "m1", Seq: 2, Kind: match.Seated, Seat: rules.First, Player: match.Player{ID: "ann", Name: "ann"}},
		{Match: "m1", Seq: 3, Kind: match.Seated, Seat: rules.Second, Player: match.Player{ID: "bob", Name: "bob"}},
		{Match: "m1", Seq: 4, Kind: match.Moved, Seat: rules.First, Move: rules.Move{Cell: 5}},
	} {
		next, err := state.Apply(event)
		if err != nil {
			panic(err)
		}
		state = next
	}
	fmt.Println(state.Position, state.Turn() == rules.Second)
	// Output: ....O.... true
}

package match_test

import (
	"context"
	"fmt"

	"notakto/match"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/rules/strategy"
)

// A player plays the computer. Each snapshot is the state of the match at that time.
func ExampleManager_PlayComputer() {
	manager := manager.New(manager.Config{Seed: 1})
	defer manager.Close()
	ctx, ann := context.Background(), match.Player{ID: "ann", Name: "ann"}
	variant, err := rules.Notakto(1)
	if err != nil {
		panic(err)
	}
	id, err := manager.PlayComputer(ctx, ann, match.Terms{Variant: variant}, strategy.Perfect, rules.Second)
	if err != nil {
		panic(err)
	}
	seat, err := manager.Sit(ctx, id, ann.ID)
	if err != nil {
		panic(err)
	}
	for snapshot := range seat.Snapshots() {
		if len(snapshot.Moves) == 1 {
			fmt.Println("the computer plays", variant.FormatMove(snapshot.Moves[0]))
			break
		}
	}
	if err := seat.Resign(ctx); err != nil {
		panic(err)
	}
	seat.Close()
	// Output: the computer plays A5
}

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

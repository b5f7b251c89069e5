package rules_test

import (
	"fmt"

	"notakto/rules"
)

// A position is a value, and playing a move returns another one.
func ExamplePosition_Play() {
	before := rules.DefaultVariant().Start()
	move, err := before.Variant().ParseMove("b5")
	if err != nil {
		panic(err)
	}
	after, err := before.Play(move)
	if err != nil {
		panic(err)
	}
	fmt.Println(before)
	fmt.Println(after)
	// Output:
	// ........./........./.........
	// ........./....X..../.........
}

func ExampleParseGame() {
	game, err := rules.ParseGame("notakto/1: A5 A1 A9")
	if err != nil {
		panic(err)
	}
	outcome := game.Position.Outcome()
	fmt.Println(game)
	fmt.Println(outcome.IsOver(), outcome.Winner == rules.Second, outcome.Reason)
	// Output:
	// notakto/1: A5 A1 A9
	// true true boards
}

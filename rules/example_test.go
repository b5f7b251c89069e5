package rules_test

import (
	"errors"
	"fmt"

	"notakto/rules"
)

func ExampleNotakto() {
	variant, err := rules.Notakto(2)
	if err != nil {
		panic(err)
	}
	fmt.Println(variant, "has", variant.Boards(), "boards")
	_, err = rules.Notakto(10)
	fmt.Println(errors.Is(err, rules.ErrBadVariant))
	// Output:
	// notakto/2 has 2 boards
	// true
}

func ExampleParseVariant() {
	for _, name := range []string{"notakto", "Notakto/5", "tictactoe"} {
		variant, err := rules.ParseVariant(name)
		if err != nil {
			panic(err)
		}
		fmt.Println(variant)
	}
	// Output:
	// notakto/3
	// notakto/5
	// tictactoe
}

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

func ExamplePosition_Check() {
	position, err := rules.ParsePosition("XXX....../....X....")
	if err != nil {
		panic(err)
	}
	for _, text := range []string{"A1", "B5", "C1", "B1"} {
		move, err := position.Variant().ParseMove(text)
		if err == nil {
			err = position.Check(move)
		}
		fmt.Println(text, err)
	}
	// Output:
	// A1 the board is dead: A
	// B5 the cell is taken: B5
	// C1 there is no board C: the boards are A to B
	// B1 <nil>
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

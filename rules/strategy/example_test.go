package strategy_test

import (
	"fmt"
	"math/rand/v2"

	"notakto/rules"
	"notakto/rules/strategy"
)

// A first move in the middle of a single board wins with perfect play.
func ExampleEvaluate() {
	fmt.Println(strategy.Evaluate(rules.DefaultVariant().Start()))
	position, err := rules.ParsePosition("....X....")
	if err != nil {
		panic(err)
	}
	fmt.Println(strategy.Evaluate(position))
	// Output:
	// win
	// loss
}

func ExampleAnalyse() {
	game, err := rules.ParseGame("notakto/1: A1")
	if err != nil {
		panic(err)
	}
	for _, move := range strategy.Analyse(game.Position).WinningMoves() {
		fmt.Println(game.Variant.FormatMove(move))
	}
	// Output: A9
}

func ExampleLevel_Choose() {
	rng := rand.New(rand.NewPCG(1, 2))
	variant, err := rules.Notakto(1)
	if err != nil {
		panic(err)
	}
	move := strategy.Perfect.Choose(variant.Start(), rng)
	fmt.Println(variant.FormatMove(move))
	// Output: A5
}

func ExampleReview() {
	game, err := rules.ParseGame("notakto/1: A5 A1 A9")
	if err != nil {
		panic(err)
	}
	for _, review := range strategy.Review(game.Variant.Start(), game.Moves) {
		fmt.Println(game.Variant.FormatMove(review.Move), review.IsMistake())
	}
	// Output:
	// A5 false
	// A1 false
	// A9 true
}

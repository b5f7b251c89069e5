package strategy_test

import (
	"fmt"

	"notakto/rules"
	"notakto/rules/strategy"
)

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

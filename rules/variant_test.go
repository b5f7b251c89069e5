package rules_test

import (
	"testing"

	"notakto/rules"
)

// notakto returns the variant on the given number of boards.
func notakto(t testing.TB, boards int) rules.Variant {
	t.Helper()
	v, err := rules.Notakto(boards)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// variants returns all games, Notakto on one to nine boards and then tic-tac-toe.
func variants(t testing.TB) []rules.Variant {
	t.Helper()
	var all []rules.Variant
	for boards := 1; boards <= rules.MaxBoards; boards++ {
		all = append(all, notakto(t, boards))
	}
	return append(all, rules.TicTacToe())
}

package rules_test

import (
	"errors"
	"testing"

	"notakto/internal/testkit"
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

// position returns the position after the moves of a game.
func position(t testing.TB, game string) rules.Position {
	t.Helper()
	g, err := rules.ParseGame(game)
	testkit.OK(t, err)
	return g.Position
}

func TestIllegalMovesSayWhichRuleTheyBreak(t *testing.T) {
	for _, c := range []struct {
		game string
		move rules.Move
		want error
	}{
		{"notakto/2:", rules.Move{Board: 255, Cell: 5}, rules.ErrNoSuchBoard},
		{"notakto/2:", rules.Move{Board: 0, Cell: 0}, rules.ErrNoSuchCell},
		{"notakto/2: A5", rules.Move{Board: 0, Cell: 5}, rules.ErrCellTaken},
		{"notakto/2: A7 A8 A9", rules.Move{Board: 0, Cell: 1}, rules.ErrBoardDead},
		{"notakto/1: 7 8 9", rules.Move{Board: 0, Cell: 1}, rules.ErrOver},
		{"tictactoe: 5", rules.Move{Board: 1, Cell: 5}, rules.ErrNoSuchBoard},
		{"tictactoe: 5 1 7 3 2 8 4 6 9", rules.Move{Board: 0, Cell: 9}, rules.ErrOver},
	} {
		p := position(t, c.game)
		testkit.ErrorIs(t, p.Check(c.move), c.want, c)
		if after, err := p.Play(c.move); !errors.Is(err, c.want) || after != p {
			t.Errorf("after %s the move %v makes %v (%v)", c.game, c.move, after, err)
		}
	}
	var none rules.Position
	testkit.ErrorIs(t, none.Check(rules.Move{Cell: 1}), rules.ErrNoSuchBoard)
	if none.Outcome().IsOver() || len(none.LegalMoves()) != 0 || none.String() != "" {
		t.Errorf("the zero position is %q, %+v, with moves %v", none, none.Outcome(), none.LegalMoves())
	}
}

package rules_test

import (
	"errors"
	"slices"
	"testing"

	"notakto/internal/testkit"
	"notakto/rules"
)

// position returns the position after the moves of a game.
func position(t testing.TB, game string) rules.Position {
	t.Helper()
	g, err := rules.ParseGame(game)
	testkit.OK(t, err)
	return g.Position
}

func TestShapesAreEqualUpToSymmetryOrderAndDeadBoards(t *testing.T) {
	shape := func(text string) rules.Shape {
		p, err := rules.ParsePosition(text)
		testkit.OK(t, err)
		return p.Shape()
	}
	want := shape("XX......./....X....")
	for _, same := range []string{"....X..../XX.......", "..X..X.../....X....", "XXX....../.......XX/....X...."} {
		if shape(same) != want {
			t.Errorf("%s has another shape", same)
		}
	}
	for _, other := range []string{
		"XX......./X........", "XX.......", "XX......./....X..../.........", "X.X....../....X....",
	} {
		if shape(other) == want {
			t.Errorf("%s has that shape too", other)
		}
	}
}

func TestEveryLineKillsABoard(t *testing.T) {
	for _, line := range []string{"789", "456", "123", "741", "852", "963", "753", "951"} {
		game, cells := "notakto/2:", []rules.Cell{}
		for _, digit := range line {
			game += " A" + string(digit)
			cells = append(cells, rules.Cell(digit-'0'))
		}
		p := position(t, game)
		got := p.Line(0)
		slices.Sort(got[:])
		if slices.Sort(cells); !slices.Equal(got[:], cells) || p.Line(1) != [3]rules.Cell{} {
			t.Errorf("after %s the line is %v", game, got)
		}
		if !p.IsDead(0) || p.LiveBoards() != 1 || p.LegalMoves()[0].Board != 1 {
			t.Errorf("after %s: A dead %v, %v", game, p.IsDead(0), p.Outcome())
		}
	}
	p := position(t, "tictactoe: 7 8 9 4 6 1 5 2 3") // a full board with a line is no draw
	testkit.Equal(t, p.Outcome(), rules.Outcome{Winner: rules.First, Reason: rules.ReasonLine})
}

func TestAMoveMarksOneCell(t *testing.T) {
	p := position(t, "notakto/3: B5")
	for board := -1; board <= 3; board++ {
		for cell := rules.Cell(0); cell <= 10; cell++ {
			want := rules.Empty
			if board == 1 && cell == 5 {
				want = rules.Cross
			}
			if got := p.At(board, cell); got != want {
				t.Errorf("cell %d of board %d holds %v, want %v", cell, board, got, want)
			}
		}
	}
	if p.Crosses(1) != 0o020 || p.Crosses(0) != 0 || p.Crosses(-1) != 0 || p.Crosses(9) != 0 {
		t.Errorf("the crosses are %o on A, %o on B", p.Crosses(0), p.Crosses(1))
	}
	if p.IsDead(-1) || p.IsDead(3) || p.Line(-1) != [3]rules.Cell{} {
		t.Error("a board that is not there is dead")
	}
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
}

func TestTheZeroPositionIsNoGame(t *testing.T) {
	var p rules.Position
	if p.Outcome().IsOver() || len(p.LegalMoves()) != 0 || p.String() != "" {
		t.Errorf("the zero position is %q, %+v, with moves %v", p, p.Outcome(), p.LegalMoves())
	}
	testkit.ErrorIs(t, p.Check(rules.Move{Cell: 1}), rules.ErrNoSuchBoard)
}

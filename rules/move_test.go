package rules_test

import (
	"errors"
	"fmt"
	"testing"

	"notakto/rules"
)

func TestCellsAreNumberedLikeAKeypad(t *testing.T) {
	keypad := [3][3]rules.Cell{{7, 8, 9}, {4, 5, 6}, {1, 2, 3}}
	v := rules.DefaultVariant()
	for row, cells := range keypad {
		for column, cell := range cells {
			if got := v.CellAt(row, column); got != cell {
				t.Errorf("CellAt(%d, %d) = %d, want %d", row, column, got, cell)
			}
			if r, c := v.Place(cell); r != row || c != column || !v.HasCell(cell) {
				t.Errorf("cell %d is at row %d, column %d", cell, r, c)
			}
		}
	}
	for _, cell := range []rules.Cell{0, 10, 255} {
		if v.HasCell(cell) {
			t.Errorf("cell %d is valid", cell)
		}
	}
}

func TestEveryMoveIsReadBackFromItsNotation(t *testing.T) {
	for _, v := range variants(t) {
		for board := range v.Boards() {
			for cell := range v.Cells() {
				want := rules.Move{Board: uint8(board), Cell: cell}
				for _, text := range []string{want.String(), v.FormatMove(want)} {
					if got, err := v.ParseMove(text); err != nil || got != want {
						t.Errorf("%v: ParseMove(%q) = %v, %v; want %v", v, text, got, err, want)
					}
				}
			}
		}
	}
}

func TestMoveNotation(t *testing.T) {
	one, three, ticTacToe := notakto(t, 1), notakto(t, 3), rules.TicTacToe()
	for _, c := range []struct {
		variant   rules.Variant
		text      string
		want      rules.Move
		formatted string
	}{
		{three, "A5", rules.Move{Board: 0, Cell: 5}, "A5"},
		{three, "c9", rules.Move{Board: 2, Cell: 9}, "C9"},
		{one, "7", rules.Move{Board: 0, Cell: 7}, "A7"},
		{one, "a7", rules.Move{Board: 0, Cell: 7}, "A7"},
		{ticTacToe, "1", rules.Move{Board: 0, Cell: 1}, "1"},
		{ticTacToe, "A1", rules.Move{Board: 0, Cell: 1}, "1"},
	} {
		got, err := c.variant.ParseMove(c.text)
		if err != nil || got != c.want || c.variant.FormatMove(got) != c.formatted {
			t.Errorf("%v: %q is %v (%v), written %q", c.variant, c.text, got, err, c.variant.FormatMove(got))
		}
	}
}

func TestParseMoveRefuses(t *testing.T) {
	one, three, ticTacToe := notakto(t, 1), notakto(t, 3), rules.TicTacToe()
	for _, c := range []struct {
		variant rules.Variant
		text    string
		want    error
	}{
		{three, "", rules.ErrBadMove},
		{three, "5", rules.ErrBadMove},
		{three, "A", rules.ErrBadMove},
		{three, "A10", rules.ErrBadMove},
		{three, "5A", rules.ErrBadMove},
		{three, "A 5", rules.ErrBadMove},
		{three, "\x015", rules.ErrBadMove},
		{three, "!5", rules.ErrBadMove},
		{three, "\xc15", rules.ErrBadMove},
		{three, "é", rules.ErrBadMove},
		{three, "D5", rules.ErrNoSuchBoard},
		{three, "z0", rules.ErrNoSuchBoard},
		{three, "A0", rules.ErrNoSuchCell},
		{one, "B5", rules.ErrNoSuchBoard},
		{one, "0", rules.ErrNoSuchCell},
		{one, "x", rules.ErrBadMove},
		{ticTacToe, "B5", rules.ErrNoSuchBoard},
		{ticTacToe, "0", rules.ErrNoSuchCell},
		{rules.Variant{}, "A5", rules.ErrNoSuchBoard},
	} {
		if got, err := c.variant.ParseMove(c.text); !errors.Is(err, c.want) || got != (rules.Move{}) {
			t.Errorf("%v: ParseMove(%q) = %v, %v; want %v", c.variant, c.text, got, err, c.want)
		}
	}
}

// A move may contain any numbers from a client; formatting it, if only for an error, must not fail.
func TestAnyMoveCanBeWritten(t *testing.T) {
	m := rules.Move{Board: 200, Cell: 250}
	if got := m.String(); got != "?250" {
		t.Errorf("written %q", got)
	}
	if got := rules.TicTacToe().FormatMove(m); got != "250" {
		t.Errorf("written %q in tic-tac-toe", got)
	}
	if got := rules.BoardName(-1); got != "?" {
		t.Errorf("board -1 is called %q", got)
	}
}

func TestLinesOfABoard(t *testing.T) {
	want := "[[7 8 9] [4 5 6] [1 2 3] [7 4 1] [8 5 2] [9 6 3] [7 5 3] [9 5 1]]"
	if got := fmt.Sprint(rules.DefaultVariant().Lines()); got != want {
		t.Errorf("the lines are %s, want %s", got, want)
	}
}

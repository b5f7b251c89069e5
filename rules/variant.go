package rules

import (
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
)

// MaxBoards is the largest number of boards of a Notakto match.
const MaxBoards = 9

// DefaultBoards is the default number of boards of a Notakto match.
const DefaultBoards = 3

// ErrBadVariant says that a text or a number of boards is no variant.
var ErrBadVariant = errors.New("no such variant: want notakto/1 to notakto/9, or tictactoe")

const (
	notaktoName   = "notakto"
	ticTacToeName = "tictactoe"
)

// Variant is a game that can be played. Make one with [Notakto], [TicTacToe] or [ParseVariant], because the zero
// value is no game.
type Variant struct {
	boards  uint8
	noughts bool
}

// Notakto returns the game on the given number of boards, 1 to [MaxBoards], or [ErrBadVariant].
func Notakto(boards int) (Variant, error) {
	if boards < 1 || boards > MaxBoards {
		return Variant{}, fmt.Errorf("%w (%d boards)", ErrBadVariant, boards)
	}
	return Variant{boards: uint8(boards)}, nil
}

// TicTacToe returns noughts and crosses on one board. Noughts move first.
func TicTacToe() Variant { return Variant{boards: 1, noughts: true} }

// DefaultVariant returns Notakto on [DefaultBoards] boards.
func DefaultVariant() Variant { return Variant{boards: DefaultBoards} }

// ParseVariant reads the name of a variant, in upper or lower case: "notakto/3", "notakto" for the default number of
// boards, or "tictactoe". The error is [ErrBadVariant].
func ParseVariant(name string) (Variant, error) {
	switch lower := lowerASCII(name); {
	case lower == ticTacToeName:
		return TicTacToe(), nil
	case lower == notaktoName:
		return DefaultVariant(), nil
	case len(lower) == len(notaktoName)+2 && strings.HasPrefix(lower, notaktoName+"/"):
		if v, err := Notakto(int(lower[len(lower)-1]) - '0'); err == nil {
			return v, nil
		}
	}
	return Variant{}, fmt.Errorf("%w (not %.40q)", ErrBadVariant, name)
}

// lowerASCII changes only A to Z, because Unicode's lower case of the Kelvin sign is a k.
func lowerASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, text)
}

// String returns the name that [ParseVariant] reads.
func (v Variant) String() string {
	if v.noughts {
		return ticTacToeName
	}
	return notaktoName + "/" + strconv.Itoa(int(v.boards))
}

// MarshalText returns the variant's name.
func (v Variant) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText sets v by [ParseVariant].
func (v *Variant) UnmarshalText(name []byte) (err error) {
	*v, err = ParseVariant(string(name))
	return err
}

// IsValid reports whether v names a game.
func (v Variant) IsValid() bool { return v.boards > 0 }

// Boards returns the number of boards.
func (v Variant) Boards() int { return int(v.boards) }

// IsTicTacToe reports whether each player has a mark of their own, and three in a row wins.
func (v Variant) IsTicTacToe() bool { return v.noughts }

// Start returns the position before the first move.
func (v Variant) Start() Position { return Position{variant: v} }

// rows is the number of rows of a board, and of its columns.
const rows = 3

// Rows returns the number of rows of a board, and of its columns.
func (Variant) Rows() int { return rows }

// Cells returns the cells of a board, in the order of their numbers.
func (Variant) Cells() iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		for c := Cell(1); c <= rows*rows && yield(c); c++ {
		}
	}
}

// HasCell reports whether a board has the cell.
func (Variant) HasCell(c Cell) bool { return c >= 1 && c <= rows*rows }

// CellAt returns the cell in a row and a column, counted from 0 at the top left.
func (Variant) CellAt(row, column int) Cell { return Cell((rows-1-row)*rows + column + 1) }

// Place returns the row and the column of a cell, counted from 0 at the top left.
func (Variant) Place(c Cell) (row, column int) { return rows - 1 - int(c-1)/rows, int(c-1) % rows }

// Symmetries is the number of rotations and reflections of a board.
const Symmetries = 8

// Image returns the image of c under a symmetry. symmetry is from 0 to [Symmetries] - 1, and 0 moves no cell.
func (v Variant) Image(c Cell, symmetry int) Cell {
	row, column := v.Place(c)
	if symmetry&1 != 0 {
		row = rows - 1 - row
	}
	if symmetry&2 != 0 {
		column = rows - 1 - column
	}
	if symmetry&4 != 0 {
		row, column = column, row
	}
	return v.CellAt(row, column)
}

// Lines returns the rows, the columns and the two diagonals of a board, from the top left.
func (v Variant) Lines() [][]Cell {
	var across, down [][]Cell
	falling, rising := make([]Cell, rows), make([]Cell, rows)
	for i := range rows {
		row, column := make([]Cell, rows), make([]Cell, rows)
		for j := range rows {
			row[j], column[j] = v.CellAt(i, j), v.CellAt(j, i)
		}
		across, down = append(across, row), append(down, column)
		falling[i], rising[i] = v.CellAt(i, i), v.CellAt(i, rows-1-i)
	}
	return append(append(across, down...), falling, rising)
}

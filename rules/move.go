package rules

import (
	"errors"
	"fmt"
)

// ErrBadMove says that a text is not written like a move.
var ErrBadMove = errors.New("not a move: a move is a board's letter and a cell's digit, such as B5")

// Cell is a cell of a board, numbered like a numeric keypad: 7 8 9 on the top row, 1 2 3 on the bottom row.
type Cell uint8

// Cells of a board.
const (
	FirstCell Cell = 1
	LastCell  Cell = 9
)

// CellAt is the cell in a row and a column, both 0 to 2 from the top left.
func CellAt(row, column int) Cell { return Cell((2-row)*3 + column + 1) }

// Row is the cell's row, 0 at the top.
func (c Cell) Row() int { return 2 - int(c-1)/3 }

// Column is the cell's column, 0 at the left.
func (c Cell) Column() int { return int(c-1) % 3 }

// Valid reports whether c is on a board.
func (c Cell) Valid() bool { return c >= FirstCell && c <= LastCell }

func (c Cell) bit() board { return 1 << (c.Row()*3 + c.Column()) }

// Move is a mark to be placed: a board, counted from 0, and a cell of it.
type Move struct {
	Board uint8
	Cell  Cell
}

// BoardName is the letter of a board counted from 0.
func BoardName(index int) string { return string(rune('A' + index)) }

// String is the move with its board's letter, such as "B5".
func (m Move) String() string { return BoardName(int(m.Board)) + string(rune('0'+m.Cell)) }

// FormatMove writes a move as v's notation has it: "B5" in Notakto, "5" in tic-tac-toe.
func (v Variant) FormatMove(m Move) string {
	if v.noughts {
		return m.String()[1:]
	}
	return m.String()
}

// ParseMove reads a move as v's notation has it, in either case of letters; on a variant of one board the letter may be left out, and in
// tic-tac-toe it may be written. The errors are [ErrBadMove], [ErrNoSuchBoard] and [ErrNoSuchCell]; whether the move is legal depends
// on the position.
func (v Variant) ParseMove(text string) (Move, error) {
	letter, digit := byte('A'), byte(0)
	switch {
	case len(text) == 1 && v.boards == 1:
		digit = text[0]
	case len(text) == 2:
		letter, digit = text[0]&^0x20, text[1]
	}
	if letter < 'A' || letter > 'Z' || digit < '0' || digit > '9' || len(text) == 2 && !isLetter(text[0]) {
		return Move{}, fmt.Errorf("%w (not %.20q)", ErrBadMove, text)
	}
	m := Move{Board: letter - 'A', Cell: Cell(digit - '0')}
	return m, v.contains(m)
}

func isLetter(b byte) bool { return 'A' <= b&^0x20 && b&^0x20 <= 'Z' }

func (v Variant) contains(m Move) error {
	switch {
	case m.Board >= v.boards:
		return fmt.Errorf("%w %s: the boards are %s", ErrNoSuchBoard, BoardName(int(m.Board)), v.boardRange())
	case !m.Cell.Valid():
		return fmt.Errorf("%w %d: the cells are 1 to 9", ErrNoSuchCell, m.Cell)
	}
	return nil
}

func (v Variant) boardRange() string {
	if v.boards == 1 {
		return "A"
	}
	return "A to " + BoardName(int(v.boards)-1)
}

package rules

import (
	"errors"
	"fmt"
	"strconv"
)

// ErrBadMove says that a text is not written like a move.
var ErrBadMove = errors.New("not a move: a move is a board's letter and a cell's digit, such as B5")

// Cell is a cell of a board, numbered like a numeric keypad: 7 8 9 on the top row, 1 2 3 on the bottom row.
type Cell uint8

// String is the cell's digit.
func (c Cell) String() string { return strconv.Itoa(int(c)) }

// Move is a mark to be placed: a board, counted from 0, and a cell of it.
type Move struct {
	Board uint8
	Cell  Cell
}

// BoardName is the letter of a board counted from 0; "?" where the alphabet has none.
func BoardName(index int) string {
	if index < 0 || index > 'Z'-'A' {
		return "?"
	}
	return string(rune('A' + index))
}

// String is the move with its board's letter, such as "B5".
func (m Move) String() string { return BoardName(int(m.Board)) + m.Cell.String() }

// FormatMove writes a move as v's notation has it: "B5" in Notakto, "5" in tic-tac-toe.
func (v Variant) FormatMove(m Move) string {
	if v.noughts {
		return m.Cell.String()
	}
	return m.String()
}

// ParseMove reads a move as v's notation has it, in either case of letters; on a variant of one board the letter may be
// left out, and in tic-tac-toe it may be written. The errors are [ErrBadMove], [ErrNoSuchBoard] and [ErrNoSuchCell];
// whether the move is legal depends on the position.
func (v Variant) ParseMove(text string) (Move, error) {
	word := text
	if len(word) == 1 && v.boards == 1 {
		word = "A" + word
	}
	if len(word) != 2 || !isLetter(word[0]) || !isDigit(word[1]) {
		return Move{}, fmt.Errorf("%w (not %.20q)", ErrBadMove, text)
	}
	m := Move{Board: upper(word[0]) - 'A', Cell: Cell(word[1] - '0')}
	if err := v.contains(m); err != nil {
		return Move{}, err
	}
	return m, nil
}

func upper(b byte) byte    { return b &^ 0x20 }
func isLetter(b byte) bool { return 'A' <= upper(b) && upper(b) <= 'Z' }
func isDigit(b byte) bool  { return '0' <= b && b <= '9' }

func (v Variant) contains(m Move) error {
	switch {
	case m.Board >= v.boards:
		return fmt.Errorf("%w %s: the boards are %s", ErrNoSuchBoard, BoardName(int(m.Board)), v.boardRange())
	case !v.HasCell(m.Cell):
		return fmt.Errorf("%w %d: the cells are 1 to %d", ErrNoSuchCell, m.Cell, rows*rows)
	}
	return nil
}

func (v Variant) boardRange() string {
	switch v.boards {
	case 0:
		return "none"
	case 1:
		return "A"
	default:
		return "A to " + BoardName(int(v.boards)-1)
	}
}

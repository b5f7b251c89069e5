package draw

import (
	"strconv"

	"notakto/rules"
)

// Digits says how the free cells are numbered.
type Digits uint8

// The numberings.
const (
	Keypad   Digits = iota // 7 8 9 on top, like a keyboard's number pad
	Phone                  // 1 2 3 on top, like a telephone
	NoDigits               // the cells show no digits
)

// Cell is the cell that a digit means.
func (d Digits) Cell(digit byte) rules.Cell {
	c := rules.Cell(digit - '0')
	if d == Phone && c.Valid() {
		return rules.CellAt(2-c.Row(), c.Column())
	}
	return c
}

// text is the digit of a cell.
func (d Digits) text(c rules.Cell) string {
	switch {
	case d == NoDigits || !c.Valid():
		return " "
	case d == Phone:
		c = rules.CellAt(2-c.Row(), c.Column())
	}
	return strconv.Itoa(int(c))
}

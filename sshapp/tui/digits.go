package tui

import (
	"strconv"

	"notakto/rules"
)

// digits says how the free cells are numbered.
type digits uint8

// The numberings.
const (
	keypad   digits = iota // 7 8 9 on top, like a keyboard's number pad
	phone                  // 1 2 3 on top, like a telephone
	noDigits               // the cells show no digits
)

// cell is the cell that a digit means.
func (d digits) cell(digit byte) rules.Cell {
	c := rules.Cell(digit - '0')
	if d == phone && c.Valid() {
		return rules.CellAt(2-c.Row(), c.Column())
	}
	return c
}

// text is the digit of a cell.
func (d digits) text(c rules.Cell) string {
	switch {
	case d == noDigits || !c.Valid():
		return " "
	case d == phone:
		c = rules.CellAt(2-c.Row(), c.Column())
	}
	return strconv.Itoa(int(c))
}

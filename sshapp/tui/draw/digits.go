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

// Cell is the cell of a variant's board that a digit means.
func (d Digits) Cell(v rules.Variant, digit byte) rules.Cell {
	c := rules.Cell(digit - '0')
	if d == Phone && v.HasCell(c) {
		return upsideDown(v, c)
	}
	return c
}

// Text is the digit of a cell.
func (d Digits) Text(v rules.Variant, c rules.Cell) string {
	switch {
	case d == NoDigits:
		return " "
	case d == Phone:
		c = upsideDown(v, c)
	}
	return strconv.Itoa(int(c))
}

func upsideDown(v rules.Variant, c rules.Cell) rules.Cell {
	row, column := v.Place(c)
	return v.CellAt(v.Rows()-1-row, column)
}

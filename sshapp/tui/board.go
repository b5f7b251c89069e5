package tui

import (
	"notakto/rules"
)

// digits says how the free cells are numbered.
type digits uint8

// The numberings.
const (
	keypad  digits = iota // 7 8 9 on top, like a keyboard's number pad
	phone                 // 1 2 3 on top, like a telephone
	nothing               // the cells show no digits
)

// cell is the cell that a digit means.
func (d digits) cell(digit byte) rules.Cell {
	c := rules.Cell(digit - '0')
	if d == phone && c.Valid() {
		return rules.CellAt(2-c.Row(), c.Column())
	}
	return c
}

const digitText = "0123456789"

// text is the digit of a cell.
func (d digits) text(c rules.Cell) string {
	switch {
	case d == nothing || !c.Valid():
		return " "
	case d == phone:
		c = rules.CellAt(2-c.Row(), c.Column())
	}
	return digitText[c : c+1]
}

// boardView is a board to be drawn.
type boardView struct {
	position      rules.Position
	index         int
	isCursorBoard bool       // the cursor's board
	cursor        rules.Cell // 0 for none
	last          rules.Cell // where the last mark was placed, 0 for elsewhere
	isOwn         bool       // whether the player placed it, who need not be shown it
	digits        digits
}

// board draws one board with its top left cell at x, y.
func (s *canvas) board(x, y int, size boardSize, v boardView) {
	fatalLine := v.position.Line(v.index)
	s.boardLines(x, y, size, v.lineRole(fatalLine != nil))
	for cell := rules.FirstCell; cell <= rules.LastCell; cell++ {
		left, top := x+cell.Column()*(size.cellWidth+1), y+cell.Row()*size.pitch()
		s.mark(left, top, size, v, cell, fatalLine)
	}
	if fatalLine != nil {
		s.strike(x, y, size, fatalLine)
	}
}

func (v boardView) lineRole(dead bool) styleRole {
	switch {
	case dead:
		return gridDead
	default:
		return grid
	}
}

// boardLines draws the lines between the cells.
func (s *canvas) boardLines(x, y int, size boardSize, k styleRole) {
	g := s.theme.glyphs
	for _, column := range [2]int{size.cellWidth, 2*size.cellWidth + 1} {
		for row := range size.height() {
			s.set(x+column, y+row, k, g.down)
		}
	}
	if !size.ruled {
		return
	}
	for _, row := range [2]int{size.cellHeight, 2*size.cellHeight + 1} {
		s.repeat(x, y+row, size.width(), k, g.across)
		s.set(x+size.cellWidth, y+row, k, g.meet)
		s.set(x+2*size.cellWidth+1, y+row, k, g.meet)
	}
}

// boardTitle writes a board's name above it, with marks around that of the cursor's board and a word beside that of a
// dead one.
func (s *canvas) boardTitle(x, y int, size boardSize, v boardView) {
	g, name := s.theme.glyphs, rules.BoardName(v.index)
	if v.position.Dead(v.index) {
		s.textCenter(x, size.width(), y, faint, name+" dead")
		return
	}
	left := x + (size.width()-5)/2
	if v.isCursorBoard {
		s.set(left, y, last, g.more)
		s.set(left+4, y, last, g.less)
	}
	s.text(left+2, y, strong, name)
}

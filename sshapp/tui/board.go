package tui

import (
	"slices"

	"notakto/rules"
)

// boards is a position to be drawn.
type boards struct {
	position rules.Position
	digits   digits
	cursor   rules.Move // without a cell for none
	last     rules.Move // the last one, without a cell for none
	isOwn    bool       // whether the player made it, who need not be shown it
}

// draw draws all boards, and their names if there are several.
func (b *boards) draw(s *canvas, a arrangement) {
	for i := range a.boards {
		x, y := a.board(i)
		one := board{
			canvas: s, boards: b, x: x, y: y, size: a.size, signs: &s.glyphs.board,
			index: uint8(i), fatalLine: b.position.Line(i), //nolint:gosec // at most nine
		}
		if a.boards > 1 {
			one.title()
		}
		one.draw()
	}
}

// board is one of them, with its top left cell at x, y of the canvas.
type board struct {
	*canvas
	*boards
	x, y      int
	size      boardSize
	signs     *boardGlyphs
	index     uint8
	fatalLine []rules.Cell // that killed it, or nil
}

// title writes the board's name above it, with marks around that of the cursor's board and a word beside that of a dead
// one.
func (b *board) title() {
	g, name, y := b.glyphs, rules.BoardName(int(b.index)), b.y-1
	if b.fatalLine != nil {
		b.textCenter(b.x, b.size.width(), y, faint, name+" dead")
		return
	}
	left := b.x + (b.size.width()-5)/2
	if b.cursor.Cell != 0 && b.cursor.Board == b.index {
		b.text(left, y, last, g.more)
		b.text(left+4, y, last, g.less)
	}
	b.text(left+2, y, strong, name)
}

func (b *board) draw() {
	b.lines()
	for cell := rules.FirstCell; cell <= rules.LastCell; cell++ {
		b.cell(cell)
	}
	if b.fatalLine != nil {
		b.strike()
	}
}

// lines draws the lines between the cells.
func (b *board) lines() {
	g, k := b.signs, grid
	if b.fatalLine != nil {
		k = gridDead
	}
	for _, column := range [2]int{b.size.cellWidth, 2*b.size.cellWidth + 1} {
		for row := range b.size.height() {
			b.text(b.x+column, b.y+row, k, g.down)
		}
	}
	if !b.size.ruled {
		return
	}
	for _, row := range [2]int{b.size.cellHeight, 2*b.size.cellHeight + 1} {
		b.repeat(b.x, b.y+row, b.size.width(), k, g.across)
		b.text(b.x+b.size.cellWidth, b.y+row, k, g.meet)
		b.text(b.x+2*b.size.cellWidth+1, b.y+row, k, g.meet)
	}
}

// cell draws what a cell holds, and around it the signs of the cursor and of the last move, which do not depend on
// colour.
func (b *board) cell(cell rules.Cell) {
	m := mark{canvas: b.canvas, size: b.size, signs: b.signs, role: b.roleOf(cell)}
	m.x, m.y = b.corner(cell)
	this := rules.Move{Board: b.index, Cell: cell}
	what := b.position.At(int(b.index), cell)
	switch {
	case what == rules.Empty && b.fatalLine == nil:
		m.text(m.x+b.size.middleX(), m.y+b.size.middleY(), m.role, b.digits.text(cell))
	case what == rules.Cross:
		m.cross()
	case what == rules.Nought:
		m.nought()
	}
	if b.last == this && what != rules.Empty {
		if !b.isOwn {
			m.role = last
		}
		m.lastMove()
	}
	if b.cursor == this && b.fatalLine == nil {
		m.cursor()
	}
}

// corner is the top left of a cell.
func (b *board) corner(cell rules.Cell) (x, y int) {
	return b.x + cell.Column()*(b.size.cellWidth+1), b.y + cell.Row()*b.size.pitch()
}

func (b *board) roleOf(cell rules.Cell) role {
	what := b.position.At(int(b.index), cell)
	switch {
	case slices.Contains(b.fatalLine, cell):
		return fatal
	case b.fatalLine != nil, what == rules.Empty:
		return faint
	case what == rules.Nought:
		return markFirst
	case b.position.Variant().IsTicTacToe():
		return markSecond
	default:
		return stroke
	}
}

package tui

import (
	"notakto/rules"
	"notakto/sshapp/tui/draw"
)

type cursor struct {
	board    int
	cell     rules.Cell
	byItself bool // the program moved the cursor there after a move; no key did
}

func (c cursor) move() rules.Move { return rules.Move{Board: uint8(c.board), Cell: c.cell} }

type direction struct{ dx, dy int }

func (e *env) arrow() direction {
	switch k := e.keys; {
	case e.pressed(&k.up):
		return direction{0, -1}
	case e.pressed(&k.down):
		return direction{0, 1}
	case e.pressed(&k.left):
		return direction{-1, 0}
	default:
		return direction{1, 0}
	}
}

func (e *env) digit() int { return int(e.attention.key[0] - '0') }

// cellOf returns the cell that the last pressed digit means.
func (e *env) cellOf(v rules.Variant) rules.Cell {
	return e.settings.digits.Cell(v, e.attention.key[0])
}

// step moves the cursor by one cell. At the edge of a board it goes on to the next living board in direction d. If
// there is none, the cursor stays.
func (c cursor) step(d direction, a draw.Arrangement, p rules.Position) cursor {
	v := p.Variant()
	row, column := v.Place(c.cell)
	row, column = row+d.dy, column+d.dx
	if rows := v.Rows(); row >= 0 && row < rows && column >= 0 && column < rows {
		return cursor{board: c.board, cell: v.CellAt(row, column)}
	}
	next := a.Next(c.board, d.dx, d.dy, p)
	if next < 0 {
		return c
	}
	return cursor{board: next, cell: v.CellAt((row+v.Rows())%v.Rows(), (column+v.Rows())%v.Rows())}
}

// cycle goes to the next living board in the order of names, or to the previous one if by is -1.
func (c cursor) cycle(by int, p rules.Position) cursor {
	boards := p.Variant().Boards()
	for i := 1; i <= boards; i++ {
		next := (c.board + by*i + boards*boards) % boards
		if !p.Dead(next) {
			return cursor{board: next, cell: c.cell}
		}
	}
	return c
}

// skipFilled goes from a filled cell to the next free cell of the same board.
func (c cursor) skipFilled(p rules.Position) cursor {
	rows := p.Variant().Rows()
	cells := rules.Cell(rows * rows)
	for next := range cells {
		if at := (c.cell-1+next)%cells + 1; p.At(c.board, at) == rules.Empty {
			return cursor{board: c.board, cell: at}
		}
	}
	return c
}

// skipDead goes from a dead board to the next living one.
func (c cursor) skipDead(p rules.Position) cursor {
	if p.Dead(c.board) {
		return c.cycle(1, p)
	}
	return c
}

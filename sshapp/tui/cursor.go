package tui

import (
	"notakto/rules"
	"notakto/sshapp/tui/draw"
)

// pointer is where the cursor is.
type pointer struct {
	board    int
	cell     rules.Cell
	byItself bool // it came there when a move was made, not by a key
}

// move is a move where the cursor is.
func (c pointer) move() rules.Move { return rules.Move{Board: uint8(c.board), Cell: c.cell} }

// direction is one step of the cursor.
type direction struct{ dx, dy int }

// step moves the cursor by one cell. At a board's edge it goes on to the next living board on the screen in that
// direction, and stays where it is if there is none.
func (c pointer) step(d direction, a draw.Arrangement, p rules.Position) pointer {
	v := p.Variant()
	row, column := v.Place(c.cell)
	row, column = row+d.dy, column+d.dx
	if rows := v.Rows(); row >= 0 && row < rows && column >= 0 && column < rows {
		return pointer{board: c.board, cell: v.CellAt(row, column)}
	}
	next := a.Next(c.board, d.dx, d.dy, p)
	if next < 0 {
		return c
	}
	return pointer{board: next, cell: v.CellAt((row+v.Rows())%v.Rows(), (column+v.Rows())%v.Rows())}
}

// cycle goes to the next living board by name, or with -1 to the one before.
func (c pointer) cycle(by int, p rules.Position) pointer {
	boards := p.Variant().Boards()
	for i := 1; i <= boards; i++ {
		next := (c.board + by*i + boards*boards) % boards
		if !p.Dead(next) {
			return pointer{board: next, cell: c.cell}
		}
	}
	return c
}

// skipFilled leaves a cell that is filled for the next one of its board that is free.
func (c pointer) skipFilled(p rules.Position) pointer {
	rows := p.Variant().Rows()
	cells := rules.Cell(rows * rows)
	for next := range cells {
		if at := (c.cell-1+next)%cells + 1; p.At(c.board, at) == rules.Empty {
			return pointer{board: c.board, cell: at}
		}
	}
	return c
}

// skipDead leaves a board that has died for the next one that lives.
func (c pointer) skipDead(p rules.Position) pointer {
	if p.Dead(c.board) {
		return c.cycle(1, p)
	}
	return c
}

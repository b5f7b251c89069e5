package tui

import (
	"notakto/rules"
	"notakto/sshapp/tui/draw"
)

type cursor struct {
	board          int
	cell           rules.Cell
	movedByProgram bool // the program moved the cursor there after a move
}

func (c cursor) move() rules.Move { return rules.Move{Board: uint8(c.board), Cell: c.cell} }

type direction struct{ dx, dy int }

func (e *env) pressedArrow() direction {
	switch keys := e.keys; {
	case e.pressed(&keys.up):
		return direction{0, -1}
	case e.pressed(&keys.down):
		return direction{0, 1}
	case e.pressed(&keys.left):
		return direction{-1, 0}
	default:
		return direction{1, 0}
	}
}

func (e *env) pressedDigit() int { return int(e.attention.key[0] - '0') }

func (e *env) pressedCell(v rules.Variant) rules.Cell {
	return e.settings.digits.Cell(v, e.attention.key[0])
}

// step moves the cursor by one cell. At the edge of a board the cursor goes on to the next living board in direction
// d, or stays if d leads to no board.
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
		if !p.IsDead(next) {
			return cursor{board: next, cell: c.cell}
		}
	}
	return c
}

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

// skipKilling goes to the next safe cell of the board, or stays if the board has no safe cell.
func (c cursor) skipKilling(p rules.Position) cursor {
	rows := p.Variant().Rows()
	cells := rules.Cell(rows * rows)
	for next := range cells {
		at := cursor{board: c.board, cell: (c.cell-1+next)%cells + 1}
		if p.Check(at.move()) == nil && !p.Kills(at.move()) {
			return at
		}
	}
	return c
}

func (c cursor) skipDead(p rules.Position) cursor {
	if p.IsDead(c.board) {
		return c.cycle(1, p)
	}
	return c
}

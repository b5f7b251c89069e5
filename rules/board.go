package rules

import "math/bits"

// board is the set of cells of one board that hold one kind of mark; bit 0 is the top left cell, then row by row.
type board uint16

const fullBoard board = 1<<9 - 1

// lines are the eight lines of a board: rows, columns, diagonals.
var lines = [8]board{0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124}

func (b board) count() int { return bits.OnesCount16(uint16(b)) }

func (b board) hasLine() bool { return b.line() != 0 }

// line is the first complete line on b, or 0.
func (b board) line() board {
	for _, l := range lines {
		if b&l == l {
			return l
		}
	}
	return 0
}

// reachable reports whether play that stops at a line can have left b.
func (b board) reachable() bool {
	if !b.hasLine() {
		return true
	}
	for rest := b; rest != 0; rest &= rest - 1 {
		if last := rest & -rest; !(b &^ last).hasLine() {
			return true
		}
	}
	return false
}

// cells lists the cells in b from the top left, row by row.
func (b board) cells() []Cell {
	cells := make([]Cell, 0, b.count())
	for i := range 9 {
		if b&(1<<i) != 0 {
			cells = append(cells, CellAt(i/3, i%3))
		}
	}
	return cells
}

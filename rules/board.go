package rules

import (
	"math/bits"
	"sync"
)

// board is the set of cells of one board that hold one kind of mark; bit 0 is the top left cell, then row by row.
type board uint16

const fullBoard board = 1<<(rows*rows) - 1

// lines are those of [Variant.Lines].
var lines = sync.OnceValue(func() []board {
	all := make([]board, 0, 2*rows+2)
	for _, cells := range (Variant{}).Lines() {
		line := board(0)
		for _, c := range cells {
			line |= c.bit()
		}
		all = append(all, line)
	}
	return all
})

func (c Cell) bit() board {
	row, column := Variant{}.Place(c)
	return 1 << (row*rows + column)
}

func (b board) count() int { return bits.OnesCount16(uint16(b)) }

func (b board) hasLine() bool { return b.line() != 0 }

// line returns the first complete line on b, or 0.
func (b board) line() board {
	for _, l := range lines() {
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
	for i := range rows * rows {
		if b&(1<<i) != 0 {
			cells = append(cells, Variant{}.CellAt(i/rows, i%rows))
		}
	}
	return cells
}

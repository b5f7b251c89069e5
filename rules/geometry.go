package rules

import "iter"

// rows is the number of rows of a board, and of its columns.
const rows = 3

// Rows is the number of rows of a board, and of its columns.
func (Variant) Rows() int { return rows }

// Cells are the cells of a board, in the order of their numbers.
func (Variant) Cells() iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		for c := Cell(1); c <= rows*rows && yield(c); c++ {
		}
	}
}

// HasCell reports whether a cell is on the boards.
func (Variant) HasCell(c Cell) bool { return c >= 1 && c <= rows*rows }

// CellAt is the cell in a row and a column, both counted from 0 at the top left.
func (Variant) CellAt(row, column int) Cell { return Cell((rows-1-row)*rows + column + 1) }

// Place is the row and the column of a cell, both counted from 0 at the top left.
func (Variant) Place(c Cell) (row, column int) { return rows - 1 - int(c-1)/rows, int(c-1) % rows }

// Lines are the lines of a board: its rows, its columns and the two diagonals, each from the top left.
func (v Variant) Lines() [][]Cell {
	var across, down [][]Cell
	falling, rising := make([]Cell, rows), make([]Cell, rows)
	for i := range rows {
		row, column := make([]Cell, rows), make([]Cell, rows)
		for j := range rows {
			row[j], column[j] = v.CellAt(i, j), v.CellAt(j, i)
		}
		across, down = append(across, row), append(down, column)
		falling[i], rising[i] = v.CellAt(i, i), v.CellAt(i, rows-1-i)
	}
	return append(append(across, down...), falling, rising)
}

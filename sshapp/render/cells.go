package render

// Cell is one column of a row, for a reader that is no terminal.
type Cell struct {
	Glyph string // "" in the second column of a wide glyph
	Style Style  // a space has the simplest style that looks the same
}

// Cells are the cells of g, row by row.
func Cells(g *Grid) [][]Cell {
	rows := make([][]Cell, g.height)
	for y := range rows {
		rows[y] = make([]Cell, g.width)
		for x, c := range g.row(y) {
			rows[y][x] = Cell{string(g.appendGlyph(nil, c)), g.styles.all[c.style].unpacked()}
		}
	}
	return rows
}

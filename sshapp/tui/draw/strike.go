package draw

import "notakto/rules"

// directionOf is the way in which the cells of a line lie, given from the top left.
func directionOf(v rules.Variant, line []rules.Cell) lineDirection {
	row, column := v.Place(line[0])
	lastRow, lastColumn := v.Place(line[len(line)-1])
	switch {
	case row == lastRow:
		return lieAcross
	case column == lastColumn:
		return lieDown
	case column < lastColumn:
		return lieFalling
	default:
		return lieRising
	}
}

// strike draws the line through the marks that killed a board, leaving the marks to be seen.
func (b *board) strike() {
	way := directionOf(b.Position.Variant(), b.fatalLine)
	if b.size.cellHeight == 1 {
		b.strikeLow(way)
	}
	x, y := b.corner(b.fatalLine[0])
	switch way {
	case lieAcross:
		for i := range b.size.width() {
			b.strikeCell(b.x+i, y+b.size.middleY(), way)
		}
	case lieDown:
		for i := range b.size.height() {
			b.strikeCell(x+b.size.middleX(), b.y+i, way)
		}
	default:
		if b.size.ruled {
			b.strikeSlanting(way)
		}
	}
}

// strikeLow marks the cells of a line where the cells are one row high, which leaves no room for a line between
// them.
func (b *board) strikeLow(way lineDirection) {
	for _, cell := range b.fatalLine {
		m := mark{Canvas: b.Canvas, size: b.size, role: fatal}
		m.x, m.y = b.corner(cell)
		m.beside(b.signs.strike[way], b.signs.strike[way])
	}
}

// strikeSlanting draws the line where it passes between the cells.
func (b *board) strikeSlanting(way lineDirection) {
	for i := range b.size.rows - 1 {
		row, column := b.size.ruleAcross(i), b.size.rule(i)
		if way == lieRising {
			column = b.size.width() - 1 - column
		}
		b.Text(b.x+column, b.y+row, fatal, b.signs.strikeMeet[way])
	}
}

// strikeCell puts one piece of the line, unless a mark stands there.
func (b *board) strikeCell(x, y int, way lineDirection) {
	switch g := b.signs; string(b.grid.Rune(x, y)) {
	case " ":
		b.Text(x, y, fatal, g.strike[way])
	case g.across, g.down, g.meet:
		b.Text(x, y, fatal, g.strikeMeet[way])
	}
}

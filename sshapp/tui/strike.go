package tui

import "notakto/rules"

// directionOf is the way in which three cells of a board lie, given from the top left.
func directionOf(line []rules.Cell) lineDirection {
	from, to := line[0], line[len(line)-1]
	switch {
	case from.Row() == to.Row():
		return lieAcross
	case from.Column() == to.Column():
		return lieDown
	case from.Column() < to.Column():
		return lieFalling
	default:
		return lieRising
	}
}

// strike draws the line through the three marks that killed a board, leaving the marks to be seen.
func (s *canvas) strike(x, y int, size boardSize, line []rules.Cell) {
	way := directionOf(line)
	if size.cellHeight == 1 {
		s.strikeLow(x, y, size, line, way)
	}
	g := s.theme.glyphs
	row, column := line[0].Row()*size.pitch()+size.middleY(), line[0].Column()*(size.cellWidth+1)+size.middleX()
	switch way {
	case lieAcross:
		for i := range size.width() {
			s.strikeCell(x+i, y+row, g.strike[way], g.strikeMeet[way])
		}
	case lieDown:
		for i := range size.height() {
			s.strikeCell(x+column, y+i, g.strike[way], g.strikeMeet[way])
		}
	default:
		if size.ruled {
			s.strikeSlanting(x, y, size, way)
		}
	}
}

// strikeLow marks the three cells of a line where the cells are one row high, which leaves no room for a line between
// them.
func (s *canvas) strikeLow(x, y int, size boardSize, line []rules.Cell, way lineDirection) {
	glyph := s.theme.glyphs.strike[way]
	for _, cell := range line {
		s.beside(x+cell.Column()*(size.cellWidth+1), y+cell.Row()*size.pitch(), size, fatal, glyph, glyph)
	}
}

// strikeSlanting draws the line where it passes between the cells.
func (s *canvas) strikeSlanting(x, y int, size boardSize, way lineDirection) {
	glyph := s.theme.glyphs.strikeMeet[way]
	for i, row := range [2]int{size.cellHeight, 2*size.cellHeight + 1} {
		column := [2]int{size.cellWidth, 2*size.cellWidth + 1}[i]
		if way == lieRising {
			column = size.width() - 1 - column
		}
		s.set(x+column, y+row, fatal, glyph)
	}
}

// strikeCell puts one piece of the line, unless a mark stands there.
func (s *canvas) strikeCell(x, y int, along, meet string) {
	g := s.theme.glyphs
	switch string(s.grid.Rune(x, y)) {
	case " ":
		s.set(x, y, fatal, along)
	case g.across, g.down, g.meet:
		s.set(x, y, fatal, meet)
	}
}

package draw

// mark is what stands in a cell with its top left at x, y of the canvas.
type mark struct {
	*Canvas
	x, y  int
	size  boardSize
	signs *boardGlyphs
	role  Role

	isNought bool
}

// middle is where a mark has its heart.
func (m *mark) middle() (x, y int) { return m.x + m.size.middleX(), m.y + m.size.middleY() }

// cross draws a cross: one character in a low cell, of half blocks in a high one.
func (m *mark) cross() {
	g, k := m.signs, m.role
	x, y := m.middle()
	switch {
	case m.size.cellHeight == 1:
		m.Text(x, y, k, g.cross)
	case g.halves != halves{}:
		m.heavyCross()
	case m.size.cellHeight == 2:
		m.Text(x, m.y, k, g.arms[0])
		m.Text(x+1, m.y, k, g.arms[1])
		m.Text(x, m.y+1, k, g.arms[1])
		m.Text(x+1, m.y+1, k, g.arms[0])
	default:
		m.Text(x, y, k, g.center)
		for i := 1; i <= m.size.reach(); i++ {
			m.Text(x-i, y-i, k, g.arms[0])
			m.Text(x+i, y+i, k, g.arms[0])
			m.Text(x-i, y+i, k, g.arms[1])
			m.Text(x+i, y-i, k, g.arms[1])
		}
	}
}

// heavyCross draws a cross of half blocks, which are about as high as they are wide: two diagonals, the thicker the
// larger it is.
func (m *mark) heavyCross() {
	halves, width := m.size.crossHalves(), m.size.crossWidth()
	outer, inner := m.size.crossThickness()
	m.blocks(func(column, half int) bool {
		arm := min(half, halves-1-half) * (width - 1) / (halves - 2)
		other := width - 1 - column
		return column >= arm-outer && column <= arm+inner || other >= arm-outer && other <= arm+inner
	})
}

// heavyNought draws a nought of half blocks, as large and as thick as a cross.
func (m *mark) heavyNought() {
	across, down := float64(m.size.crossWidth())/2, float64(m.size.crossHalves())/2
	thickness, _ := m.size.crossThickness()
	hole := 1 - (1.5*float64(thickness)+1)/across
	m.blocks(func(column, half int) bool {
		x, y := (float64(column)+.5)/across-1, (float64(half)+.5)/down-1
		distance := x*x + y*y
		return distance <= 1.05 && distance >= hole*hole
	})
}

// blocks draws a mark as large as a cross from the half blocks that are on.
func (m *mark) blocks(isOn func(column, half int) bool) {
	rows, halves, width := m.size.crossHeight(), m.size.crossHalves(), m.size.crossWidth()
	left, top := m.x+(m.size.cellWidth-width)/2, m.y+(m.size.cellHeight-rows)/2
	blank := rows - halves/2 // half a row above and below
	for row := range rows {
		for column := range width {
			at := 2*row - blank
			upper, lower := at >= 0 && isOn(column, at), at+1 < halves && isOn(column, at+1)
			switch {
			case upper && lower:
				m.Text(left+column, top+row, m.role, m.signs.halves.both)
			case upper:
				m.Text(left+column, top+row, m.role, m.signs.halves.upper)
			case lower:
				m.Text(left+column, top+row, m.role, m.signs.halves.lower)
			}
		}
	}
}

// nought draws a nought. Only tic-tac-toe has them, whose single board never has the cells of two rows.
func (m *mark) nought() {
	x, y := m.middle()
	switch {
	case m.size.cellHeight < 3:
		m.Text(x, y, m.role, m.signs.nought)
		return
	case m.signs.halves != halves{}:
		m.heavyNought()
		return
	}
	high := m.size.reach()
	wide := high
	if high > 1 {
		wide++ // to look round
	}
	m.Canvas.drawRing(Rect{x - wide, y - high, 2*wide + 1, 2*high + 1}, m.role, &m.signs.ring)
}

// lastMove signs the last mark: an amber heart, or brackets around a low one. Where there is no amber, or the mark is
// not a cross of blocks, the heart has another sign, and one of two by two has a ring's corners around it.
func (m *mark) lastMove() {
	x, y := m.middle()
	switch hasHeart := m.signs.halves != (halves{}) && m.theme.hasAmber && !m.isNought; {
	case m.size.cellHeight == 1:
		m.beside("(", ")")
	case m.size.cellHeight == 2 && hasHeart:
		m.Text(x, m.y, m.role, m.signs.halves.lower)
		m.Text(x, m.y+1, m.role, m.signs.halves.upper)
	case m.size.cellHeight == 2:
		m.corners(Rect{x - 1, m.y, 4, 2}, m.role, &m.signs.ring)
	case hasHeart:
		_, wide := m.size.crossThickness()
		for dy := -wide / 2; dy <= wide/2; dy++ {
			m.repeat(x-wide, y+dy, 2*wide+1, m.role, m.signs.halves.both)
		}
	default:
		m.Text(x, y, m.role, m.signs.lastMoveCenter)
	}
}

// beside writes a sign left and right of what is in a low cell.
func (m *mark) beside(left, right string) {
	x, y := m.middle()
	m.Text(x-1, y, m.role, left)
	m.Text(x+1, y, m.role, right)
}

// cursor draws the cursor around a cell: corners in a high one, and brackets in a low one or beside a mark, whose arms
// corners would touch.
func (m *mark) cursor(isFilled bool) {
	if m.size.cellHeight == 1 || isFilled {
		y := m.y + m.size.middleY()
		m.Text(m.x, y, Cursor, "[")
		m.Text(m.x+m.size.cellWidth-1, y, Cursor, "]")
		return
	}
	m.corners(Rect{m.x, m.y, m.size.cellWidth, m.size.cellHeight}, Cursor, &m.signs.corners)
}

package tui

import "notakto/rules"

// size is how large a window is.
type size struct{ width, height int }

// roomy reports whether a window has room for more than what is needed.
func (s size) roomy() bool { return s.height >= 20 && s.width >= 72 }

// margin is how far the text is from a window's edges.
func (s size) margin() int {
	if s.roomy() {
		return 2
	}
	return 1
}

// rect is a part of the canvas.
type rect struct{ x, y, width, height int }

// column is the middle of an area, no wider than text reads well.
func (r rect) column(width int) rect {
	if r.width <= width {
		return r
	}
	r.x += (r.width - width) / 2
	r.width = width
	return r
}

// lower leaves out lines at the top.
func (r rect) lower(lines int) rect {
	return rect{r.x, r.y + lines, r.width, r.height - lines}
}

// boardSize is how large a board is drawn.
type boardSize struct {
	cellWidth, cellHeight int
	ruled                 bool // whether there is room for lines between the rows
}

func (b boardSize) width() int { return 3*b.cellWidth + 2 }

func (b boardSize) middleX() int { return (b.cellWidth - 1) / 2 }

func (b boardSize) middleY() int { return (b.cellHeight - 1) / 2 }

// reach is how far the arms of a cross go out from its middle.
func (b boardSize) reach() int { return min(b.middleX()-1, b.middleY(), 2) }

func (b boardSize) height() int {
	if b.ruled {
		return 3*b.cellHeight + 2
	}
	return 3 * b.cellHeight
}

// boardSizes are the sizes there are, largest first. A character is about twice as high as it is wide, and so are the
// cells.
func boardSizes() [9]boardSize {
	return [9]boardSize{
		{13, 7, true}, {11, 5, true}, {9, 5, true}, {7, 3, true}, {5, 3, true}, {6, 2, true}, {5, 1, true}, {3, 1, true}, {3, 1, false},
	}
}

// arrangement is where the boards of a match stand.
type arrangement struct {
	boards, columns int
	size            boardSize
	x, y            int // of the first board
	stepX, stepY    int // from one board to its neighbours
	indent          int // of the last row, when it is not full
}

// arrange finds the largest boards that fit into an area, and centres them there. Above each of several boards a line
// is left for its name. If nothing fits the boards have no size.
func arrange(boards int, area rect) arrangement {
	title := 0
	if boards > 1 {
		title = 1
	}
	for _, size := range boardSizes() {
		for columns := boards; columns >= 1; columns-- {
			rows := (boards + columns - 1) / columns
			if columns*(size.width()+2)-2 <= area.width && rows*(size.height()+title) <= area.height {
				return place(boards, evenColumns(boards, rows), rows, title, size, area)
			}
		}
	}
	return arrangement{boards: boards}
}

// evenColumns is the smallest number of columns with which boards still fill no more than the rows.
func evenColumns(boards, rows int) int { return (boards + rows - 1) / rows }

func place(boards, columns, rows, title int, size boardSize, area rect) arrangement {
	gap := 0
	if columns > 1 {
		gap = min(size.cellWidth, (area.width-columns*size.width())/(columns+1))
		gap = max(2, gap)
	}
	space := min(1, (area.height-rows*(size.height()+title))/(rows+1))
	a := arrangement{
		boards: boards, columns: columns, size: size,
		stepX: size.width() + gap, stepY: size.height() + title + space,
	}
	a.x = area.x + max(0, (area.width-columns*a.stepX+gap)/2)
	a.y = area.y + max(0, (area.height-rows*a.stepY+space)/2) + title
	if short := boards % columns; short > 0 {
		a.indent = (columns - short) * a.stepX / 2
	}
	return a
}

// area is how many cells of the screen a board takes.
func (a arrangement) area() int { return a.size.width() * a.size.height() }

// bounds is the part of the canvas that the boards and their names take.
func (a arrangement) bounds() rect {
	rows := (a.boards + a.columns - 1) / a.columns
	return rect{a.x, a.y - 1, a.columns*a.stepX - (a.stepX - a.size.width()), rows*a.stepY - (a.stepY - a.size.height()) + 1}
}

// board is where a board's top left cell begins.
func (a arrangement) board(index int) (x, y int) {
	row, column := index/a.columns, index%a.columns
	x, y = a.x+column*a.stepX, a.y+row*a.stepY
	if row == (a.boards-1)/a.columns {
		x += a.indent
	}
	return x, y
}

// hit is the cell at a place on the canvas.
func (a arrangement) hit(x, y int) (rules.Move, bool) {
	if a.size.cellWidth == 0 {
		return rules.Move{}, false
	}
	for i := range a.boards {
		left, top := a.board(i)
		dx, dy := x-left, y-top
		if dx < 0 || dy < 0 || dx >= a.size.width() || dy >= a.size.height() {
			continue
		}
		row := dy / a.size.pitch()
		column := dx / (a.size.cellWidth + 1)
		onLine := dx%(a.size.cellWidth+1) == a.size.cellWidth || a.size.ruled && dy%a.size.pitch() == a.size.cellHeight
		return rules.Move{Board: uint8(i), Cell: rules.CellAt(row, column)}, !onLine
	}
	return rules.Move{}, false
}

// pitch is how far a row of cells is from the next one.
func (b boardSize) pitch() int {
	if b.ruled {
		return b.cellHeight + 1
	}
	return b.cellHeight
}

// next is the nearest living board on the screen in a direction, or -1.
func (a arrangement) next(board, dx, dy int, p rules.Position) int {
	fromX, fromY := a.board(board)
	best, least := -1, 0
	for i := range a.boards {
		x, y := a.board(i)
		ahead, aside := (x-fromX)*dx+(y-fromY)*dy, (x-fromX)*dy+(y-fromY)*dx
		aside = max(aside, -aside)
		if ahead <= 0 || p.Dead(i) || dx != 0 && y != fromY || dy != 0 && aside > a.stepX*2/3 {
			continue
		}
		if cost := ahead*4 + aside; best < 0 || cost < least {
			best, least = i, cost
		}
	}
	return best
}

// atTop is the arrangement with its first row of boards at the top of an area.
func (a arrangement) atTop(area rect) arrangement {
	a.y += area.y - a.bounds().y
	return a
}

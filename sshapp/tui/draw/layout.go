package draw

import "notakto/rules"

// Size is the size of a window.
type Size struct{ Width, Height int }

// IsRoomy reports whether a window has room for more than the minimum.
func (s Size) IsRoomy() bool { return s.Height >= 20 && s.Width >= 72 }

// IsTall reports whether a roomy window has rows to spare.
func (s Size) IsTall() bool { return s.IsRoomy() && s.Height >= 32 }

// IsWide reports whether a tall window has columns to spare.
func (s Size) IsWide() bool { return s.IsTall() && s.Width >= 160 }

// Pick returns the number for a small, a roomy or a tall window.
func (s Size) Pick(small, roomy, tall int) int {
	switch {
	case s.IsTall():
		return tall
	case s.IsRoomy():
		return roomy
	default:
		return small
	}
}

// Bottom returns the number of rows for the notice and the keys.
func (s Size) Bottom() int {
	return s.Pick(2, 2, 3)
}

// Margin returns the number of columns between text and the window's edges.
func (s Size) Margin() int {
	return s.Pick(1, 2, 2)
}

// Page returns the middle of a huge window, else the whole window.
func (s Size) Page() Rect {
	const width, height = 220, 66
	x, y := max(0, (s.Width-width)/2), max(0, (s.Height-height)/2)
	return Rect{x, y, s.Width - 2*x, s.Height - 2*y}
}

// Rect is a part of the canvas.
type Rect struct{ X, Y, Width, Height int }

// Column returns the middle of r, at most width columns wide.
func (r Rect) Column(width int) Rect {
	if r.Width <= width {
		return r
	}
	r.X += (r.Width - width) / 2
	r.Width = width
	return r
}

// Middle leaves out the rows of r above a block that stands in the middle of r and is height rows high.
func (r Rect) Middle(height int) Rect { return r.Lower(max(0, r.Height-height) / 2) }

// Lower leaves out n rows at the top. A negative n adds rows.
func (r Rect) Lower(n int) Rect {
	return Rect{r.X, r.Y + n, r.Width, r.Height - n}
}

// Arrangement holds the places of the boards of a match.
type Arrangement struct {
	variant      rules.Variant
	columns      int
	size         boardSize
	x, y         int
	stepX, stepY int
	indent       int // the indent of a last row that is not full
}

// Arrange places the largest boards that fit into an area, in its middle. Several boards each have a row for a name.
// If no size fits, the arrangement is empty.
func Arrange(v rules.Variant, area Rect) Arrangement {
	boards, title := v.Boards(), 0
	if boards > 1 {
		title = 1
	}
	for _, size := range boardSizes(v.Rows()) {
		for columns := boards; columns >= 1; columns-- {
			rows := (boards + columns - 1) / columns
			if columns*(size.width()+2)-2 <= area.Width && rows*(size.height()+title) <= area.Height {
				even := (boards + rows - 1) / rows // the fewest columns for this number of rows
				return place(v, even, rows, title, size, area)
			}
		}
	}
	return Arrangement{variant: v}
}

// ArrangePicture is Arrange for a single board that serves as a picture. Its sizes include one with crosses that fill
// their cells.
func ArrangePicture(v rules.Variant, area Rect) Arrangement {
	a, size := Arrange(v, area), boardSize{v.Rows(), 3, 2, true}
	if a.size.cellHeight == 1 && size.width() <= area.Width && size.height() <= area.Height {
		return place(v, 1, 1, 0, size, area)
	}
	return a
}

func place(v rules.Variant, columns, rows, title int, size boardSize, area Rect) Arrangement {
	gap := 0
	if columns > 1 {
		gap = min(size.cellWidth, (area.Width-columns*size.width())/(columns+1))
		gap = max(2, gap)
	}
	space := min(1, (area.Height-rows*(size.height()+title))/(rows+1))
	a := Arrangement{
		variant: v, columns: columns, size: size,
		stepX: size.width() + gap, stepY: size.height() + title + space,
	}
	a.x = area.X + max(0, (area.Width-columns*a.stepX+gap)/2)
	a.y = area.Y + max(0, (area.Height-rows*a.stepY+space)/2) + title
	if short := v.Boards() % columns; short > 0 {
		a.indent = (columns - short) * a.stepX / 2
	}
	return a
}

// Variant returns the variant of the boards.
func (a Arrangement) Variant() rules.Variant { return a.variant }

// IsEmpty reports whether there was no room for the boards.
func (a Arrangement) IsEmpty() bool { return a.columns == 0 }

// BoardArea returns the number of the canvas's cells in one board, or 0 if a is empty.
func (a Arrangement) BoardArea() int { return a.size.width() * a.size.height() }

// Bounds returns the area of the boards and their names.
func (a Arrangement) Bounds() Rect {
	rows := (a.variant.Boards() + a.columns - 1) / a.columns
	title := min(1, a.variant.Boards()-1)
	width, height := a.columns*a.stepX-(a.stepX-a.size.width()), rows*a.stepY-(a.stepY-a.size.height())
	return Rect{a.x, a.y - title, width, height + title}
}

// Board returns the area of a board without its name.
func (a Arrangement) Board(index int) Rect {
	row, column := index/a.columns, index%a.columns
	bounds := Rect{a.x + column*a.stepX, a.y + row*a.stepY, a.size.width(), a.size.height()}
	if row == (a.variant.Boards()-1)/a.columns {
		bounds.X += a.indent
	}
	return bounds
}

// Hit returns the cell at a place on the canvas, and false for a line or a place outside the boards.
func (a Arrangement) Hit(x, y int) (rules.Move, bool) {
	if a.size.cellWidth == 0 {
		return rules.Move{}, false
	}
	for i := range a.variant.Boards() {
		bounds := a.Board(i)
		dx, dy := x-bounds.X, y-bounds.Y
		if dx < 0 || dy < 0 || dx >= bounds.Width || dy >= bounds.Height {
			continue
		}
		row := dy / a.size.rowStep()
		column := dx / (a.size.cellWidth + 1)
		onLine := dx%(a.size.cellWidth+1) == a.size.cellWidth || a.size.ruled && dy%a.size.rowStep() == a.size.cellHeight
		return rules.Move{Board: uint8(i), Cell: a.variant.CellAt(row, column)}, !onLine
	}
	return rules.Move{}, false
}

// Next returns the nearest living board in a direction on the screen, or -1.
func (a Arrangement) Next(board, dx, dy int, p rules.Position) int {
	from := a.Board(board)
	best, least := -1, 0
	for i := range a.variant.Boards() {
		to := a.Board(i)
		ahead, aside := (to.X-from.X)*dx+(to.Y-from.Y)*dy, (to.X-from.X)*dy+(to.Y-from.Y)*dx
		aside = max(aside, -aside)
		if ahead <= 0 || p.IsDead(i) || dx != 0 && to.Y != from.Y || dy != 0 && aside > a.stepX*2/3 {
			continue
		}
		if cost := ahead*4 + aside; best < 0 || cost < least {
			best, least = i, cost
		}
	}
	return best
}

// MovedTo returns a with the top left of its bounds at x, y.
func (a Arrangement) MovedTo(x, y int) Arrangement {
	bounds := a.Bounds()
	a.x, a.y = a.x+x-bounds.X, a.y+y-bounds.Y
	return a
}

// AtTop returns a with the top of its bounds at the top of area.
func (a Arrangement) AtTop(area Rect) Arrangement { return a.MovedTo(a.Bounds().X, area.Y) }

type boardSize struct {
	rows                  int // the number of rows of cells, and of columns
	cellWidth, cellHeight int
	ruled                 bool // with lines between the rows
}

// boardSizes returns all sizes, the largest first. A character is about twice as high as wide, and the cells look
// square.
func boardSizes(rows int) [12]boardSize {
	return [12]boardSize{
		{rows, 29, 15, true}, {rows, 23, 11, true}, {rows, 17, 9, true},
		{rows, 13, 7, true}, {rows, 11, 5, true}, {rows, 9, 5, true}, {rows, 7, 3, true}, {rows, 5, 3, true},
		{rows, 6, 2, true}, {rows, 5, 1, true}, {rows, 3, 1, true}, {rows, 3, 1, false},
	}
}

func (b boardSize) width() int { return b.ruleColumn(b.rows - 1) }

func (b boardSize) ruleColumn(column int) int { return (column+1)*(b.cellWidth+1) - 1 }

func (b boardSize) ruleRow(row int) int { return (row+1)*(b.cellHeight+1) - 1 }

func (b boardSize) middleX() int { return (b.cellWidth - 1) / 2 }

func (b boardSize) middleY() int { return (b.cellHeight - 1) / 2 }

func (b boardSize) crossHeight() int {
	switch {
	case b.cellHeight >= 9:
		return b.cellHeight - 2
	case b.cellWidth >= 11:
		return b.cellHeight
	default:
		return min(3, b.cellHeight)
	}
}

// crossWidth returns the width of a cross. A cross is about square, or narrower to keep away from the lines.
func (b boardSize) crossWidth() int {
	square := 2*b.crossHeight() - 1
	switch {
	case square > 5:
		return min(square, b.cellWidth-2)
	case b.cellWidth == 9: // for arms of two columns
		return square + 2
	default:
		return square
	}
}

// crossHalves returns the height of a cross in half rows. A half row is as high as a column is wide.
func (b boardSize) crossHalves() int { return min(2*b.crossHeight(), b.crossWidth()+1) }

// crossThickness returns how many columns an arm has beyond the first, on its outer and on its inner side.
func (b boardSize) crossThickness() (outer, inner int) {
	if b.cellWidth < 11 {
		return 0, b.cellWidth / 9
	}
	thickness := (b.crossHeight() + 1) / 6
	return thickness, thickness
}

func (b boardSize) armLength() int { return min(b.middleX()-1, b.middleY(), max(2, b.middleY()-1)) }

func (b boardSize) height() int {
	if b.ruled {
		return b.ruleRow(b.rows - 1)
	}
	return b.rows * b.cellHeight
}

func (b boardSize) rowStep() int {
	if b.ruled {
		return b.cellHeight + 1
	}
	return b.cellHeight
}

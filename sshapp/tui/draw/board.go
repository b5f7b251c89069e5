package draw

import (
	"slices"
	"strconv"

	"notakto/rules"
)

// Boards draws a position. In its moves, cell 0 means no move.
type Boards struct {
	Position rules.Position
	Digits   Digits
	Deadly   bool       // the digits of deadly cells stand out
	Cursor   rules.Move // the cell that the cursor is on
	Rests    bool       // the cursor shows only at the name of its board
	Last     rules.Move // the last move
	Better   rules.Move // a move that would have been better
	Tried    rules.Move // a move that is not made: in brackets, with the line that it would complete
	Dying    BoardSet   // boards that have just died: they keep their lines, and the fatal crosses flash
	Given    bool       // the match was given up or timed out: living boards are dimmed too
	Final    bool       // the match is over: the fatal crosses stand out
	Noughts  bool       // in tic-tac-toe the player at this screen has the noughts
}

// BoardSet has a bit for each board of a match.
type BoardSet uint16

// Draw draws all boards, with their names if there are several. It draws nothing for an empty arrangement.
func (b *Boards) Draw(c *Canvas, a Arrangement) {
	if a.IsEmpty() {
		return
	}
	for i := range a.variant.Boards() {
		at := a.Board(i)
		one := board{
			Canvas: c, Boards: b, x: at.X, y: at.Y, size: a.size, signs: &c.Glyphs.board,
			index: uint8(i), fatalLine: b.Position.Line(i), //nolint:gosec // at most nine
		}
		if b.Tried.Cell != 0 && int(b.Tried.Board) == i {
			if next, err := b.Position.Play(b.Tried); err == nil {
				one.triedLine = next.Line(i)
			}
		}
		if a.variant.Boards() > 1 {
			one.title()
		}
		if !one.isOver() { // only the crosses of a dead board are left
			one.lines()
		}
		for cell := range a.variant.Cells() {
			one.cell(cell)
		}
	}
}

// board is one board, with its top left cell at x, y of the canvas.
type board struct {
	*Canvas
	*Boards
	x, y      int
	size      boardSize
	signs     *boardGlyphs
	index     uint8
	fatalLine []rules.Cell // the line that killed the board, or nil
	triedLine []rules.Cell // the line that [Boards.Tried] would complete, or nil
}

func (b *board) title() {
	g, name, y := b.Glyphs, rules.BoardName(int(b.index)), b.y-1
	if b.isOver() {
		role := fatal
		if b.Final {
			role = Bad
		}
		b.TextCenter(b.x, b.size.width(), y, role, name+" dead")
		return
	}
	left := b.x + (b.size.width()-5)/2
	if b.Cursor.Cell != 0 && b.Cursor.Board == b.index {
		b.Text(left, y, Last, g.More)
		b.Text(left+4, y, Last, g.Less)
	}
	role := Strong
	if b.Given {
		role = Faint
	}
	b.Text(left+2, y, role, name)
}

func (b *board) isOver() bool { return b.fatalLine != nil && b.Dying>>b.index&1 == 0 }

func (b *board) lines() {
	g, k := b.signs, Grid
	for i := range b.size.rows - 1 {
		column := b.size.rule(i)
		for row := range b.size.height() {
			b.Text(b.x+column, b.y+row, k, g.down)
		}
	}
	if !b.size.ruled {
		return
	}
	for i := range b.size.rows - 1 {
		y := b.y + b.size.ruleAcross(i)
		b.repeat(b.x, y, b.size.width(), k, g.across)
		for j := range b.size.rows - 1 {
			b.Text(b.x+b.size.rule(j), y, k, g.meet)
		}
	}
}

// cell draws the contents of a cell, and the brackets or corners of the cursor and the last move. Those signs do not
// depend on color.
func (b *board) cell(cell rules.Cell) {
	m := mark{Canvas: b.Canvas, size: b.size, signs: b.signs, role: b.roleOf(cell)}
	row, column := b.Position.Variant().Place(cell)
	m.x, m.y = b.x+column*(b.size.cellWidth+1), b.y+row*b.size.pitch()
	this := rules.Move{Board: b.index, Cell: cell}
	what := b.Position.At(int(b.index), cell)
	m.isNought = what == rules.Nought
	switch {
	case what == rules.Empty && b.Better == this:
		m.Text(m.x+b.size.middleX(), m.y+b.size.middleY(), Good, b.Glyphs.Better)
	case what == rules.Empty && b.isOver():
		if b.size.cellHeight == 1 { // where crosses of one letter would look scattered
			m.Text(m.x+b.size.middleX(), m.y, Grid, b.Glyphs.dot)
		}
	case what == rules.Empty:
		m.Text(m.x+b.size.middleX(), m.y+b.size.middleY(), m.role, b.Digits.Text(b.Position.Variant(), cell))
	case what == rules.Cross:
		m.cross()
	case what == rules.Nought:
		m.nought()
	}
	if b.Last == this && what != rules.Empty {
		m.role = Last
		m.lastMove()
	}
	if b.fatalLine == nil && (b.Cursor == this && !b.Rests || b.Tried == this) {
		m.cursor(what != rules.Empty)
	}
}

func (b *board) roleOf(cell rules.Cell) Role {
	what := b.Position.At(int(b.index), cell)
	switch {
	case slices.Contains(b.fatalLine, cell) && !b.isOver():
		return dying
	case slices.Contains(b.fatalLine, cell) && b.Final, slices.Contains(b.triedLine, cell) && what != rules.Empty:
		return deadly
	case slices.Contains(b.fatalLine, cell):
		return fatal
	case b.isOver():
		return dead
	case what == rules.Empty && b.Deadly && b.Position.Kills(rules.Move{Board: b.index, Cell: cell}):
		return deadly
	case what == rules.Empty, b.Given:
		return Faint
	case !b.Position.Variant().IsTicTacToe() && b.size.cellHeight == 1: // a letter among digits
		return Strong
	case !b.Position.Variant().IsTicTacToe():
		return stroke
	case (what == rules.Nought) == b.Noughts:
		return Here
	default:
		return Other
	}
}

// mark draws the contents of a cell whose top left is at x, y of the canvas.
type mark struct {
	*Canvas
	x, y  int
	size  boardSize
	signs *boardGlyphs
	role  Role

	isNought bool
}

func (m *mark) middle() (x, y int) { return m.x + m.size.middleX(), m.y + m.size.middleY() }

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

// heavyCross draws two diagonals of half blocks. A half block is about as high as it is wide.
func (m *mark) heavyCross() {
	halves, width := m.size.crossHalves(), m.size.crossWidth()
	outer, inner := m.size.crossThickness()
	m.blocks(func(column, half int) bool {
		arm := min(half, halves-1-half) * (width - 1) / (halves - 2)
		other := width - 1 - column
		return column >= arm-outer && column <= arm+inner || other >= arm-outer && other <= arm+inner
	})
}

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

// blocks draws a mark of a cross's size from the half blocks for which isOn is true.
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

// nought draws a nought. Only the single board of tic-tac-toe has noughts.
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
	m.drawRing(Rect{x - wide, y - high, 2*wide + 1, 2*high + 1}, m.role, &m.signs.ring)
}

// lastMove marks the last move. A mark of one row gets brackets. A cross of half blocks gets an amber center if the
// terminal has amber. Of the other marks, one of two rows gets corners and a larger one another center.
func (m *mark) lastMove() {
	x, y := m.middle()
	switch hasHeart := m.signs.halves != (halves{}) && m.theme.hasAmber && !m.isNought; {
	case m.size.cellHeight == 1:
		m.Text(x-1, y, m.role, "(")
		m.Text(x+1, y, m.role, ")")
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

// cursor draws corners around a free cell of several rows, else brackets: corners would touch the arms of a mark.
func (m *mark) cursor(isFilled bool) {
	if m.size.cellHeight == 1 || isFilled {
		y := m.y + m.size.middleY()
		m.Text(m.x, y, Cursor, "[")
		m.Text(m.x+m.size.cellWidth-1, y, Cursor, "]")
		return
	}
	m.corners(Rect{m.x, m.y, m.size.cellWidth, m.size.cellHeight}, Cursor, &m.signs.corners)
}

// Digits selects the numbering of free cells.
type Digits uint8

// The numberings.
const (
	Keypad   Digits = iota // 7 8 9 on top, like a keyboard's number pad
	Phone                  // 1 2 3 on top, like a telephone
	NoDigits               // the cells show no digits
)

// Cell returns the cell that a digit means.
func (d Digits) Cell(v rules.Variant, digit byte) rules.Cell {
	c := rules.Cell(digit - '0')
	if d == Phone && v.HasCell(c) {
		return onTelephone(v, c)
	}
	return c
}

// Text returns the digit of a cell.
func (d Digits) Text(v rules.Variant, c rules.Cell) string {
	switch {
	case d == NoDigits:
		return " "
	case d == Phone:
		c = onTelephone(v, c)
	}
	return strconv.Itoa(int(c))
}

// onTelephone converts a cell between the numberings of keypad and telephone. The conversion is its own inverse.
func onTelephone(v rules.Variant, c rules.Cell) rules.Cell {
	row, column := v.Place(c)
	return v.CellAt(v.Rows()-1-row, column)
}

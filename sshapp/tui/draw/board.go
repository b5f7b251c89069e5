package draw

import (
	"slices"
	"strconv"

	"notakto/rules"
)

// Boards draws a position. A move with cell 0 is no move.
type Boards struct {
	Position rules.Position
	Digits   Digits
	Deadly   bool // the digits of deadly cells stand out
	Cursor   rules.Move
	Rests    bool // the cursor shows only at the name of its board
	Last     rules.Move
	Better   rules.Move // a move that would have been better than the last move
	// Tried is a move that is not made. Its cell has brackets, and the line that it would complete stands out.
	Tried rules.Move
	Flash Role // draws Tried as a cross in this role, Plain for a free cell with the cursor's brackets
	// Dying holds boards that have just died, still with their lines. Their fatal crosses flash.
	Dying      BoardSet
	EndedEarly bool // no move ended the match, and living boards are dimmed too
	Final      bool // the match is over, and the fatal crosses stand out
	Noughts    bool // in tic-tac-toe the player at this screen has the noughts
}

// BoardSet has a bit for each board of a match.
type BoardSet uint16

// Draw draws all boards, with their names if there are several, or no board for an empty arrangement.
func (b *Boards) Draw(c *Canvas, a Arrangement) {
	if a.IsEmpty() {
		return
	}
	for i := range a.variant.Boards() {
		bounds := a.Board(i)
		one := board{
			Canvas: c, Boards: b, x: bounds.X, y: bounds.Y, size: a.size, signs: &c.Glyphs.board,
			index: uint8(i), fatalLine: b.Position.Line(i), //nolint:gosec // at most nine
		}
		if b.Tried.Cell != 0 && int(b.Tried.Board) == i {
			if next, err := b.Position.Play(b.Tried); err == nil {
				one.triedLine = next.Line(i)
			}
		}
		if a.variant.Boards() > 1 {
			one.drawTitle()
		}
		if !one.isShownDead() { // only the crosses of a dead board are left
			one.drawLines()
		}
		for cell := range a.variant.Cells() {
			one.drawCell(cell)
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
	fatalLine [3]rules.Cell // zero on a live board
	triedLine [3]rules.Cell // the line that [Boards.Tried] would complete, or zero
}

func (b *board) drawTitle() {
	g, name, y := b.Glyphs, rules.BoardName(int(b.index)), b.y-1
	if b.isShownDead() {
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
	if b.EndedEarly {
		role = Faint
	}
	b.Text(left+2, y, role, name)
}

// isShownDead reports whether the board is dead and no longer in [Boards.Dying].
func (b *board) isShownDead() bool { return b.fatalLine[0] != 0 && b.Dying>>b.index&1 == 0 }

func (b *board) drawLines() {
	g, role := b.signs, Grid
	for i := range b.size.rows - 1 {
		column := b.size.ruleColumn(i)
		for row := range b.size.height() {
			b.Text(b.x+column, b.y+row, role, g.down)
		}
	}
	if !b.size.ruled {
		return
	}
	for i := range b.size.rows - 1 {
		y := b.y + b.size.ruleRow(i)
		b.fill(b.x, y, b.size.width(), role, g.across)
		for j := range b.size.rows - 1 {
			b.Text(b.x+b.size.ruleColumn(j), y, role, g.meet)
		}
	}
}

// drawCell draws the contents of a cell, and the brackets or corners of the cursor and the last move. The brackets
// and corners do not depend on color.
func (b *board) drawCell(cell rules.Cell) {
	m := mark{Canvas: b.Canvas, size: b.size, signs: b.signs, role: b.roleOf(cell)}
	row, column := b.Position.Variant().Place(cell)
	m.x, m.y = b.x+column*(b.size.cellWidth+1), b.y+row*b.size.rowStep()
	this := rules.Move{Board: b.index, Cell: cell}
	what := b.Position.At(int(b.index), cell)
	m.isNought = what == rules.Nought
	switch {
	case b.Tried == this && b.Flash != Plain:
		m.role = b.Flash
		m.drawCross()
	case what == rules.Empty && b.Better == this:
		m.Text(m.x+b.size.middleX(), m.y+b.size.middleY(), Good, b.Glyphs.Better)
	case what == rules.Empty && b.isShownDead():
		if b.size.cellHeight == 1 { // single letters would look scattered on a dead board
			m.Text(m.x+b.size.middleX(), m.y, Grid, b.Glyphs.Dot)
		}
	case what == rules.Empty:
		m.Text(m.x+b.size.middleX(), m.y+b.size.middleY(), m.role, b.Digits.Text(b.Position.Variant(), cell))
	case what == rules.Cross:
		m.drawCross()
	case what == rules.Nought:
		m.drawNought()
	}
	if b.Last == this && what != rules.Empty {
		m.role = Last
		m.drawLastMove()
	}
	if b.fatalLine[0] == 0 && (b.Cursor == this && !b.Rests || b.Tried == this) {
		role := Cursor
		if b.Tried == this && b.Flash != Plain {
			role = b.Flash
		}
		m.drawCursor(what != rules.Empty || role != Cursor, role)
	}
}

func (b *board) roleOf(cell rules.Cell) Role {
	what := b.Position.At(int(b.index), cell)
	switch {
	case slices.Contains(b.fatalLine[:], cell) && !b.isShownDead():
		return dying
	case slices.Contains(b.fatalLine[:], cell) && b.Final, slices.Contains(b.triedLine[:], cell) && what != rules.Empty:
		return deadly
	case slices.Contains(b.fatalLine[:], cell):
		return fatal
	case b.isShownDead():
		return dead
	case what == rules.Empty && b.Deadly && b.Position.Kills(rules.Move{Board: b.index, Cell: cell}):
		return deadly
	case what == rules.Empty, b.EndedEarly:
		return Faint
	case !b.Position.Variant().IsTicTacToe() && b.size.cellHeight == 1: // a letter among digits
		return Strong
	case !b.Position.Variant().IsTicTacToe():
		return stroke
	case (what == rules.Nought) == b.Noughts:
		return Own
	default:
		return Opponent
	}
}

// mark draws the contents of a cell with its top left at x, y of the canvas.
type mark struct {
	*Canvas
	x, y  int
	size  boardSize
	signs *boardGlyphs
	role  Role

	isNought bool
}

func (m *mark) middle() (x, y int) { return m.x + m.size.middleX(), m.y + m.size.middleY() }

func (m *mark) drawCross() {
	g, role := m.signs, m.role
	x, y := m.middle()
	switch {
	case m.size.cellHeight == 1:
		m.Text(x, y, role, g.cross)
	case g.halves != halves{}:
		m.drawHeavyCross()
	case m.size.cellHeight == 2:
		m.Text(x, m.y, role, g.arms[0])
		m.Text(x+1, m.y, role, g.arms[1])
		m.Text(x, m.y+1, role, g.arms[1])
		m.Text(x+1, m.y+1, role, g.arms[0])
	default:
		m.Text(x, y, role, g.center)
		for i := 1; i <= m.size.armLength(); i++ {
			m.Text(x-i, y-i, role, g.arms[0])
			m.Text(x+i, y+i, role, g.arms[0])
			m.Text(x-i, y+i, role, g.arms[1])
			m.Text(x+i, y-i, role, g.arms[1])
		}
	}
}

// drawHeavyCross draws two diagonals of half blocks. A half block is about as high as it is wide.
func (m *mark) drawHeavyCross() {
	halves, width := m.size.crossHalves(), m.size.crossWidth()
	outer, inner := m.size.crossThickness()
	m.drawBlocks(func(column, half int) bool {
		arm := min(half, halves-1-half) * (width - 1) / (halves - 2)
		other := width - 1 - column
		return column >= arm-outer && column <= arm+inner || other >= arm-outer && other <= arm+inner
	})
}

func (m *mark) drawHeavyNought() {
	across, down := float64(m.size.crossWidth())/2, float64(m.size.crossHalves())/2
	thickness, _ := m.size.crossThickness()
	hole := 1 - (1.5*float64(thickness)+1)/across
	m.drawBlocks(func(column, half int) bool {
		x, y := (float64(column)+.5)/across-1, (float64(half)+.5)/down-1
		distance := x*x + y*y
		return distance <= 1.05 && distance >= hole*hole
	})
}

// drawBlocks draws a mark as large as a cross. The function isOn reports which half blocks belong to the mark.
func (m *mark) drawBlocks(isOn func(column, half int) bool) {
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

// drawNought draws a nought. Only the single board of tic-tac-toe has noughts.
func (m *mark) drawNought() {
	x, y := m.middle()
	switch {
	case m.size.cellHeight < 3:
		m.Text(x, y, m.role, m.signs.nought)
		return
	case m.signs.halves != halves{}:
		m.drawHeavyNought()
		return
	}
	high := m.size.armLength()
	wide := high
	if high > 1 {
		wide++ // to look round
	}
	m.drawRing(Rect{x - wide, y - high, 2*wide + 1, 2*high + 1}, m.role, &m.signs.ring)
}

// drawLastMove marks the last move. The sign depends on the mark:
//   - a mark of one row gets brackets
//   - a cross of half blocks gets an amber center if the terminal has amber
//   - another mark of two rows gets corners
//   - another larger mark gets another center
func (m *mark) drawLastMove() {
	x, y := m.middle()
	switch hasAmberCenter := m.signs.halves != (halves{}) && m.theme.hasAmber && !m.isNought; {
	case m.size.cellHeight == 1:
		m.Text(x-1, y, m.role, "(")
		m.Text(x+1, y, m.role, ")")
	case m.size.cellHeight == 2 && hasAmberCenter:
		m.Text(x, m.y, m.role, m.signs.halves.lower)
		m.Text(x, m.y+1, m.role, m.signs.halves.upper)
	case m.size.cellHeight == 2:
		m.drawCorners(Rect{x - 1, m.y, 4, 2}, m.role, &m.signs.ring)
	case hasAmberCenter:
		_, wide := m.size.crossThickness()
		for dy := -wide / 2; dy <= wide/2; dy++ {
			m.fill(x-wide, y+dy, 2*wide+1, m.role, m.signs.halves.both)
		}
	default:
		m.Text(x, y, m.role, m.signs.lastMoveCenter)
	}
}

// drawCursor draws corners around a free cell of several rows. Other cells get brackets, because corners would touch
// the arms of a mark.
func (m *mark) drawCursor(isFilled bool, role Role) {
	if m.size.cellHeight == 1 || isFilled {
		y := m.y + m.size.middleY()
		m.Text(m.x, y, role, "[")
		m.Text(m.x+m.size.cellWidth-1, y, role, "]")
		return
	}
	m.drawCorners(Rect{m.x, m.y, m.size.cellWidth, m.size.cellHeight}, role, &m.signs.corners)
}

// Digits selects the numbering of free cells.
type Digits uint8

// The numberings of free cells.
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

func onTelephone(v rules.Variant, c rules.Cell) rules.Cell {
	row, column := v.Place(c)
	return v.CellAt(v.Rows()-1-row, column)
}

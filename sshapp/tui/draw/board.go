package draw

import (
	"slices"

	"notakto/rules"
)

// Boards is a position to be drawn.
type Boards struct {
	Position rules.Position
	Digits   Digits
	Deadly   bool       // the digits of cells that would kill their board stand out
	Cursor   rules.Move // without a cell for none
	Rests    bool       // only the name of the cursor's board shows where it is
	Last     rules.Move // the last one, without a cell for none
	Better   rules.Move // one that was better, without a cell for none
	Tried    rules.Move // one that is not made, in brackets, and the line that it would complete; without a cell for none
	Dying    BoardSet   // the boards that have just died: they keep their lines, and what killed them flashes
	Final    bool       // the match has just ended: what killed the boards stands out
	Noughts  bool       // the noughts of tic-tac-toe, and not its crosses, are of the player at this screen
}

// BoardSet is some of the boards of a match, a bit for each.
type BoardSet uint16

// Draw draws all boards, and their names if there are several; nothing where there is no room for them.
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
		if next, err := b.Position.Play(b.Tried); err == nil && int(b.Tried.Board) == i {
			one.triedLine = next.Line(i)
		}
		if a.variant.Boards() > 1 {
			one.title()
		}
		one.draw()
	}
}

// board is one of them, with its top left cell at x, y of the canvas.
type board struct {
	*Canvas
	*Boards
	x, y      int
	size      boardSize
	signs     *boardGlyphs
	index     uint8
	fatalLine []rules.Cell // that killed it, or nil
	triedLine []rules.Cell // that [Boards.Tried] would complete, or nil
}

// title writes the board's name above it, with marks around that of the cursor's board and a word beside that of a dead
// one.
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
	b.Text(left+2, y, Strong, name)
}

func (b *board) draw() {
	if !b.isOver() { // only the crosses of a dead board are left
		b.lines()
	}
	for cell := range b.Position.Variant().Cells() {
		b.cell(cell)
	}
}

// isOver reports whether the board is dead and looks it.
func (b *board) isOver() bool { return b.fatalLine != nil && b.Dying>>b.index&1 == 0 }

// lines draws the lines between the cells.
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

// cell draws what a cell holds, and around it the signs of the cursor and of the last move, which do not depend on
// colour.
func (b *board) cell(cell rules.Cell) {
	m := mark{Canvas: b.Canvas, size: b.size, signs: b.signs, role: b.roleOf(cell)}
	m.x, m.y = b.corner(cell)
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

// corner is the top left of a cell.
func (b *board) corner(cell rules.Cell) (x, y int) {
	row, column := b.Position.Variant().Place(cell)
	return b.x + column*(b.size.cellWidth+1), b.y + row*b.size.pitch()
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
	case what == rules.Empty:
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

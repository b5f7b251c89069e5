package tui

import (
	"slices"

	"notakto/rules"
)

// mark draws what a cell holds, and around it the signs of the cursor and of the last move, which do not depend on
// colour.
func (s *canvas) mark(x, y int, size boardSize, v boardView, cell rules.Cell, fatalLine []rules.Cell) {
	what, k := v.position.At(v.index, cell), v.roleOf(cell, fatalLine)
	switch {
	case what == rules.Empty && fatalLine == nil:
		s.set(x+size.middleX(), y+size.middleY(), k, v.digits.text(cell))
	case what == rules.Cross:
		s.cross(x, y, size, k)
	case what == rules.Nought:
		s.nought(x, y, size, k)
	}
	if cell == v.last && what != rules.Empty {
		if v.isOwn {
			s.lastMove(x, y, size, k)
		} else {
			s.lastMove(x, y, size, last)
		}
	}
	if cell == v.cursor && fatalLine == nil {
		s.cursor(x, y, size)
	}
}

func (v boardView) roleOf(cell rules.Cell, fatalLine []rules.Cell) styleRole {
	what := v.position.At(v.index, cell)
	switch {
	case slices.Contains(fatalLine, cell):
		return fatal
	case fatalLine != nil, what == rules.Empty:
		return faint
	case what == rules.Nought:
		return markFirst
	case v.position.Variant().IsTicTacToe():
		return markSecond
	default:
		return mark
	}
}

func (b boardSize) middleX() int { return (b.cellWidth - 1) / 2 }

func (b boardSize) middleY() int { return (b.cellHeight - 1) / 2 }

// reach is how far the arms of a cross go out from its middle.
func (b boardSize) reach() int { return min(b.middleX()-1, b.middleY(), 2) }

// cross draws a cross: one character in a low cell, two by two in a cell without a middle, arms and a heart in a high
// one.
func (s *canvas) cross(x, y int, size boardSize, k styleRole) {
	g := s.theme.glyphs
	midX, midY := x+size.middleX(), y+size.middleY()
	switch size.cellHeight {
	case 1:
		s.set(midX, midY, k, g.cross)
	case 2:
		s.set(midX, y, k, g.arms[0])
		s.set(midX+1, y, k, g.arms[1])
		s.set(midX, y+1, k, g.arms[1])
		s.set(midX+1, y+1, k, g.arms[0])
	default:
		s.set(midX, midY, k, g.center)
		for i := 1; i <= size.reach(); i++ {
			s.set(midX-i, midY-i, k, g.arms[0])
			s.set(midX+i, midY+i, k, g.arms[0])
			s.set(midX-i, midY+i, k, g.arms[1])
			s.set(midX+i, midY-i, k, g.arms[1])
		}
	}
}

// nought draws a nought. Only tic-tac-toe has them, whose single board never has the cells of two rows.
func (s *canvas) nought(x, y int, size boardSize, k styleRole) {
	g := s.theme.glyphs
	midX, midY := x+size.middleX(), y+size.middleY()
	if size.cellHeight < 3 {
		s.set(midX, midY, k, g.nought)
		return
	}
	high := size.reach()
	wide := high
	if high > 1 {
		wide++ // to look round
	}
	s.ring(rect{midX - wide, midY - high, 2*wide + 1, 2*high + 1}, k, &g.ring)
}

// ring draws lines along the edges of a rectangle.
func (s *canvas) ring(r rect, k styleRole, g *ring) {
	right, bottom := r.x+r.width-1, r.y+r.height-1
	s.repeat(r.x, r.y, r.width, k, g.across)
	s.repeat(r.x, bottom, r.width, k, g.across)
	for y := r.y; y <= bottom; y++ {
		s.set(r.x, y, k, g.down)
		s.set(right, y, k, g.down)
	}
	s.corners(r, k, g)
}

// corners draws only the corners of a rectangle.
func (s *canvas) corners(r rect, k styleRole, g *ring) {
	right, bottom := r.x+r.width-1, r.y+r.height-1
	s.set(r.x, r.y, k, g.topLeft)
	s.set(right, r.y, k, g.topRight)
	s.set(r.x, bottom, k, g.bottomLeft)
	s.set(right, bottom, k, g.bottomRight)
}

// lastMove signs the last mark: another heart in a high cell, a ring's corners around one of two by two, brackets
// around a low one.
func (s *canvas) lastMove(x, y int, size boardSize, k styleRole) {
	switch size.cellHeight {
	case 1:
		s.beside(x, y, size, k, "(", ")")
	case 2:
		s.corners(rect{x + size.middleX() - 1, y, 4, 2}, k, &s.theme.glyphs.ring)
	default:
		s.set(x+size.middleX(), y+size.middleY(), k, s.theme.glyphs.lastMoveCenter)
	}
}

// beside writes a sign left and right of what is in a low cell.
func (s *canvas) beside(x, y int, size boardSize, k styleRole, left, right string) {
	s.set(x+size.middleX()-1, y+size.middleY(), k, left)
	s.set(x+size.middleX()+1, y+size.middleY(), k, right)
}

// cursor draws the cursor around a cell: brackets in a low one, corners in a high one.
func (s *canvas) cursor(x, y int, size boardSize) {
	if size.cellHeight == 1 {
		s.set(x, y, cursor, "[")
		s.set(x+size.cellWidth-1, y, cursor, "]")
		return
	}
	s.corners(rect{x, y, size.cellWidth, size.cellHeight}, cursor, &s.theme.glyphs.corners)
}

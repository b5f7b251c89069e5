package tui

import "notakto/rules"

// pointer is where the cursor is.
type pointer struct {
	board int
	cell  rules.Cell
}

// direction is one step of the cursor.
type direction struct{ dx, dy int }

// step moves the cursor by one cell. At a board's edge it goes on to the next living board on the screen in that
// direction, and stays where it is if there is none.
func (c pointer) step(d direction, a arrangement, p rules.Position) pointer {
	row, column := c.cell.Row()+d.dy, c.cell.Column()+d.dx
	if row >= 0 && row <= 2 && column >= 0 && column <= 2 {
		return pointer{c.board, rules.CellAt(row, column)}
	}
	next := a.neighbour(c.board, d, p)
	if next < 0 {
		return c
	}
	return pointer{next, rules.CellAt((row+3)%3, (column+3)%3)}
}

// neighbour is the nearest living board on the screen in a direction, or -1.
func (a arrangement) neighbour(board int, d direction, p rules.Position) int {
	fromX, fromY := a.board(board)
	best, least := -1, 0
	for i := range a.boards {
		x, y := a.board(i)
		ahead, aside := (x-fromX)*d.dx+(y-fromY)*d.dy, (x-fromX)*d.dy+(y-fromY)*d.dx
		aside = max(aside, -aside)
		if ahead <= 0 || p.Dead(i) || d.dx != 0 && y != fromY || d.dy != 0 && aside > a.stepX*2/3 {
			continue
		}
		if cost := ahead*4 + aside; best < 0 || cost < least {
			best, least = i, cost
		}
	}
	return best
}

// cycle goes to the next living board by name, or with -1 to the one before.
func (c pointer) cycle(by int, p rules.Position) pointer {
	boards := p.Variant().Boards()
	for i := 1; i <= boards; i++ {
		next := (c.board + by*i + boards*boards) % boards
		if !p.Dead(next) {
			return pointer{next, c.cell}
		}
	}
	return c
}

// skipDead leaves a board that has died for the next one that lives.
func (c pointer) skipDead(p rules.Position) pointer {
	if p.Dead(c.board) {
		return c.cycle(1, p)
	}
	return c
}

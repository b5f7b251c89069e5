package tui

import (
	"strconv"
	"strings"

	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
)

// drawMoves lists the first count moves beside the boards, or in a row below the boards up to column end. marked
// counts from 1, and 0 marks no move.
func drawMoves(s *draw.Canvas, p plan, table *client.Table, end, count, marked int) {
	switch {
	case p.panel.Width > 0:
		drawMoveList(s, p.panel, table, count, nil, marked)
	case p.strip >= 0:
		x := s.Margin()
		if s.IsTall() { // close to the boards
			x = max(x, p.boards.Bounds().X)
		}
		strip := draw.Rect{X: x, Y: p.strip, Width: end - x, Height: 1}
		drawMoveStrip(s, strip, table, count, marked)
	}
}

// drawMoveList draws a row for each pair of moves, with the number of its first move, or only the last rows if not all
// fit. With reviews, mistakes stand out.
func drawMoveList(
	s *draw.Canvas, area draw.Rect, table *client.Table, count int, reviews []strategy.MoveReview, marked int,
) {
	const column = 9
	v, x := table.Variant, area.X+4
	for i, side := range rules.Sides() {
		s.Text(x+i*column, area.Y, sideRole(table, side), cutName(s, table.Seat(side).Player.Name, column-1))
	}
	rows := (count + 1) / 2
	first := max(0, rows-(area.Height-1))
	for row := first; row < rows; row++ {
		y := area.Y + 1 + row - first
		s.TextRight(area.X+2, y, strconv.Itoa(2*row+1))
		for ply := 2 * row; ply < min(2*row+2, count); ply++ {
			role, isMistake := draw.Plain, ply < len(reviews) && reviews[ply].IsMistake()
			switch {
			case ply+1 == marked:
				role = draw.Last
			case isMistake:
				role = draw.Bad
			}
			end := s.Text(x+ply%2*column, y, role, v.FormatMove(table.Moves[ply]))
			if isMistake {
				s.Text(end+1, y, draw.Bad, s.Glyphs.Flaw)
			}
		}
	}
}

// drawMoveStrip writes the moves in one row, in pairs. If the row is too short, the oldest moves are left out, half a
// row at a time.
func drawMoveStrip(s *draw.Canvas, area draw.Rect, table *client.Table, count, marked int) {
	v := table.Variant
	s.Text(area.X, area.Y, draw.Faint, "Moves")
	x := area.X + len("Moves") + 3
	one := len(v.FormatMove(rules.Move{Cell: 1})) + 1
	two := 2*one + 1
	first := movesLeftOut(count, 2*max(1, (area.X+area.Width-x+1)/two))
	if first > 0 {
		s.Text(x-2, area.Y, draw.Plain, s.Glyphs.Ellipsis)
	}
	for i, m := range table.Moves[first:count] {
		role := draw.Plain
		if first+i+1 == marked {
			role = draw.Last
		}
		s.Text(x+i/2*two+i%2*one, area.Y, role, v.FormatMove(m))
	}
}

// movesLeftOut returns how many of n moves to leave out of a row with room for room moves. The result is rounded up to
// a multiple of an even number near room/2.
func movesLeftOut(n, room int) int {
	half := max(2, room/4*2)
	return max(0, (n-room+half-1)/half*half)
}

func lastMoves(table *client.Table, count, width int) string {
	n := min(count, max(0, (width+1)/6), 3)
	words := make([]string, 0, n)
	for ply := count - n; ply < count; ply++ {
		words = append(words, strconv.Itoa(ply+1)+" "+table.Variant.FormatMove(table.Moves[ply]))
	}
	return strings.Join(words, "  ")
}

func moveOf(table *client.Table, number int) rules.Move {
	if number == 0 {
		return rules.Move{}
	}
	return table.Moves[number-1]
}

// shownMove returns the number of the move to mark, counted from 1, or 0. In the opponent's turn it returns the
// opponent's last move, else the last move.
func shownMove(table *client.Table) int {
	n := len(table.Moves)
	if table.IsTheirTurn() {
		n--
	}
	return max(0, n)
}

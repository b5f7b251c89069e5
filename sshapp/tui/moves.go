package tui

import (
	"strconv"
	"strings"

	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
)

// drawMoves lists the first listed moves beside the boards, or in a row below them up to column end. marked counts from
// 1; 0 is none.
func drawMoves(s *draw.Canvas, p plan, at *client.Table, end, listed, marked int) {
	switch {
	case p.panel.Width > 0:
		drawMoveList(s, p.panel, at, listed, nil, marked)
	case p.strip >= 0:
		x := s.Margin()
		if s.Tall() { // close to the boards
			x = max(x, p.boards.Bounds().X)
		}
		strip := draw.Rect{X: x, Y: p.strip, Width: end - x, Height: 1}
		drawMoveStrip(s, strip, at, listed, marked)
	}
}

// drawMoveList draws a row for each pair of moves, and only the last rows if not all fit. With reviews, mistakes stand
// out.
func drawMoveList(
	s *draw.Canvas, area draw.Rect, at *client.Table, listed int, reviews []strategy.MoveReview, marked int,
) {
	const column = 9
	v, x := at.Variant, area.X+4
	for i, side := range rules.Sides() {
		s.Text(x+i*column, area.Y, sideRole(at, side), s.Fit(at.SeatState(side).Player.Name, column-1))
	}
	rows := (listed + 1) / 2
	first := max(0, rows-(area.Height-1))
	for row := first; row < rows; row++ {
		y := area.Y + 1 + row - first
		s.TextRight(area.X+2, y, strconv.Itoa(row+1))
		for ply := 2 * row; ply < min(2*row+2, listed); ply++ {
			k, isMistake := draw.Plain, ply < len(reviews) && reviews[ply].Mistake()
			switch {
			case ply+1 == marked:
				k = draw.Last
			case isMistake:
				k = draw.Bad
			}
			end := s.Text(x+ply%2*column, y, k, v.FormatMove(at.Moves[ply]))
			if isMistake {
				s.Text(end+1, y, draw.Bad, s.Glyphs.Flaw)
			}
		}
	}
}

// drawMoveStrip writes the moves in one row, in pairs. If they do not fit, the oldest ones are left out, half a row at
// a time.
func drawMoveStrip(s *draw.Canvas, area draw.Rect, at *client.Table, listed, marked int) {
	v := at.Variant
	s.Text(area.X, area.Y, draw.Faint, "Moves")
	x := area.X + len("Moves") + 3
	one := len(v.FormatMove(rules.Move{Cell: 1})) + 1
	two := 2*one + 1
	first := pageFrom(listed, 2*max(1, (area.X+area.Width-x+1)/two))
	if first > 0 {
		s.Text(x-2, area.Y, draw.Plain, s.Glyphs.Ellipsis)
	}
	for i, m := range at.Moves[first:listed] {
		k := draw.Plain
		if first+i+1 == marked {
			k = draw.Last
		}
		s.Text(x+i/2*two+i%2*one, area.Y, k, v.FormatMove(m))
	}
}

// pageFrom returns how many of n moves to leave out in a row with room moves: 0 if all fit, else a multiple of half of
// room.
func pageFrom(n, room int) int {
	half := max(2, room/4*2)
	return max(0, (n-room+half-1)/half*half)
}

func lastMoves(at *client.Table, listed, width int) string {
	n := min(listed, max(0, (width+1)/6), 3)
	words := make([]string, 0, n)
	for ply := listed - n; ply < listed; ply++ {
		words = append(words, strconv.Itoa(ply+1)+" "+at.Variant.FormatMove(at.Moves[ply]))
	}
	return strings.Join(words, "  ")
}

// moveOf returns the move with a number, counted from 1. It returns no move for 0.
func moveOf(at *client.Table, number int) rules.Move {
	if number == 0 {
		return rules.Move{}
	}
	return at.Moves[number-1]
}

// shownMove returns the number of the move to mark, counted from 1, or 0 for none. While the opponent is to move, that
// is the opponent's last move, else the last move.
func shownMove(at *client.Table) int {
	n := len(at.Moves)
	if at.IsTheirTurn() {
		n--
	}
	return max(0, n)
}

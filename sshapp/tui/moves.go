package tui

import (
	"strconv"
	"strings"

	"notakto/rules"
)

// drawMoves lists the moves so far: beside the boards, or in a row below them as far as a column.
func drawMoves(s *canvas, p plan, at *tableHandle, end int) {
	switch {
	case p.panel.width > 0:
		drawMoveList(s, p.panel, at, 0)
	case p.strip >= 0:
		drawMoveStrip(s, rect{s.margin(), p.strip, end - s.margin(), 1}, at)
	}
}

// drawMoveList has a row for each move of the first side and the answer to it, and shows the last rows. The given move
// stands out, counted from 1; 0 for none.
func drawMoveList(s *canvas, area rect, at *tableHandle, current int) {
	v := at.Variant
	s.text(area.x, area.y, faint, "Moves")
	s.text(area.x+7, area.y, sideRole(rules.First), sign(v, rules.First))
	s.text(area.x+13, area.y, sideRole(rules.Second), sign(v, rules.Second))
	rows := (len(at.Moves) + 1) / 2
	first := max(0, rows-(area.height-2))
	for row := first; row < rows; row++ {
		y := area.y + 1 + row - first
		s.textRight(area.x+4, y, strconv.Itoa(2*row+1))
		for ply := 2 * row; ply < min(2*row+2, len(at.Moves)); ply++ {
			k := plain
			if ply+1 == current {
				k = last
			}
			s.text(area.x+6+6*(ply%2), y, k, moveText(v, at.Moves[ply], ply+1 == current))
		}
	}
}

// moveText is a move as the lists have it; the last one has the same signs around it as on the board.
func moveText(v rules.Variant, m rules.Move, current bool) string {
	if current {
		return "(" + v.FormatMove(m) + ")"
	}
	return " " + v.FormatMove(m) + " "
}

// drawMoveStrip writes the moves in a row, two by two, as the sides take turns. When the row is full, the first half of
// it makes way for the second, and there is room for as many again.
func drawMoveStrip(s *canvas, area rect, at *tableHandle) {
	v := at.Variant
	s.text(area.x, area.y, faint, "Moves")
	x := area.x + len("Moves") + 3
	one := len(v.FormatMove(rules.Move{Cell: rules.FirstCell})) + 1
	two := 2*one + 1
	first := pageFrom(len(at.Moves), 2*max(1, (area.x+area.width-x+1)/two))
	if first > 0 {
		s.text(x-2, area.y, plain, s.glyphs.ellipsis)
	}
	for i, m := range at.Moves[first:] {
		s.text(x+i/2*two+i%2*one, area.y, plain, v.FormatMove(m))
	}
}

// pageFrom is how many of n moves are left out where there is room for a number of them: none, or as many halves of the
// room as it takes.
func pageFrom(n, room int) int {
	half := max(2, room/4*2)
	return max(0, (n-room+half-1)/half*half)
}

// lastMoves is the last few moves as one text.
func lastMoves(at *tableHandle, width int) string {
	n := min(len(at.Moves), max(0, (width+1)/6), 3)
	words := make([]string, 0, n)
	for ply := len(at.Moves) - n; ply < len(at.Moves); ply++ {
		words = append(words, strconv.Itoa(ply+1)+" "+at.Variant.FormatMove(at.Moves[ply]))
	}
	return strings.Join(words, "  ")
}

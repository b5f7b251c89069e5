package tui

import (
	"strconv"
	"strings"

	"notakto/rules"
)

// drawMoves lists the moves so far. The given one stands out, counted from 1; 0 for none.
func drawMoves(s *sheet, p plan, at *sitting, current int) {
	switch {
	case p.panel.width > 0:
		drawMoveList(s, p.panel, at, current)
	case p.strip >= 0:
		drawMoveStrip(s, p.strip, at, current)
	}
}

// drawMoveList has a row for each move of the first side and the answer to it, and shows the last rows.
func drawMoveList(s *sheet, area rect, at *sitting, current int) {
	v := at.Variant
	s.text(area.x, area.y, faint, "Moves")
	s.text(area.x+7, area.y, sideInk(rules.First), sign(v, rules.First))
	s.text(area.x+13, area.y, sideInk(rules.Second), sign(v, rules.Second))
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

// drawMoveStrip writes the last moves in a row.
func drawMoveStrip(s *sheet, y int, at *sitting, current int) {
	m := s.margin()
	x := s.text(m, y, faint, "Moves ")
	fits := (s.width - x - m) / 8
	for ply := max(0, len(at.Moves)-fits); ply < len(at.Moves); ply++ {
		k := plain
		if ply+1 == current {
			k = last
		}
		s.text(x+3-len(strconv.Itoa(ply+1)), y, k, strconv.Itoa(ply+1))
		s.text(x+3, y, k, moveText(at.Variant, at.Moves[ply], ply+1 == current))
		x += 8
	}
}

// lastMoves is the last few moves as one text.
func lastMoves(at *sitting, width int) string {
	n := min(len(at.Moves), max(0, (width+1)/6), 3)
	words := make([]string, 0, n)
	for ply := len(at.Moves) - n; ply < len(at.Moves); ply++ {
		words = append(words, strconv.Itoa(ply+1)+" "+at.Variant.FormatMove(at.Moves[ply]))
	}
	return strings.Join(words, "  ")
}

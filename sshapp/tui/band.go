package tui

import (
	"slices"

	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
)

// bandHeight is one row for each player and one for the moves.
const bandHeight = 3

// bandNameWidth is the width of the names at the left, with a gap.
const bandNameWidth = 11

// bandStep returns the number of columns for each move, and whether the move's name fits into them.
func bandStep(width, moves int) (step int, named bool) {
	moves = max(1, moves)
	step = min(max(10, width/16), (width-bandNameWidth)/moves)
	return step, step > 2
}

// drawBand draws the band, a chart with one row for each player. A bar marks the moves after which the player was
// winning, given perfect play. A caption stands in the row above area. Names of the moves stand below the bars if area
// has bandHeight rows and the names fit. chosen counts from 0, and -1 chooses no move.
func drawBand(s *draw.Canvas, area draw.Rect, table *client.Table, reviews []strategy.MoveReview, chosen int) {
	step, named := bandStep(area.Width, len(reviews))
	caption := "Who was winning"
	if !slices.ContainsFunc(reviews, func(m strategy.MoveReview) bool { return m.Leader() != rules.NoSide }) {
		caption = "Drawn after every move"
	}
	x := area.X + bandNameWidth
	s.Text(x, area.Y-1, draw.Faint, caption)
	for i, side := range rules.Sides() {
		name := table.Seat(side).Player.Name
		if side == ownSide(table) {
			name = "you"
		}
		s.Text(area.X, area.Y+i, sideRole(table, side), cutName(s, name, bandNameWidth-2))
		for ply, move := range reviews {
			if move.Leader() == side {
				s.Bar(x+ply*step, area.Y+i, step, sideRole(table, side))
			}
		}
	}
	if area.Height < bandHeight || !named {
		return
	}
	for ply, move := range reviews {
		role := draw.Faint
		switch {
		case ply == chosen:
			role = draw.Chosen
		case move.IsMistake():
			role = draw.Bad
		}
		s.Text(x+ply*step, area.Y+2, role, table.Variant.FormatMove(move.Move))
		s.Target.OnRow(draw.Rect{X: x + ply*step, Y: area.Y, Width: step, Height: bandHeight}, ply)
	}
}

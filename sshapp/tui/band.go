package tui

import (
	"slices"

	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
)

// bandHeight is a row for each player, and one for the moves.
const bandHeight = 3

const bandNames = 11

// bandStep returns how many columns each move gets, and whether the move's name fits into them.
func bandStep(width, moves int) (step int, named bool) {
	moves = max(1, moves)
	step = min(max(10, width/16), (width-bandNames)/moves)
	return step, step > 2
}

// drawBand draws a row for each player. A bar marks each move after which that player was winning, given perfect play.
// The caption stands in the row above area. The moves stand below if area has bandHeight rows and their names fit.
// chosen counts from 0; -1 is none.
func drawBand(s *draw.Canvas, area draw.Rect, at *client.Table, reviews []strategy.MoveReview, chosen int) {
	step, named := bandStep(area.Width, len(reviews))
	caption := "Who was winning"
	if !slices.ContainsFunc(reviews, func(m strategy.MoveReview) bool { return m.Leader() != rules.Nobody }) {
		caption = "Drawn after every move"
	}
	x := area.X + bandNames
	s.Text(x, area.Y-1, draw.Faint, caption)
	for i, side := range rules.Sides() {
		name := at.SeatState(side).Player.Name
		if side == ownSide(at) {
			name = "you"
		}
		s.Text(area.X, area.Y+i, sideRole(at, side), s.Fit(name, bandNames-2))
		for ply, move := range reviews {
			if move.Leader() == side {
				s.Bar(x+ply*step, area.Y+i, step, sideRole(at, side))
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
		case move.Mistake():
			role = draw.Bad
		}
		s.Text(x+ply*step, area.Y+2, role, at.Variant.FormatMove(move.Move))
		s.Target.OnRow(draw.Rect{X: x + ply*step, Y: area.Y, Width: step, Height: bandHeight}, ply)
	}
}

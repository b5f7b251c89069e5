package tui

import (
	"strconv"

	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
)

// sign is what tells a side apart without its colour: the order of moving, or its mark.
func sign(v rules.Variant, side rules.Side) string {
	switch {
	case v.IsTicTacToe() && side == rules.First:
		return "O"
	case v.IsTicTacToe():
		return "X"
	default:
		return strconv.Itoa(int(side))
	}
}

// who is a player with what is to be known about them, cut to a width.
func who(s *draw.Canvas, at *client.Table, side rules.Side, width int) string {
	seatState := at.SeatState(side)
	note := ""
	switch {
	case side == at.Side:
		note = " (you)"
	case seatState.Player.IsComputer() && s.Roomy():
		note = " (computer)"
	case !seatState.Present && !seatState.Player.IsComputer():
		note = " (away)"
	}
	return s.Fit(seatState.Player.Name, width-len(note)) + note
}

// presence is the sign of a player who is there, or of one who is not.
func presence(s *draw.Canvas, at *client.Table, side rules.Side) string {
	if seatState := at.SeatState(side); seatState.Present || seatState.Player.IsComputer() || side == at.Side {
		return s.Glyphs.Present
	}
	return s.Glyphs.Absent
}

func sideRole(side rules.Side) draw.Role {
	if side == rules.First {
		return draw.MarkFirst
	}
	return draw.MarkSecond
}

// drawPlayer writes a player from x rightwards, with a pointer if it is their turn and no banner stands between the
// players.
func drawPlayer(s *draw.Canvas, x, y, width int, at *client.Table, side rules.Side) {
	if at.Turn() == side && !s.Roomy() {
		s.Point(x, y)
	}
	x = s.Text(x+2, y, sideRole(side), presence(s, at, side))
	x = s.Text(x+1, y, sideRole(side), sign(at.Variant, side))
	s.Text(x+1, y, draw.Strong, who(s, at, side, width-6))
}

// drawPlayerRight writes a player so that the line ends before x.
func drawPlayerRight(s *draw.Canvas, x, y, width int, at *client.Table, side rules.Side) {
	s.Text(x-3, y, sideRole(side), presence(s, at, side))
	s.Text(x-5, y, sideRole(side), sign(at.Variant, side))
	text := who(s, at, side, width-6)
	s.Text(x-6-draw.Columns(text), y, draw.Strong, text)
}

package tui

import (
	"strconv"

	"notakto/rules"
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
func who(s *canvas, at *tableHandle, side rules.Side, width int) string {
	seatState := at.SeatState(side)
	note := ""
	switch {
	case side == at.side:
		note = " (you)"
	case seatState.Player.IsComputer() && s.roomy():
		note = " (computer)"
	case !seatState.Present && !seatState.Player.IsComputer():
		note = " (away)"
	}
	return s.fit(seatState.Player.Name, width-len(note)) + note
}

// presence is the sign of a player who is there, or of one who is not.
func presence(s *canvas, at *tableHandle, side rules.Side) string {
	if seatState := at.SeatState(side); seatState.Present || seatState.Player.IsComputer() || side == at.side {
		return s.glyphs.present
	}
	return s.glyphs.absent
}

func sideRole(side rules.Side) role {
	if side == rules.First {
		return markFirst
	}
	return markSecond
}

// drawPlayer writes a player from x rightwards, with a pointer if it is their turn and no banner stands between the
// players.
func drawPlayer(s *canvas, x, y, width int, at *tableHandle, side rules.Side) {
	if at.Turn() == side && !s.roomy() {
		s.point(x, y)
	}
	x = s.text(x+2, y, sideRole(side), presence(s, at, side))
	x = s.text(x+1, y, sideRole(side), sign(at.Variant, side))
	s.text(x+1, y, strong, who(s, at, side, width-6))
}

// drawPlayerRight writes a player so that the line ends before x.
func drawPlayerRight(s *canvas, x, y, width int, at *tableHandle, side rules.Side) {
	s.text(x-3, y, sideRole(side), presence(s, at, side))
	s.text(x-5, y, sideRole(side), sign(at.Variant, side))
	text := who(s, at, side, width-6)
	s.text(x-6-columns(text), y, strong, text)
}

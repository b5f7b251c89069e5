package tui

import (
	"strconv"
	"time"

	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// playersLine returns the line of the players: below the header, or in a tall window close above the boards. rows stay
// free between the line and the boards.
func playersLine(s *draw.Canvas, boards draw.Arrangement, rows int) draw.Rect {
	const header, least = 2, 76 // rows, and columns for two names and clocks
	m := s.Margin()
	line := draw.Rect{X: m, Y: header, Width: s.Width - 2*m, Height: 1}
	if !s.Tall() || boards.IsEmpty() {
		return line
	}
	at := boards.Bounds()
	line.Y, line.Width = max(header, at.Y-2-rows), min(line.Width, max(least, at.Width))
	line.X = max(m, min(at.X+(at.Width-line.Width)/2, s.Width-m-line.Width))
	return line
}

// drawTop writes the header, the players, and their clocks at the time now. A small window has no header.
func drawTop(s *draw.Canvas, e *env, at *client.Table, now time.Time, line draw.Rect) {
	if !s.Roomy() {
		half := (s.Width - 3) / 2
		for i, side := range rules.Sides() {
			x, face := 1+i*(half+1), clockFace(at, side, now)
			if face != "" && side != at.Side && at.SeatState(side).IsAway() {
				face = "away" // the notice says for how long that may be
			}
			width := half - len(face) - min(1, len(face))
			if side == rules.First {
				drawPlayer(s, x, 0, width, at, side)
				x += half - len(face)
			} else {
				drawPlayer(s, s.Width-1, 0, width, at, side)
			}
			s.Text(x, 0, clockRole(at, side, now), face)
		}
		return
	}
	heading := wording.Played(at.State)
	if alive := at.Position.Alive(); alive < at.Variant.Boards() && !at.Over() {
		heading += ", " + strconv.Itoa(alive) + " alive"
	}
	m := s.Margin()
	if at.Over() && !s.Tall() { // the result has much to say below
		line.Y = 0
		width := headlineFrom(s) - m - 1
		if game := wording.PairGame(at.State); game != "" && draw.Columns(heading) > width {
			heading = game
		}
		s.Text(m, 1, draw.Faint, s.Fit(heading, width))
		s.TextRight(s.Width-m, 1, s.Fit(aside(at, e), headlineFrom(s)-m-1))
		s.Rule(2)
	} else {
		s.Header(heading, aside(at, e))
	}
	width := (line.Width - headlineWidth) / 2
	drawPlayer(s, line.X, line.Y, width, at, rules.First)
	drawPlayer(s, line.X+line.Width, line.Y, width, at, rules.Second)
	if left, right := clockFace(at, rules.First, now), clockFace(at, rules.Second, now); !at.Over() {
		x := line.X + width
		s.Text(x, line.Y, clockRole(at, rules.First, now), left)
		s.Text(x+headlineWidth-len(right), line.Y, clockRole(at, rules.Second, now), right)
	}
}

const headlineWidth = 28

func headlineFrom(s *draw.Canvas) int { return (s.Width - headlineWidth) / 2 }

// sideSign returns the bar beside a player's name, or in tic-tac-toe the side's mark.
func sideSign(s *draw.Canvas, v rules.Variant, side rules.Side) string {
	switch {
	case v.IsTicTacToe() && side == rules.First:
		return "O"
	case v.IsTicTacToe():
		return "X"
	default:
		return s.Glyphs.Bars[side-rules.First]
	}
}

// nameAndNote returns a player's name and a note such as " (away)". The name is cut so that both fit into width.
func nameAndNote(s *draw.Canvas, at *client.Table, side rules.Side, width int) (name, note string) {
	seatState := at.SeatState(side)
	switch {
	case !at.Clock.IsNone() && !s.Roomy() && side == at.Side: // no room for more
		return "you", ""
	case seatState.Player.IsComputer() && !s.Roomy():
		return fitName(s, seatState.Player, width), ""
	case !at.Clock.IsNone() && !s.Roomy():
	case side == ownSide(at):
		note = " (you)"
	case seatState.Player.IsComputer():
		note = " (computer)"
	case seatState.IsAway():
		note = " (away)"
	}
	return s.Fit(seatState.Player.Name, width-len(note)), note
}

// sideRole returns Here (amber) for the player at this screen, else Other. A spectator sees the second side as Here.
func sideRole(at *client.Table, side rules.Side) draw.Role {
	if side == amberSide(at) {
		return draw.Here
	}
	return draw.Other
}

func amberSide(at *client.Table) rules.Side {
	if own := ownSide(at); own != rules.Nobody {
		return own
	}
	return rules.Second
}

// drawPlayer writes a player's name and sign. The first side begins at x, the second ends before x. A small window has
// no banner between the players, so a pointer shows whose turn it is.
func drawPlayer(s *draw.Canvas, x, y, width int, at *client.Table, side rules.Side) {
	width -= s.Pick(2, 0, 0)
	hasPointer := at.Turn() == side && !s.Roomy()
	name, note := nameAndNote(s, at, side, width-2)
	if side == rules.Second {
		s.Text(x-1, y, sideRole(at, side), sideSign(s, at.Variant, side))
		x -= 2 + draw.Columns(name+note)
		if hasPointer {
			s.Point(x-2, y)
		}
	} else {
		if hasPointer {
			s.Point(x, y)
		}
		x = s.Text(x+s.Pick(2, 0, 0), y, sideRole(at, side), sideSign(s, at.Variant, side)) + 1
	}
	s.Text(s.Text(x, y, draw.Strong, name), y, draw.Faint, note)
}

// clockFace returns the time left on a side's clock, or "" without a clock.
func clockFace(at *client.Table, side rules.Side, now time.Time) string {
	if at.Clock.IsNone() || !at.Started() {
		return ""
	}
	return wording.ClockFace(at.ClockLeft(side, now))
}

// shortClock is the time left on a clock at which its seconds are shown.
const shortClock = 20 * time.Second

func clockRole(at *client.Table, side rules.Side, now time.Time) draw.Role {
	switch {
	case at.Turn() != side:
		return draw.Faint
	case at.ClockRuns() && at.ClockLeft(side, now) <= shortClock:
		return draw.Notice
	default:
		return draw.Plain
	}
}

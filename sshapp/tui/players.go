package tui

import (
	"strconv"
	"time"

	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// playersLine returns the line for the players. The line stands below the header. In a tall window the line stands
// above the boards, with free+1 rows in between.
func playersLine(s *draw.Canvas, boards draw.Arrangement, free int) draw.Rect {
	const header, least = 2, 76 // rows, and columns for two names and clocks
	m := s.Margin()
	line := draw.Rect{X: m, Y: header, Width: s.Width - 2*m, Height: 1}
	if !s.IsTall() || boards.IsEmpty() {
		return line
	}
	bounds := boards.Bounds()
	line.Y, line.Width = max(header, bounds.Y-2-free), min(line.Width, max(least, bounds.Width))
	line.X = max(m, min(bounds.X+(bounds.Width-line.Width)/2, s.Width-m-line.Width))
	return line
}

// signWidth is the width of a pointer and a sign before a name in a small window, with gaps.
const signWidth = 4

// drawTop writes the header, the players, and their clocks at the time now. A small window has no header.
func drawTop(s *draw.Canvas, e *env, table *client.Table, now time.Time, line draw.Rect) {
	if !s.IsRoomy() {
		half := (s.Width - 3) / 2
		for i, side := range rules.Sides() {
			x, face := 1+i*(half+1), clockFace(table, side, now)
			if face != "" && side != table.Side && table.Seat(side).IsAway() {
				face = "away" // the notice says how long the player may be away
			}
			width := half - len(face) - min(1, len(face))
			if face == "" { // a short name leaves columns to the other
				name, note := nameAndNote(s, table, side.Other(), s.Width)
				width = max(half, s.Width-3-signWidth-draw.Columns(name+note))
			}
			if side == rules.First {
				drawPlayer(s, x, 0, width, table, side)
				x += half - len(face)
			} else {
				drawPlayer(s, s.Width-1, 0, width, table, side)
			}
			s.Text(x, 0, clockRole(table, side, now), face)
		}
		return
	}
	heading := wording.Played(table.State)
	if alive := table.Position.LiveBoards(); alive < table.Variant.Boards() && !table.IsOver() {
		heading += ", " + strconv.Itoa(alive) + " alive"
	}
	m := s.Margin()
	if table.IsOver() && !s.IsTall() { // leaves room for the result below
		line.Y = 0
		width := headlineX(s) - m - 1
		if game := wording.PairGame(table.State); game != "" && draw.Columns(heading) > width {
			heading = game
		}
		s.Text(m, 1, draw.Faint, s.Fit(heading, width))
		s.TextRight(s.Width-m, 1, s.Fit(headerNote(table, e, now), headlineX(s)-m-1))
		s.Rule(2)
	} else {
		s.Header(heading, headerNote(table, e, now))
	}
	width := (line.Width - headlineWidth) / 2
	drawPlayer(s, line.X, line.Y, width, table, rules.First)
	drawPlayer(s, line.X+line.Width, line.Y, width, table, rules.Second)
	if left, right := clockFace(table, rules.First, now), clockFace(table, rules.Second, now); !table.IsOver() {
		x := line.X + width
		s.Text(x, line.Y, clockRole(table, rules.First, now), left)
		s.Text(x+headlineWidth-len(right), line.Y, clockRole(table, rules.Second, now), right)
	}
}

const headlineWidth = 28

func headlineX(s *draw.Canvas) int { return (s.Width - headlineWidth) / 2 }

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

// nameAndNote returns a player's name, cut to fit into width, and a note such as " (away)".
func nameAndNote(s *draw.Canvas, table *client.Table, side rules.Side, width int) (name, note string) {
	seatState := table.Seat(side)
	switch {
	case !table.Clock.IsNone() && !s.IsRoomy() && side == table.Side:
		return "you", ""
	case seatState.Player.IsComputer() && !s.IsRoomy():
		return fitName(s, seatState.Player, width), ""
	case !table.Clock.IsNone() && !s.IsRoomy():
	case side == ownSide(table):
		note = " (you)"
	case seatState.Player.IsComputer():
		note = " (computer)"
	case seatState.IsAway():
		note = " (away)"
	}
	return cutName(s, seatState.Player.Name, width-len(note)), note
}

// sideRole returns draw.Own (amber) for the player at this screen, else draw.Opponent. For a spectator the second side
// has draw.Own.
func sideRole(table *client.Table, side rules.Side) draw.Role {
	if side == amberSide(table) {
		return draw.Own
	}
	return draw.Opponent
}

func amberSide(table *client.Table) rules.Side {
	if own := ownSide(table); own != rules.NoSide {
		return own
	}
	return rules.Second
}

// drawPlayer writes a player's name and sign. The first side begins at x, and the second ends before x. A pointer in
// a small window marks the player to move, because there is no banner between the players.
func drawPlayer(s *draw.Canvas, x, y, width int, table *client.Table, side rules.Side) {
	width -= s.Pick(2, 0, 0)
	hasPointer := table.Turn() == side && !s.IsRoomy()
	name, note := nameAndNote(s, table, side, width-2)
	if side == rules.Second {
		s.Text(x-1, y, sideRole(table, side), sideSign(s, table.Variant, side))
		x -= 2 + draw.Columns(name+note)
		if hasPointer {
			s.Point(x-2, y)
		}
	} else {
		if hasPointer {
			s.Point(x, y)
		}
		x = s.Text(x+s.Pick(2, 0, 0), y, sideRole(table, side), sideSign(s, table.Variant, side)) + 1
	}
	s.Text(s.Text(x, y, draw.Strong, name), y, draw.Faint, note)
}

func clockFace(table *client.Table, side rules.Side, now time.Time) string {
	if table.Clock.IsNone() || !table.HasStarted() {
		return ""
	}
	left := table.ClockLeft(side, now)
	if move, _ := table.DaysLeft(side, now); move > 0 {
		left = move // the bank stands in the header
	}
	switch {
	case clockUnit(left) == time.Second:
		return wording.ClockFace(left)
	case table.Clock.IsCorrespondence():
		return wording.Left(left)
	default:
		return strconv.Itoa(int((left+time.Minute-1)/time.Minute)) + " min"
	}
}

// clockUnit returns the smallest unit that the face of a clock shows. Below lastMinutes a screen has to change each
// second.
func clockUnit(left time.Duration) time.Duration {
	const lastMinutes = 2 * time.Minute
	switch {
	case left <= lastMinutes:
		return time.Second
	case left < 24*time.Hour:
		return time.Minute
	default:
		return time.Hour
	}
}

// shortClock is the time left on a clock below which the screen says what happens at its end.
const shortClock = 20 * time.Second

func clockRole(table *client.Table, side rules.Side, now time.Time) draw.Role {
	switch {
	case table.Turn() != side:
		return draw.Faint
	case table.ClockRuns() && table.ClockLeft(side, now) <= shortClock:
		return draw.Notice
	default:
		return draw.Plain
	}
}

package tui

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// gameInShort is the game in three sentences.
const gameInShort = "Both play X. Three in a row kills a board. Kill the last board and you lose."

// cutOffText says that nothing can be recorded at this server, for as long as that lasts.
func (s *session) cutOffText() string {
	return s.either("Nothing can be recorded just now: wait, or connect again.", "Nothing is recorded: wait.")
}

// clock is a time as minutes and seconds.
func clock(d time.Duration) string {
	seconds := max(0, int(d/time.Second))
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}

// headline is who won, in two or three words.
func headline(s *client.Table) string {
	return wording.Headline(s.State, ownSide(s), func(side rules.Side) string { return subject(s, side) })
}

// reasonText is how the match ended, as a sentence.
func reasonText(s *client.Table) string {
	return wording.Reason(s.State, func(side rules.Side) string { return subject(s, side) })
}

// pairText is how the rated pair ended of which a match was the last game, as a sentence; empty for other matches.
func pairText(s *client.Table) string {
	return wording.PairResult(s.State, ownSide(s), func(side rules.Side) string { return subject(s, side) })
}

// subject is a side as the beginning of a sentence in the past.
func subject(s *client.Table, side rules.Side) string {
	if side == ownSide(s) && side != rules.Nobody {
		return "You"
	}
	return s.SeatState(side).Player.Name
}

// opponent is who sits opposite, or who moves first for a spectator.
func opponent(s *client.Table) string {
	if s.Side == rules.Nobody {
		return s.SeatState(rules.First).Player.Name
	}
	return s.SeatState(s.Side.Other()).Player.Name
}

// sign stands beside a player's name: a bar in the colour of the side, or the side's mark where those differ.
func sign(s *draw.Canvas, v rules.Variant, side rules.Side, atRight bool) string {
	switch {
	case v.IsTicTacToe() && side == rules.First:
		return "O"
	case v.IsTicTacToe():
		return "X"
	case atRight:
		return s.Glyphs.Bars[1]
	default:
		return s.Glyphs.Bars[0]
	}
}

// who is a player, cut to a width, and what else is to be known.
func who(s *draw.Canvas, at *client.Table, side rules.Side, width int) (name, note string) {
	seatState := at.SeatState(side)
	switch {
	case !at.Clock.IsNone() && !s.Roomy() && side == at.Side: // no room for more
		return "you", ""
	case !at.Clock.IsNone() && !s.Roomy():
	case side == ownSide(at):
		note = " (you)"
	case seatState.Player.IsComputer() && s.Roomy():
		note = " (computer)"
	case seatState.IsAway():
		note = " (away)"
	}
	return s.Fit(seatState.Player.Name, width-len(note)), note
}

// sideRole is the colour of a side: amber for the player at this screen, else for the second side.
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

// ownSide is the side of the player at this screen: that of the seat, or the one that the player had in a match that is
// over.
func ownSide(at *client.Table) rules.Side {
	if at.Side != rules.Nobody || !at.Over() || at.Player == "" {
		return at.Side
	}
	for _, side := range rules.Sides() {
		if at.SeatState(side).Player.ID == at.Player {
			return side
		}
	}
	return rules.Nobody
}

// drawPlayer writes a player from x rightwards, with a pointer if it is their turn and no banner stands between the
// players.
func drawPlayer(s *draw.Canvas, x, y, width int, at *client.Table, side rules.Side) {
	if at.Turn() == side && !s.Roomy() {
		s.Point(x, y)
	}
	if !s.Roomy() {
		x, width = x+2, width-2
	}
	x = s.Text(x, y, sideRole(at, side), sign(s, at.Variant, side, false)) + 1
	name, note := who(s, at, side, width-2)
	s.Text(s.Text(x, y, draw.Strong, name), y, draw.Faint, note)
}

// clockFace is what a side's clock leaves at a time; empty without a clock.
func clockFace(at *client.Table, side rules.Side, now time.Time) string {
	if at.Clock.IsNone() || !at.Started() {
		return ""
	}
	return wording.ClockFace(at.ClockLeft(side, now))
}

// shortClock is when what a clock leaves is short, and shown by the second.
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

// drawPlayerRight writes a player so that the line ends before x.
func drawPlayerRight(s *draw.Canvas, x, y, width int, at *client.Table, side rules.Side) {
	s.Text(x-1, y, sideRole(at, side), sign(s, at.Variant, side, true))
	if !s.Roomy() {
		width -= 2
	}
	name, note := who(s, at, side, width-2)
	left := x - 2 - draw.Columns(name+note)
	if at.Turn() == side && !s.Roomy() {
		s.Point(left-2, y)
	}
	s.Text(s.Text(left, y, draw.Strong, name), y, draw.Faint, note)
}

// drawMoves lists a number of the moves: beside the boards, or in a row below them as far as a column. The move that is
// marked on the boards stands out, counted from 1; 0 for none.
func drawMoves(s *draw.Canvas, p plan, at *client.Table, end, listed, marked int) {
	switch {
	case p.panel.Width > 0:
		drawMoveList(s, p.panel, at, listed, nil, marked)
	case p.strip >= 0:
		strip := draw.Rect{X: s.Margin(), Y: p.strip, Width: end - s.Margin(), Height: 1}
		drawMoveStrip(s, strip, at, listed, marked)
	}
}

// drawMoveList has a row for each move of the first side and the answer to it, and shows the last rows. With reviews
// slips stand out.
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

// drawMoveStrip writes the moves in a row, two by two, as the sides take turns. When the row is full, the first half of
// it makes way for the second, and there is room for as many again.
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

// pageFrom is how many of n moves are left out where there is room for a number of them: none, or as many halves of the
// room as it takes.
func pageFrom(n, room int) int {
	half := max(2, room/4*2)
	return max(0, (n-room+half-1)/half*half)
}

// lastMoves is the last few of the moves that are listed as one text.
func lastMoves(at *client.Table, listed, width int) string {
	n := min(listed, max(0, (width+1)/6), 3)
	words := make([]string, 0, n)
	for ply := listed - n; ply < listed; ply++ {
		words = append(words, strconv.Itoa(ply+1)+" "+at.Variant.FormatMove(at.Moves[ply]))
	}
	return strings.Join(words, "  ")
}

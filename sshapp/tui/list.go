package tui

import (
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// loadState is how far a screen is with what it shows.
type loadState uint8

const (
	loading loadState = iota
	loaded
	opening // the chosen match
)

// listRow is the chosen row of a screen that is a list.
type listRow struct{ row int }

func (l *listRow) chooseRow(row int) { l.row = row }

// move chooses another of n rows by a key, and reports whether the key does that.
func (l *listRow) move(press tea.KeyPressMsg, keys *keyMap, n int) bool {
	switch {
	case key.Matches(press, keys.up):
		l.row = max(0, l.row-1)
	case key.Matches(press, keys.down):
		l.row = max(0, min(l.row+1, n-1))
	default:
		return false
	}
	return true
}

// draw draws those of n rows around the chosen one for which there is room, and returns which these are.
func (l *listRow) draw(
	s *draw.Canvas, area draw.Rect, n int, drawRow func(at draw.Rect, i int, here bool),
) (first, end int) {
	first = max(0, min(l.row-area.Height/2, n-area.Height))
	end = min(n, first+area.Height)
	for i := first; i < end; i++ {
		at := draw.Rect{X: area.X, Y: area.Y + i - first, Width: area.Width, Height: 1}
		s.Target.OnEntry(at, i)
		drawRow(at, i, i == l.row)
	}
	return first, end
}

// wideRow is the least width of a row of the ladder that has the pairs, each number in a column of pairsWidth.
const (
	wideRow    = 60
	pairsWidth = 7
)

// The columns of a wide row of a finished match, which is wideRow at least: the result, the opponent, what was played,
// and right-aligned the number of moves and the day.
const (
	opponentColumn = 14
	gameColumn     = 32
	movesWidth     = 15 // before the day
)

// fitNames is the names of both players: where there is no room for both names, each has half of it. A computer's name
// is short and stays whole.
func fitNames(s *draw.Canvas, players [2]match.Player, width int) string {
	between := between(s)
	if both := wording.Name(players[0]) + between + wording.Name(players[1]); draw.Columns(both) <= width {
		return both
	}
	room := width - draw.Columns(between)
	const mark = len(computerMark)
	half := max((room+1)/2, room-draw.Columns(players[1].Name))
	switch {
	case players[1].IsComputer():
		half = room - len(players[1].Name) - mark
	case players[0].IsComputer():
		half = len(players[0].Name) + mark
	}
	first := fitName(s, players[0], half)
	return first + between + fitName(s, players[1], room-draw.Columns(first))
}

// computerMark stands behind a computer's name where there is no room for that of [wording.Name].
const computerMark = " (AI)"

// shortName is a player's name, that of a computer with its mark in short.
func shortName(p match.Player) string {
	if p.IsComputer() {
		return p.Name + computerMark
	}
	return p.Name
}

// fitName is a player's name, cut to a width. A computer keeps its mark, if need be in short.
func fitName(s *draw.Canvas, p match.Player, width int) string {
	name := wording.Name(p)
	if !p.IsComputer() || draw.Columns(name) <= width {
		return s.Fit(name, width)
	}
	return s.Fit(p.Name, width-len(computerMark)) + computerMark
}

// between stands between the names of two players.
func between(s *draw.Canvas) string { return " " + s.Glyphs.Dash + " " }

// howFar is how many moves have been made, and how many watch, if any.
func howFar(m match.Summary) string {
	text := wording.Count(m.Plies, "move", "moves")
	if m.Spectators > 0 {
		text += ", " + strconv.Itoa(m.Spectators) + " watching"
	}
	return text
}

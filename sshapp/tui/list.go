package tui

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

type loadState uint8

const (
	loading loadState = iota
	loaded
	opening // the chosen match
)

// list holds the rows of a screen and the chosen row.
type list[T any] struct {
	rows  []T
	row   int
	state loadState
}

func (l *list[T]) chooseRow(row int) { l.row = row }

func (l *list[T]) move(r *Root) tea.Cmd {
	if r.env.pressed(&r.env.keys.up) {
		l.row = max(0, l.row-1)
	} else {
		l.row = max(0, min(l.row+1, len(l.rows)-1))
	}
	return nil
}

// show replaces the rows. The choice follows the chosen row to its new place.
func (l *list[T]) show(rows []T, isSame func(a, b T) bool) {
	if l.row < len(l.rows) {
		chosen := l.rows[l.row]
		if i := slices.IndexFunc(rows, func(row T) bool { return isSame(row, chosen) }); i >= 0 {
			l.row = i
		}
	}
	l.rows, l.row = rows, max(0, min(l.row, len(rows)-1))
	if l.state == loading {
		l.state = loaded
	}
}

// draw draws the rows that fit around the chosen one, and returns the range that it drew. drawRow gets the role Chosen
// for the chosen row, else Plain. A click on a row chooses it; drawRow may give the click a key too.
func (l *list[T]) draw(
	s *draw.Canvas, area draw.Rect, drawRow func(at draw.Rect, row T, k draw.Role),
) (first, end int) {
	first = max(0, min(l.row-area.Height/2, len(l.rows)-area.Height))
	end = min(len(l.rows), first+area.Height)
	for i := first; i < end; i++ {
		at, k := draw.Rect{X: area.X, Y: area.Y + i - first, Width: area.Width, Height: 1}, draw.Plain
		s.Target.OnRow(at, i)
		if i == l.row {
			k = draw.Chosen
			s.Point(at.X, at.Y)
		}
		drawRow(at, l.rows[i], k)
	}
	return first, end
}

// head names a column of a list. A column with a positive at begins there. Another column ends -at columns before the
// end of the row.
type head struct {
	name string
	at   int
}

func drawHeads(s *draw.Canvas, row draw.Rect, heads ...head) {
	for _, h := range heads {
		if h.at > 0 {
			s.Text(row.X+h.at, row.Y, draw.Faint, h.name)
		} else {
			s.TextRight(row.X+row.Width+h.at, row.Y, h.name)
		}
	}
}

// wideRow is the least width of a ladder row that shows the pairs. Each number of pairs takes pairsWidth columns.
const (
	wideRow    = 60
	pairsWidth = 7
)

// The columns of a finished match in a row of at least wideRow columns: the result, the opponent, the game, and
// right-aligned the number of moves and the day.
const (
	opponentColumn = 14
	gameColumn     = 32
	movesWidth     = 15 // before the day
)

// fitNames joins the names of both players. If both do not fit, each gets half of the width, but a computer's name
// stays whole.
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

// computerMark follows a computer's name where the longer mark of [wording.Name] does not fit.
const computerMark = " (AI)"

func shortName(p match.Player) string {
	if p.IsComputer() {
		return p.Name + computerMark
	}
	return p.Name
}

// fitName cuts a player's name to a width. A computer keeps its mark.
func fitName(s *draw.Canvas, p match.Player, width int) string {
	name := wording.Name(p)
	if !p.IsComputer() || draw.Columns(name) <= width {
		return s.Fit(name, width)
	}
	return s.Fit(p.Name, width-len(computerMark)) + computerMark
}

func between(s *draw.Canvas) string { return " " + s.Glyphs.Dash + " " }

func howFar(m match.Summary) string {
	text := wording.Count(m.Plies, "move", "moves")
	if m.Spectators > 0 {
		text += ", " + strconv.Itoa(m.Spectators) + " watching"
	}
	return text
}

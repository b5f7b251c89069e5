package tui

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/account"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

type loadState uint8

const (
	loading loadState = iota
	loaded
	opening // the screen has requested the chosen match
)

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

// draw draws the rows that fit around the chosen row, and returns their range. drawRow gets the role Chosen for the
// chosen row, else Plain. A click on a row chooses the row. drawRow may also bind the click to a key.
func (l *list[T]) draw(
	s *draw.Canvas, area draw.Rect, drawRow func(bounds draw.Rect, row T, role draw.Role),
) (first, end int) {
	first = max(0, min(l.row-area.Height/2, len(l.rows)-area.Height))
	end = min(len(l.rows), first+area.Height)
	for i := first; i < end; i++ {
		bounds, role := draw.Rect{X: area.X, Y: area.Y + i - first, Width: area.Width, Height: 1}, draw.Plain
		s.Target.OnRow(bounds, i)
		if i == l.row {
			role = draw.Chosen
			s.Point(bounds.X, bounds.Y)
		}
		drawRow(bounds, l.rows[i], role)
	}
	return first, end
}

// column names a column of a list. A column with a positive at begins there. A column with an at of 0 or less ends
// -at columns before the end of the row.
type column struct {
	name string
	at   int
}

func drawHeads(s *draw.Canvas, row draw.Rect, heads ...column) {
	for _, h := range heads {
		if h.at > 0 {
			s.Text(row.X+h.at, row.Y, draw.Faint, h.name)
		} else {
			s.TextRight(row.X+row.Width+h.at, row.Y, h.name)
		}
	}
}

// wideRow is the least width of a row with a column for every value. On the ladder every number of pairs takes
// pairsWidth columns.
const (
	wideRow    = 60
	pairsWidth = 7
)

// The columns of a finished match in a row of at least wideRow columns. The first column shows the result. The number
// of moves and the day are right-aligned.
const (
	opponentColumn = 14
	gameColumn     = 32
	movesFromRight = 15 // before the day
)

// fitNames joins the names of both players. If the names do not fit, a computer loses its mark, and then a long name
// of a person is cut, but keeps at least half of the width.
func fitNames(s *draw.Canvas, players [2]match.Player, width int) string {
	between, first, second := nameSeparator(s), wording.Name(players[0]), wording.Name(players[1])
	if both := first + between + second; draw.Columns(both) <= width {
		return both
	}
	first, second = players[0].Name, players[1].Name
	room := width - draw.Columns(between)
	half := max((room+1)/2, room-draw.Columns(second))
	switch {
	case players[1].IsComputer():
		half = room - len(second)
	case players[0].IsComputer():
		half = len(first)
	}
	first = cutName(s, first, half)
	return first + between + cutName(s, second, room-draw.Columns(first))
}

// fitName returns a name with its mark, or without the mark if that does not fit. No person can have the name of a
// computer.
func fitName(s *draw.Canvas, p match.Player, width int) string {
	return cutName(s, fit(width, wording.Name(p), p.Name), width)
}

// cutName cuts a name to width columns. A name that the server gave loses its beginning, which all such names share.
func cutName(s *draw.Canvas, name string, width int) string {
	if own, isGiven := strings.CutPrefix(name, account.GivenPrefix); isGiven && draw.Columns(name) > width {
		name = fit(width, s.Glyphs.Ellipsis+own, own)
	}
	return s.Fit(name, width)
}

// shortTerms is wording.Terms for a narrow column, as in "4 boards, 1d, rated".
func shortTerms(t match.Terms) string {
	text := wording.Variant(t.Variant)
	if !t.Clock.IsNone() {
		text += ", " + t.Clock.String()
	}
	if t.Pool.IsRated() {
		text += ", rated"
	}
	return text
}

func nameSeparator(s *draw.Canvas) string { return " " + s.Glyphs.Dash + " " }

func progressText(m match.Summary) string {
	text := wording.Count(m.Plies, "move", "moves")
	if m.Spectators > 0 {
		text += ", " + strconv.Itoa(m.Spectators) + " watching"
	}
	return text
}

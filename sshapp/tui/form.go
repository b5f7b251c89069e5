package tui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// selector is a list of options, of which the arrow keys choose one.
type selector struct {
	label   string
	options []string
	notes   []string // what the options mean
	at      int
}

// optionWidth is the same in every selector, so that all arrows stand in one column.
const optionWidth = 13

func (s *selector) draw(c *draw.Canvas, x, y int, here bool) {
	g, k := c.Glyphs, draw.Plain
	if here {
		k = draw.Chosen
		c.Point(x-2, y)
	}
	c.Text(x, y, k, s.label)
	x += 10
	if len(s.options) == 1 { // there is nothing to turn
		c.Text(x+2, y, k, s.options[0])
		return
	}
	arrow := draw.Faint
	if here {
		arrow = draw.Cursor
	}
	c.Text(x, y, arrow, g.Less)
	c.TextCenter(x+2, optionWidth, y, k, s.options[s.at])
	c.Text(x+3+optionWidth, y, arrow, g.More)
	c.Target.OnValue(x, x+3+optionWidth, y)
}

// form is a list of selectors with a start row below. Enter starts on every row.
type form struct {
	rows   func() []*selector // the shown selectors
	row    int                // the chosen row
	starts string             // what Enter does
}

func (f *form) chooseRow(row int) { f.row = row }

// step chooses the next row, or the previous one for the key up. It wraps around at both ends.
func (f *form) step(r *Root) tea.Cmd {
	by, rows := 1, len(f.rows())
	if r.env.pressed(&r.env.keys.up) {
		by = rows
	}
	f.row = (f.row + by) % (rows + 1)
	return nil
}

// turn changes the option of the chosen selector. On the start row it does nothing.
func (f *form) turn(r *Root) tea.Cmd {
	by, rows := 1, f.rows()
	if r.env.pressed(&r.env.keys.left) {
		by = -1
	}
	if f.row < len(rows) {
		chosen := rows[f.row]
		chosen.at = (chosen.at + by + len(chosen.options)) % len(chosen.options)
	}
	return nil
}

func (f *form) draw(s *draw.Canvas, area draw.Rect, step, most int) {
	x, y, rows := area.X+2, area.Y, f.rows()
	for i, p := range rows {
		s.Target.OnRow(draw.Rect{X: area.X, Y: y, Width: area.Width, Height: 2}, i)
		p.draw(s, x, y, i == f.row)
		s.Text(x, y+1, draw.Faint, s.Fit(p.notes[p.at], area.Width-2))
		y += step
	}
	y = area.Y + step*most
	if f.row == len(rows) {
		s.Point(x-2, y)
	}
	s.Hint(x, y, "Enter", f.starts)
}

// frame draws a card for the form and one titled other, and in a wide window the boards of v. It returns the areas
// inside both cards. In a small window there are no cards, and beside is empty. The form has at most most selectors,
// step rows each, and below further rows.
func (f *form) frame(
	s *draw.Canvas, e *env, area draw.Rect, most, step, below, width int, other string, v rules.Variant,
) (inner, beside draw.Rect) {
	rows := most*step + below
	if !s.Roomy() {
		return area.Lower(1).Middle(most*step + 1).Column(smallForm), beside // as far as the row of notices
	}
	inner, beside = cards(area, rows, width)
	if s.Wide() {
		left, preview := wideColumns(area)
		drawPreview(s, preview, v, e.settings.digits)
		inner, beside = stack(left, rows)
		beside, _ = stack(beside, beside.Height-2)
	}
	inner = s.Card(inner, draw.Grid, "Your match", draw.Strong).Lower(1)
	return inner, s.Card(beside, draw.Grid, other, draw.Strong).Lower(1)
}

// smallForm is the width of a form where there is no room for cards.
const smallForm = 38

const cardsWidth = 96

// cards returns two areas side by side in the middle of area, each for a frame around rows. The second area begins
// width columns after the first.
func cards(area draw.Rect, rows, width int) (first, second draw.Rect) {
	const frame, gap = 2, 1
	area = area.Middle(rows + frame).Column(cardsWidth)
	area.Height = min(area.Height, rows+frame)
	first, second = area, area
	first.Width = width - gap
	second.X, second.Width = area.X+width, area.Width-width
	return first, second
}

// wideColumns divides a wide window into forms at the left and a preview at the right.
func wideColumns(area draw.Rect) (forms, preview draw.Rect) {
	const width, gap = 72, 2
	area = area.Lower(1)
	forms, preview = area, area
	forms.Width = width
	preview.X, preview.Width = area.X+width+gap, area.Width-width-gap
	return forms, preview
}

// stack returns a frame around rows at the top of area, and the area below.
func stack(area draw.Rect, rows int) (card, below draw.Rect) {
	const frame = 2
	card = area
	card.Height = min(area.Height, rows+frame)
	return card, area.Lower(card.Height)
}

func drawPreview(s *draw.Canvas, area draw.Rect, v rules.Variant, digits draw.Digits) {
	inner := s.Card(area, draw.Grid, "The boards", draw.Strong)
	if boards := draw.Arrange(v, inner.Lower(1)); !boards.IsEmpty() {
		(&draw.Boards{Position: v.Start(), Digits: digits}).Draw(s, boards)
	}
}

func variants() []rules.Variant {
	all := make([]rules.Variant, 0, rules.MaxBoards+1)
	for boards := 1; boards <= rules.MaxBoards; boards++ {
		v, err := rules.Notakto(boards)
		if err == nil {
			all = append(all, v)
		}
	}
	return append(all, rules.TicTacToe())
}

func boardsSelector(t match.Terms) selector {
	p := selector{label: "Boards"}
	for i, variant := range variants() {
		note := "More boards make a longer match."
		switch {
		case variant.IsTicTacToe():
			note = "O and X: three in a row wins."
		case variant.Boards() == 1:
			note = "Three in a row loses."
		}
		p.options, p.notes = append(p.options, wording.Variant(variant)), append(p.notes, note)
		if variant == t.Variant {
			p.at = i
		}
	}
	return p
}

func (s *selector) variant() rules.Variant { return variants()[s.at] }

// clockSelector offers the usual clocks, and also at if it is another clock.
func clockSelector(at match.Clock) (selector, []match.Clock) {
	p, all := selector{label: "Clock"}, match.OfferedClocks()
	if !slices.Contains(all, at) {
		all = append(all, at)
	}
	p.at = slices.Index(all, at)
	for _, c := range all {
		note := "Take as long as you like."
		if !c.IsNone() {
			note = wording.Capital(wording.Clock(c)) + "."
		}
		p.options, p.notes = append(p.options, c.String()), append(p.notes, note)
	}
	return p, all
}

type termsSelector struct {
	boards, clock selector
	clocks        []match.Clock
}

func newTermsSelector(t match.Terms) termsSelector {
	clock, all := clockSelector(t.Clock)
	return termsSelector{boardsSelector(t), clock, all}
}

func (t *termsSelector) terms() match.Terms {
	return match.Terms{Variant: t.boards.variant(), Clock: t.clocks[t.clock.at]}
}

func rungSelector(at strategy.Level) selector {
	ladder := strategy.Ladder()
	p := selector{label: "Level", options: wording.LevelNames(ladder), at: slices.Index(ladder, at)}
	for i, level := range ladder {
		p.notes = append(p.notes, fmt.Sprintf("%d of %d: %s", i+1, len(ladder), wording.Level(level)))
	}
	return p
}

func (s *selector) rung() strategy.Level { return strategy.Ladder()[s.at] }

package tui

import (
	"fmt"
	"slices"
	"sync"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

type selector struct {
	label   string
	options []string
	notes   []string
	chosen  int
}

// optionWidth is the width of the options in every selector, to align the arrows in one column.
const optionWidth = 13

func (s *selector) draw(c *draw.Canvas, x, y int, here bool) {
	g, role := c.Glyphs, draw.Plain
	if here {
		role = draw.Chosen
		c.Point(x-2, y)
	}
	c.Text(x, y, role, s.label)
	x += 10
	if len(s.options) == 1 { // a single option needs no arrows
		c.Text(x+2, y, role, s.options[0])
		return
	}
	arrow := draw.Faint
	if here {
		arrow = draw.Cursor
	}
	c.Text(x, y, arrow, g.Less)
	c.TextCenter(x+2, optionWidth, y, role, s.options[s.chosen])
	c.Text(x+3+optionWidth, y, arrow, g.More)
	c.Target.OnValue(x, x+3+optionWidth, y)
}

// form is a list of selectors above a start row. The screen decides the effect of Enter.
type form struct {
	rows   func() []*selector
	row    int
	starts string // the effect of Enter
}

func (f *form) chooseRow(row int) { f.row = row }

func (f *form) moveRow(r *Root) tea.Cmd {
	by, rows := 1, len(f.rows())
	if r.env.pressed(&r.env.keys.up) {
		by = rows
	}
	f.row = (f.row + by) % (rows + 1)
	return nil
}

func (f *form) changeOption(r *Root) tea.Cmd {
	by, rows := 1, f.rows()
	if r.env.pressed(&r.env.keys.left) {
		by = -1
	}
	if f.row < len(rows) {
		chosen := rows[f.row]
		chosen.chosen = (chosen.chosen + by + len(chosen.options)) % len(chosen.options)
	}
	return nil
}

// formLayout places the parts of a form, and of the card beside the form.
type formLayout struct {
	selectors   int    // the largest number of selectors
	step        int    // rows from one selector to the next
	below       int    // rows below the selectors
	width       int    // columns from the left edge of the form's card to that of the card beside it
	besideTitle string // of the card beside the form
}

func (f *form) draw(s *draw.Canvas, area draw.Rect, l *formLayout) {
	x, y, rows := area.X+2, area.Y, f.rows()
	for i, p := range rows {
		s.Target.OnRow(draw.Rect{X: area.X, Y: y, Width: area.Width, Height: 2}, i)
		p.draw(s, x, y, i == f.row)
		s.Text(x, y+1, draw.Faint, s.Fit(p.notes[p.chosen], area.Width-2))
		y += l.step
	}
	y = area.Y + l.step*l.selectors
	if f.row == len(rows) {
		s.Point(x-2, y)
	}
	s.Hint(x, y, "Enter", f.starts)
}

// drawCards draws a card for the form and a second card, and in a wide window the boards of preview. The results are
// the areas inside both cards. A wide window has the second card below the first. A small window has no cards, and
// beside is empty there.
func (l *formLayout) drawCards(s *draw.Canvas, area draw.Rect, preview draw.Boards) (inner, beside draw.Rect) {
	rows := l.selectors*l.step + l.below
	if !s.IsRoomy() {
		return area.Middle(l.selectors*l.step + 1).Column(smallForm), beside
	}
	inner, beside = cards(area, rows, l.width)
	if s.IsWide() {
		left, right := wideColumns(area)
		drawPreview(s, right, preview)
		inner, beside = stack(left, rows)
		beside, _ = stack(beside, beside.Height-2)
	}
	inner = s.Card(inner, draw.Grid, "Your match", draw.Strong).Lower(1)
	return inner, s.Card(beside, draw.Grid, l.besideTitle, draw.Strong).Lower(1)
}

const smallForm = 38

const cardsWidth = 96

// cards returns two areas side by side in the middle of area, each for a frame around rows lines. The second area
// begins width columns right of the first area's left edge.
func cards(area draw.Rect, rows, width int) (first, second draw.Rect) {
	const frame, gap = 2, 1
	area = area.Middle(rows + frame).Column(cardsWidth)
	area.Height = min(area.Height, rows+frame)
	first, second = area, area
	first.Width = width - gap
	second.X, second.Width = area.X+width, area.Width-width
	return first, second
}

func wideColumns(area draw.Rect) (forms, preview draw.Rect) {
	const width, gap = 72, 2
	area = area.Lower(1)
	forms, preview = area, area
	forms.Width = width
	preview.X, preview.Width = area.X+width+gap, area.Width-width-gap
	return forms, preview
}

// stack returns the place of a frame around rows lines at the top of area, and the area below.
func stack(area draw.Rect, rows int) (card, below draw.Rect) {
	const frame = 2
	card = area
	card.Height = min(area.Height, rows+frame)
	return card, area.Lower(card.Height)
}

// previewOf returns the boards at the start of a match of v.
func (e *env) previewOf(v rules.Variant) draw.Boards {
	return draw.Boards{Position: v.Start(), Digits: e.settings.digits}
}

func drawPreview(s *draw.Canvas, area draw.Rect, preview draw.Boards) {
	inner := s.Card(area, draw.Grid, "The boards", draw.Strong)
	if boards := draw.Arrange(preview.Position.Variant(), inner.Lower(1)); !boards.IsEmpty() {
		preview.Draw(s, boards)
	}
}

// variants returns all variants. The caller must not change the list.
var variants = sync.OnceValue(func() []rules.Variant {
	all := make([]rules.Variant, 0, rules.MaxBoards+1)
	for boards := 1; boards <= rules.MaxBoards; boards++ {
		v, err := rules.Notakto(boards)
		if err == nil {
			all = append(all, v)
		}
	}
	return append(all, rules.TicTacToe())
})

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
			p.chosen = i
		}
	}
	return p
}

func (s *selector) chosenVariant() rules.Variant { return variants()[s.chosen] }

// clockSelector offers the clocks all, and the chosen clock if it is missing there.
func clockSelector(chosen match.Clock, all []match.Clock) (selector, []match.Clock) {
	p := selector{label: "Clock"}
	if !slices.Contains(all, chosen) {
		all = append(all, chosen)
	}
	p.chosen = slices.Index(all, chosen)
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
	clock, all := clockSelector(t.Clock, match.OfferedClocks())
	return termsSelector{boardsSelector(t), clock, all}
}

func (t *termsSelector) terms() match.Terms {
	return match.Terms{Variant: t.boards.chosenVariant(), Clock: t.clocks[t.clock.chosen]}
}

func levelSelector(at strategy.Level) selector {
	ladder := strategy.Ladder()
	p := selector{label: "Level", options: wording.LevelNames(ladder), chosen: slices.Index(ladder, at)}
	for i, level := range ladder {
		p.notes = append(p.notes, fmt.Sprintf("%d of %d: %s", i+1, len(ladder), wording.Level(level)))
	}
	return p
}

func (s *selector) chosenLevel() strategy.Level { return strategy.Ladder()[s.chosen] }

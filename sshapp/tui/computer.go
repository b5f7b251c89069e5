package tui

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// computerScreen chooses a computer player, the boards, who moves first, and a clock.
type computerScreen struct {
	session      *session
	level, first selector
	termsSelector
	row   int
	asked bool
}

func (s *session) newComputer() *computerScreen {
	next := s.commands.client.NextRung(s.choices.level)
	return &computerScreen{
		session: s, level: rungSelector(next), first: sideSelector(),
		termsSelector: newTermsSelector(match.Terms{Variant: s.choices.terms.Variant}), // without a clock, unless asked for
	}
}

// recalled says that the session knows which computer players the player has beaten in earlier ones.
type recalled struct{ offered strategy.Level } // before that

// enter reads which computer players the player has beaten. Where that fails, those of this session are known.
func (c *computerScreen) enter() tea.Cmd {
	w, p, offered := c.session.commands, c.session.player, c.level.rung()
	return w.do(nil, func(ctx context.Context) (tea.Msg, error) {
		_ = w.client.Recall(ctx, w.history, p)
		return recalled{offered}, nil
	})
}

func (c *computerScreen) pickers() [4]*selector {
	return [4]*selector{&c.level, &c.boards, &c.first, &c.clock}
}

func (c *computerScreen) update(msg tea.Msg) (navigation, tea.Cmd) {
	switch msg := msg.(type) {
	case failed:
		c.asked = false
	case recalled:
		if c.level.rung() == msg.offered { // the player has not chosen
			c.level = rungSelector(c.session.commands.client.NextRung(c.session.choices.level))
		}
	}
	press, ok := pressed(msg)
	if !ok {
		return nil, nil
	}
	keys := c.session.keys
	switch {
	case key.Matches(press, keys.up):
		c.row = (c.row + 3) % 4
	case key.Matches(press, keys.down):
		c.row = (c.row + 1) % 4
	case key.Matches(press, keys.left):
		c.pickers()[c.row].turn(-1)
	case key.Matches(press, keys.right):
		c.pickers()[c.row].turn(1)
	case key.Matches(press, keys.digit):
		c.boards.at = int(press.String()[0] - '1')
	case key.Matches(press, keys.enter):
		return nil, c.play()
	case key.Matches(press, keys.back):
		return toLobby{}, nil
	}
	return nil, nil
}

func (c *computerScreen) chooseRow(row int) { c.row = row }

func (c *computerScreen) play() tea.Cmd {
	if c.asked {
		return nil
	}
	c.asked = true
	s := c.session
	terms := c.terms()
	s.choices.terms.Variant, s.choices.level = terms.Variant, c.level.rung()
	return s.commands.playComputer(s.player, terms, s.choices.level, c.first.side())
}

func (c *computerScreen) draw(s *draw.Canvas) {
	const width = 43 // of the form
	s.Page()
	area, step, below := s.Header("Play the computer", c.session.player.Name), 3, 3
	if s.Tall() {
		step, below = 4, 5 // from one row of the form to the next, and from the last one to the end of the card
	}
	if !s.Roomy() {
		area = area.Lower(1).Middle(4*step + 1).Column(smallForm) // as far as the row of notices
	} else {
		form, levels := cards(area, 4*step+below, width)
		area = s.Card(form, draw.Grid, "Your match", draw.Strong).Lower(1)
		c.drawLevels(s, s.Card(levels, draw.Grid, "Levels and ratings", draw.Strong).Lower(1))
	}
	x, y := area.X+2, area.Y
	for i, p := range c.pickers() {
		s.Target.OnRow(draw.Rect{X: area.X, Y: y, Width: area.Width, Height: 2}, i)
		p.draw(s, x, y, i == c.row)
		s.Text(x, y+1, draw.Faint, s.Fit(p.notes[p.at], area.Width-2))
		y += step
	}
	s.Hint(x, y, "Enter", "start the match")
}

// drawLevels lists the computer players with their ratings, and which of them the player has beaten.
func (c *computerScreen) drawLevels(s *draw.Canvas, area draw.Rect) {
	const rating, gauge = 9, 17 // columns
	step := 2                   // between two rows
	if s.Tall() {
		step = 3
	}
	levels := strategy.Ladder()
	least, best := levels[0].Rating(), levels[len(levels)-1].Rating()
	for i, level := range levels {
		y, k, line := area.Y+step*i, draw.Plain, draw.Other
		if i == c.level.at {
			k, line = draw.Chosen, draw.Here
		}
		s.Text(area.X, y, k, level.String())
		end := s.Text(area.X+rating, y, k, strconv.Itoa(level.Rating()))
		if i < c.session.commands.client.Beaten() {
			s.Text(end+1, y, draw.Good, s.Glyphs.Tick)
		}
		if s.Tall() {
			s.Text(area.X, y+1, draw.Faint, s.Fit(wording.Level(level), area.Width))
		}
		draw.Gauge(s, area.X+gauge, y, area.Width-gauge, line, level.Rating(), least, best)
	}
	s.Text(area.X, area.Y+area.Height-2, draw.Faint, s.Fit("After a win, go up a level.", area.Width))
}

func (c *computerScreen) notice() (string, draw.Role) { return "", draw.Plain }

func (c *computerScreen) title() string { return "Play the computer" }

// ShortHelp is part of help.KeyMap.
func (c *computerScreen) ShortHelp() []key.Binding {
	k := c.session.keys
	return []key.Binding{k.choose, k.change, renamed(k.enter, "start"), k.back, k.help}
}

// FullHelp is part of help.KeyMap.
func (c *computerScreen) FullHelp() [][]key.Binding {
	k := c.session.keys
	return [][]key.Binding{
		{k.choose, k.change, renamed(k.shortcuts, "boards"), renamed(k.enter, "start"), k.back}, c.session.settingsOf(),
	}
}

// selector is a value that is turned up and down with the arrow keys.
type selector struct {
	label   string
	options []string
	notes   []string // what the options mean
	at      int
}

// optionWidth is the room for an option: the same in every selector, so that their arrows stand in one column.
const optionWidth = 13

// turn goes to another option; after the last one the first comes again.
func (p *selector) turn(by int) { p.at = (p.at + by + len(p.options)) % len(p.options) }

// draw writes the picker's line. Its arrows stand out where it is chosen.
func (p *selector) draw(s *draw.Canvas, x, y int, here bool) {
	g, k := s.Glyphs, draw.Plain
	if here {
		k = draw.Chosen
		s.Point(x-2, y)
	}
	s.Text(x, y, k, p.label)
	x += 10
	arrow := draw.Faint
	if here {
		arrow = draw.Cursor
	}
	s.Text(x, y, arrow, g.Less)
	s.TextCenter(x+2, optionWidth, y, k, p.options[p.at])
	s.Text(x+3+optionWidth, y, arrow, g.More)
	s.Target.OnValue(x, x+3+optionWidth, y)
}

// smallForm is how wide a form is where there is no room for cards.
const smallForm = 38

// cardsWidth is how wide two cards side by side are at most.
const cardsWidth = 96

// cards are two areas side by side for frames around so many rows, in the middle of an area; the first one has a width.
func cards(area draw.Rect, rows, width int) (first, second draw.Rect) {
	const frame, gap = 2, 1
	area = area.Middle(rows + frame).Column(cardsWidth)
	area.Height = min(area.Height, rows+frame)
	first, second = area, area
	first.Width = width - gap
	second.X, second.Width = area.X+width, area.Width-width
	return first, second
}

// variants are the games in the order in which a selector has them.
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

// boardsSelector chooses the terms.
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

// opponentSelector chooses what the player accepts of an opponent: whatever is usual, one game, a rated pair, or
// whatever is usual without a clock.
func opponentSelector(accepts []match.Terms) selector {
	p := boardsSelector(match.Terms{})
	p.options = append(p.options, "rated pair", "without clock")
	p.options = slices.Insert(p.options, 0, wording.Accepts(match.DefaultAccepted()))
	p.at = 0
	for i, variant := range variants() {
		if !slices.ContainsFunc(accepts, func(t match.Terms) bool { return t.Variant != variant }) {
			p.at = i + 1
		}
	}
	switch {
	case slices.Equal(accepts, match.DefaultAccepted()):
		p.at = p.untimed()
	case len(accepts) > 0 && accepts[0].Pool.IsRated():
		p.at = p.rated()
	}
	return p
}

// rated and untimed are the last two options of a selector of an opponent's games.
func (p *selector) rated() int   { return len(p.options) - 2 }
func (p *selector) untimed() int { return len(p.options) - 1 }

// insists reports whether a selector of an opponent's games stands at one of them.
func (p *selector) insists() bool { return p.at > 0 && p.at < p.rated() }

// accepts are what a selector of an opponent's games stands at. A clock is preferred where not told otherwise.
func (p *selector) accepts() []match.Terms {
	switch usual := match.DefaultAccepted(); {
	case p.insists():
		return match.PreferClock([]match.Terms{{Variant: variants()[p.at-1]}})
	case p.at == p.rated():
		return []match.Terms{match.RatedTerms(match.PeoplePool)}
	case p.at > 0:
		return usual
	default:
		return match.PreferClock(usual)
	}
}

// variant is what a selector of boards stands at.
func (p *selector) variant() rules.Variant { return variants()[p.at] }

// clockSelector chooses a clock, one that was asked for before among them.
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

// termsSelector chooses what is played: the boards and the clock.
type termsSelector struct {
	boards, clock selector
	clocks        []match.Clock
}

func newTermsSelector(t match.Terms) termsSelector {
	clock, all := clockSelector(t.Clock)
	return termsSelector{boardsSelector(t), clock, all}
}

// terms are what the two selectors stand at.
func (p *termsSelector) terms() match.Terms {
	return match.Terms{Variant: p.boards.variant(), Clock: p.clocks[p.clock.at]}
}

func rungSelector(at strategy.Level) selector {
	ladder := strategy.Ladder()
	p := selector{label: "Level", options: wording.LevelNames(ladder), at: slices.Index(ladder, at)}
	for i, level := range ladder {
		p.notes = append(p.notes, fmt.Sprintf("%d of %d: %s", i+1, len(ladder), wording.Level(level)))
	}
	return p
}

// rung is what a selector of rungs stands at.
func (p *selector) rung() strategy.Level { return strategy.Ladder()[p.at] }

func sideSelector() selector {
	return selector{
		label:   "First",
		options: []string{"random", "me", "computer"},
		notes:   []string{"A coin toss decides who moves first.", "You move first.", "The computer moves first."},
	}
}

func (p *selector) side() rules.Side { return rules.Side(p.at) }

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

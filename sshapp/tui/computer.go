package tui

import (
	"context"
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/rules/strategy"
	"notakto/sshapp/tui/draw"
)

// computerScreen chooses a computer player, the boards, who moves first, and a clock.
type computerScreen struct {
	session      *session
	level, first selector
	termsSelector
	row   int
	asked bool
}

func newComputer(s *session) *computerScreen {
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
	s.Narrow(pageWidth)
	area := s.Header("Play the computer", c.session.player.Name)
	step := 3
	if area.Height < 4*step+1 {
		step = 2
	}
	rows := 4*step + 1
	if s.Tall() { // the levels
		rows += 2 + len(strategy.Ladder())
	}
	area = drawChoices(s, c.boards.variant(), area, rows)
	x, y := area.X+2, area.Y
	for i, p := range c.pickers() {
		s.Target.OnRow(draw.Rect{X: area.X, Y: y, Width: area.Width, Height: 2}, i)
		p.draw(s, x, y, i == c.row)
		s.Text(x, y+1, draw.Faint, s.Fit(p.notes[p.at], area.Width-2))
		y += step
	}
	s.Hint(x, y, "Enter", "start the match")
	if s.Tall() {
		area = area.Lower(y + 2 - area.Y)
		c.drawLevels(s, draw.Rect{X: x, Y: area.Y, Width: min(34, area.Width), Height: area.Height})
	}
}

// drawLevels lists the computer players with their ratings, and which of them the player has beaten, if there is room
// for all.
func (c *computerScreen) drawLevels(s *draw.Canvas, area draw.Rect) {
	levels := strategy.Ladder()
	if area.Height < len(levels)+1 {
		return
	}
	s.Section(area.X, area.Y, area.Width, "Levels, and their ratings")
	beaten := c.session.commands.client.Beaten()
	for i, level := range levels {
		y, k := area.Y+1+i, draw.Plain
		if i == c.level.at {
			k = draw.Chosen
		}
		s.Text(area.X, y, k, level.String())
		s.Text(area.X+12, y, k, strconv.Itoa(level.Rating()))
		if i < beaten {
			s.Text(area.X+19, y, draw.Good, s.Glyphs.Tick+" beaten")
		}
	}
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
		{k.choose, k.change, renamed(k.shortcuts, "boards"), renamed(k.enter, "start"), k.back}, settingsOf(c.session),
	}
}

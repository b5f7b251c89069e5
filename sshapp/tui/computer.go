package tui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/sshapp/tui/draw"
)

// computerScreen chooses a computer player, the boards and who moves first.
type computerScreen struct {
	session              *session
	level, boards, first selector
	row                  int
	asked                bool
}

func newComputer(s *session) *computerScreen {
	next := s.commands.client.NextRung(s.choices.level)
	return &computerScreen{session: s, level: rungSelector(next), boards: boardsSelector(s.choices.terms), first: sideSelector()}
}

func (c *computerScreen) pickers() [3]*selector { return [3]*selector{&c.level, &c.boards, &c.first} }

func (c *computerScreen) update(msg tea.Msg) (navigation, tea.Cmd) {
	if _, failed := msg.(failed); failed {
		c.asked = false
	}
	press, ok := pressed(msg)
	if !ok {
		return nil, nil
	}
	keys := c.session.keys
	switch {
	case key.Matches(press, keys.up):
		c.row = (c.row + 2) % 3
	case key.Matches(press, keys.down):
		c.row = (c.row + 1) % 3
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
	s.choices.terms, s.choices.level = c.boards.terms(), c.level.rung()
	return s.commands.playComputer(s.player, s.choices.terms, s.choices.level, c.first.side())
}

func (c *computerScreen) draw(s *draw.Canvas) {
	area := s.Header("Play the computer", c.session.player.Name)
	y := drawStart(s, c.boards.terms().Variant, area, 10)
	area = area.Column(40)
	x := area.X + 2
	for i, p := range c.pickers() {
		s.Target.OnRow(draw.Rect{X: area.X, Y: y, Width: area.Width, Height: 2}, i)
		p.draw(s, x, y, i == c.row)
		s.Text(x, y+1, draw.Faint, s.Fit(p.notes[p.at], area.Width-2))
		y += 3
	}
	s.Hint(x, y, "Enter", "start the match")
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
	return [][]key.Binding{{k.choose, k.change, renamed(k.shortcuts, "boards"), renamed(k.enter, "start"), k.back}, settingsOf(c.session)}
}

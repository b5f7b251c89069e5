package tui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// computerScreen chooses a computer player, the boards and who moves first.
type computerScreen struct {
	session              *session
	level, boards, first selector
	row                  int
	asked                bool
}

func newComputer(s *session) *computerScreen {
	return &computerScreen{session: s, level: levelSelector(s.level), boards: boardsSelector(s.terms), first: sideSelector()}
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

func (c *computerScreen) play() tea.Cmd {
	if c.asked {
		return nil
	}
	c.asked = true
	s := c.session
	s.terms, s.level = c.boards.terms(), c.level.level()
	return s.commands.playComputer(s.player, s.terms, s.level, c.first.side())
}

func (c *computerScreen) draw(s *canvas) {
	area := s.header("Play the computer", c.session.player.Name).column(60)
	x, y := area.x+2, area.y+1
	if s.roomy() {
		y += area.height / 6
	}
	for i, p := range c.pickers() {
		p.draw(s, x, y, i == c.row)
		s.text(x, y+1, faint, s.fit(p.notes[p.at], area.width-2))
		y += 3
	}
	s.hint(x, y, "Enter", "starts the match")
}

func (c *computerScreen) notice() (string, role) { return "", plain }

func (c *computerScreen) title() string { return "Play the computer" }

// ShortHelp is part of help.KeyMap.
func (c *computerScreen) ShortHelp() []key.Binding {
	k := c.session.keys
	return []key.Binding{k.choose, k.change, renamed(k.enter, "start"), k.back, k.help}
}

// FullHelp is part of help.KeyMap.
func (c *computerScreen) FullHelp() [][]key.Binding {
	k := c.session.keys
	return [][]key.Binding{{k.choose, k.change, renamed(k.shortcuts, "so many boards"), renamed(k.enter, "start"), k.back}, k.settings()}
}

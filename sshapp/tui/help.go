package tui

import (
	"strings"

	"charm.land/bubbles/v2/key"
)

// drawHelp shows all keys of a screen, in as many columns as there is room for, and what else one may want to know at a table.
func drawHelp(s *sheet, session *session, groups [][]key.Binding, at *sitting) {
	area := s.header("Keys", session.player.Name)
	if s.roomy() {
		area = area.lower(1)
	}
	footing := helpFooting(at)
	rows, gap := area.height-len(footing), 2
	if s.roomy() {
		gap = 6
	}
	x, y, width := area.x, 0, 0
	for i, group := range groups {
		if i > 0 && (s.roomy() || y+len(group) > rows) {
			x, y, width = x+width+gap, 0, 0
		}
		names := nameWidth(group)
		for _, binding := range group {
			s.helpLine(x, area.y+y, names, binding.Help())
			width = max(width, names+columns(binding.Help().Desc))
			y++
		}
	}
	for i, line := range footing {
		s.text(area.x, area.y+rows+i, faint, s.fit(line, area.width))
	}
	s.text(s.margin(), s.height-1, faint, "Any key goes back.")
}

// nameWidth is the width of the column that the names of keys take.
func nameWidth(group []key.Binding) int {
	width := 0
	for _, binding := range group {
		width = max(width, columns(binding.Help().Key))
	}
	return width + 2
}

func (s *sheet) helpLine(x, y, names int, help key.Help) {
	s.text(x, y, keycap, help.Key)
	s.text(x+names, y, plain, help.Desc)
}

// footnote is the same in one line, for a table whose header has no room for it.
func footnote(at *sitting) string { return strings.Join(helpFooting(at), ". ") }

// helpFooting is what stands below the keys at a table.
func helpFooting(at *sitting) []string {
	if at == nil {
		return nil
	}
	var lines []string
	if code := at.Chair(at.side).Code; code != "" {
		lines = append(lines, "Your way back: ssh -t HOST join "+string(code))
	}
	if at.Spectators > 0 {
		lines = append(lines, count(at.Spectators, "spectator", "spectators")+" at this table")
	}
	return lines
}

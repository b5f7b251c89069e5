package tui

import (
	"charm.land/bubbles/v2/key"
	"github.com/charmbracelet/x/ansi"
)

// drawHelp shows all keys of a screen, in as many columns as there is room for, and what else one may want to know at a table.
func drawHelp(s *sheet, session *session, h hints, at *sitting) {
	area := s.header("Keys", session.player.Name)
	if s.roomy() {
		area = area.lower(1)
	}
	footing := helpFooting(at)
	rows := area.height - len(footing)
	x, y, width := area.x, 0, 0
	for i, group := range h.full {
		if i > 0 && (s.roomy() || y+len(group) > rows) {
			x, y, width = x+width+3, 0, 0
		}
		for _, binding := range group {
			if !binding.Enabled() {
				continue
			}
			s.helpLine(x, area.y+y, binding.Help())
			width = max(width, helpKeyWidth(s)+1+ansi.StringWidth(binding.Help().Desc))
			y++
		}
	}
	for i, line := range footing {
		s.text(area.x, area.y+rows+i, faint, s.fit(line, area.width))
	}
	s.text(s.margin(), s.height-1, faint, "Any key goes back.")
}

func helpKeyWidth(s *sheet) int {
	if s.roomy() {
		return 12
	}
	return 7
}

func (s *sheet) helpLine(x, y int, help key.Help) {
	wide := helpKeyWidth(s)
	s.text(x, y, keycap, s.fit(help.Key, wide))
	s.text(x+wide, y, plain, help.Desc)
}

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

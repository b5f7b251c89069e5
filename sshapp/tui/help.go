package tui

import (
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/wording"
)

// drawHelp shows all keys of a screen, in as many columns as there is room for, and what else one may want to know at a
// table.
func drawHelp(s *canvas, session *session, groups [][]key.Binding, at *tableHandle) {
	area := s.header("Keys", session.player.Name)
	if s.roomy() {
		area = area.lower(1)
	}
	footing := helpFooting(session, at)
	if at != nil && session.digits == phone {
		footing = append(footing, "Moves are still named 7 8 9 on top.")
	}
	rows, gap := area.height-len(footing), 2
	if s.roomy() {
		gap = 6
	}
	x := area.x
	for _, column := range helpColumns(groups, rows, s.roomy()) {
		names, width := nameWidth(column), 0
		for i, binding := range column {
			drawHelpLine(s, x, area.y+i, names, binding.Help())
			width = max(width, names+columns(binding.Help().Desc))
		}
		x += width + gap
	}
	for i, line := range footing {
		s.text(area.x, area.y+rows+i, faint, s.fit(line, area.width))
	}
	s.text(s.margin(), s.height-1, faint, "Any key goes back.")
}

// helpColumns is a column for each group, or where there is less room for as many as have so many rows.
func helpColumns(groups [][]key.Binding, rows int, roomy bool) [][]key.Binding {
	var all [][]key.Binding
	for i, group := range groups {
		last := len(all) - 1
		if i == 0 || roomy || len(all[last])+len(group) > rows {
			all = append(all, slices.Clip(group))
		} else {
			all[last] = append(all[last], group...)
		}
	}
	return all
}

// nameWidth is the width of the column that the names of keys take.
func nameWidth(group []key.Binding) int {
	width := 0
	for _, binding := range group {
		width = max(width, columns(binding.Help().Key))
	}
	return width + 2
}

func drawHelpLine(s *canvas, x, y, names int, help key.Help) {
	s.text(x, y, keycap, help.Key)
	s.text(x+names, y, plain, help.Desc)
}

// footnote is the same in one line, for a table whose header has no room for it.
func footnote(s *session, at *tableHandle) string { return strings.Join(helpFooting(s, at), ". ") }

// resumeHint is a guest's way back, as a whole command if the window is wide enough for that.
func resumeHint(s *session, code match.Code) string {
	if text := "Way back: ssh -t " + s.host + " join " + string(code); columns(text) <= s.width-2 {
		return text
	}
	return "Way back: join " + string(code)
}

// helpFooting is what stands below the keys at a table.
func helpFooting(s *session, at *tableHandle) []string {
	if at == nil {
		return nil
	}
	var lines []string
	if code := at.SeatState(at.side).Code; code != "" {
		lines = append(lines, resumeHint(s, code))
	}
	switch {
	case at.side != rules.Nobody && at.Spectators > 0:
		lines = append(lines, wording.Count(at.Spectators, "spectator", "spectators")+" at this table")
	case at.Spectators == 1:
		lines = append(lines, "You are the only spectator")
	case at.Spectators > 1:
		lines = append(lines, strconv.Itoa(at.Spectators)+" spectators, with you")
	}
	return lines
}

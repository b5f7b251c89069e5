package tui

import (
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// drawHelp shows all keys of a screen, in as many columns as there is room for, and what else one may want to know at a
// table.
func drawHelp(s *draw.Canvas, session *session, groups [][]key.Binding, at *client.Table) {
	area := s.Header("Keys", session.player.Name)
	if s.Roomy() {
		area = area.Lower(1)
	}
	footing := helpFooting(session, at)
	if at != nil && session.choices.digits == draw.Phone {
		footing = append(footing, "Moves are still named 7 8 9 on top.")
	}
	rows, gap := area.Height-len(footing), 2
	if s.Roomy() {
		gap = 6
	}
	x := area.X
	for _, column := range helpColumns(groups, rows, s.Roomy()) {
		names, width := nameWidth(column), 0
		for i, binding := range column {
			drawHelpLine(s, x, area.Y+i, names, binding.Help())
			width = max(width, names+draw.Columns(binding.Help().Desc))
		}
		x += width + gap
	}
	for i, line := range footing {
		s.Text(area.X, area.Y+rows+i, draw.Faint, s.Fit(line, area.Width))
	}
	s.Text(s.Margin(), s.Height-1, draw.Faint, "Any key goes back.")
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
		width = max(width, draw.Columns(binding.Help().Key))
	}
	return width + 2
}

func drawHelpLine(s *draw.Canvas, x, y, names int, help key.Help) {
	s.Text(x, y, draw.Keycap, help.Key)
	s.Text(x+names, y, draw.Plain, help.Desc)
}

// footnote is the same in one line, for a table whose header has no room for it.
func footnote(s *session, at *client.Table) string { return strings.Join(helpFooting(s, at), ". ") }

// resumeHint is a guest's way back, as a whole command if the window is wide enough for that.
func resumeHint(s *session, code match.Code) string {
	if text := "Way back: ssh -t " + s.host + " join " + string(code); draw.Columns(text) <= s.width-2 {
		return text
	}
	return "Way back: join " + string(code)
}

// helpFooting is what stands below the keys at a table.
func helpFooting(s *session, at *client.Table) []string {
	if at == nil {
		return nil
	}
	var lines []string
	if code := at.SeatState(at.Side).Code; code != "" {
		lines = append(lines, resumeHint(s, code))
	}
	switch {
	case at.Side != rules.Nobody && at.Spectators > 0:
		lines = append(lines, wording.Count(at.Spectators, "spectator", "spectators")+" at this table")
	case at.Spectators == 1:
		lines = append(lines, "You are the only spectator")
	case at.Spectators > 1:
		lines = append(lines, strconv.Itoa(at.Spectators)+" spectators, with you")
	}
	return lines
}

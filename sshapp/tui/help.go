package tui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"

	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
)

// drawHelp shows all keys of a screen, in as many columns as there is room for, and what else one may want to know at a
// table.
func drawHelp(s *draw.Canvas, e *env, groups [][]key.Binding, at *client.Table) {
	s.Page()
	area := s.Header("Help", e.player.Name)
	footing := helpFooting(at, e)
	if at != nil && e.settings.digits == draw.Phone {
		footing = append(footing, "Moves are still named 7 8 9 on top.")
	}
	area.Height -= len(footing)
	for i, group := range groups {
		groups[i] = slices.DeleteFunc(slices.Clone(group), func(b key.Binding) bool { return !b.Enabled() })
	}
	texts := []string{gameText(at), marksText(s, e, at)}
	if s.Roomy() {
		for i, group := range groups {
			groups[i] = joined(group)
		}
		drawHelpGroups(s, area.Lower(1), groups, texts, !isTicTacToe(at))
	} else {
		columns := helpColumns(groups, area.Height)
		used := 1
		for _, column := range columns {
			used = max(used, 1+len(column))
		}
		for _, text := range texts {
			used += draw.LinesOf(text, area.Width)
		}
		if used < area.Height {
			area = area.Lower(1)
		}
		x, end := area.X, area.Y
		for _, column := range columns {
			names, width := nameWidth(column)-1, 0
			for i, binding := range column {
				drawHelpLine(s, x, area.Y+i, names, binding.Help())
				width = max(width, names+draw.Columns(binding.Help().Desc))
			}
			x, end = x+width+2, max(end, area.Y+len(column))
		}
		drawGame(s, area.Lower(end+1-area.Y), draw.Faint, texts)
	}
	for i, line := range footing {
		s.Text(area.X, area.Y+area.Height+i, draw.Faint, s.Fit(line, area.Width))
	}
	s.FooterRule()
	s.Footer([]key.Binding{bind([]string{"any"}, "Any key", "goes back"), renamed(e.keys.cut, "quits")})
}

// joined has the keys that follow each other and do the same in one.
func joined(group []key.Binding) []key.Binding {
	var all []key.Binding
	for _, b := range group {
		if last := len(all) - 1; last >= 0 && all[last].Help().Desc == b.Help().Desc {
			all[last].SetHelp(all[last].Help().Key+" / "+b.Help().Key, b.Help().Desc)
		} else {
			all = append(all, b)
		}
	}
	return all
}

// drawHelpGroups has a column with a heading for each group, for the keys of the screen and for those of the settings,
// and the game in short below. In a high window there is a blank line below the headings.
func drawHelpGroups(s *draw.Canvas, area draw.Rect, groups [][]key.Binding, texts []string, boardsDie bool) {
	const gap = 4
	first, left, end := 1, area, area.Y
	if s.Tall() {
		first = 2
	}
	left.Width = (area.Width - gap*(len(groups)-1)) / len(groups)
	for i, group := range groups {
		s.Section(left.X, left.Y, left.Width, [...]string{"On this screen", "Settings"}[i])
		y, names := left.Y+first, nameWidth(group)
		for _, binding := range group {
			drawHelpLine(s, left.X, y, names, binding.Help())
			y++
		}
		left.X, end = left.X+left.Width+gap, max(end, y)
	}
	const least = 4 // rows, with the heading
	if area = area.Lower(end + 1 - area.Y); area.Height < least {
		return
	}
	s.Section(area.X, area.Y, area.Width, "The game")
	area = area.Lower(first)
	area = area.Lower(1 + drawGame(s, area, draw.Plain, texts) - area.Y)
	if _, rows := planDeath(area); rows > 0 && boardsDie {
		drawDeath(s, area.Column(4*area.Height))
	}
}

// drawGame writes the game in short, and what the marks of a match mean, as much as there is room for. It returns the
// row below.
func drawGame(s *draw.Canvas, area draw.Rect, k draw.Role, texts []string) (y int) {
	y = area.Y
	for _, text := range texts {
		if text != "" && y+draw.LinesOf(text, area.Width) <= area.Y+area.Height {
			y = s.Paragraph(area.X, y, area.Width, k, text)
		}
	}
	return y
}

// marksText is what the marks of a match that is on mean, and who sees them.
func marksText(s *draw.Canvas, e *env, at *client.Table) string {
	const text, kills = "The centre of the last X is marked.", "An X on a marked digit kills the board."
	switch {
	case at == nil || !at.Started() || at.Over():
		return ""
	case at.Variant.IsTicTacToe():
		return "The centre of the last O or X is marked."
	case at.IsWatching() || at.Pool.IsRated():
		return text
	case e.showsDeadly(at) && !s.Roomy():
		return kills
	case e.showsDeadly(at):
		return text + " " + kills
	case !s.Roomy():
		return "x marks the digits that kill a board."
	case at.IsAgainstComputer():
		return text + " Press x to mark the digits that kill a board."
	default:
		return text + " Press x to mark the digits that kill a board. Your opponent sees them too."
	}
}

func isTicTacToe(at *client.Table) bool { return at != nil && at.Variant.IsTicTacToe() }

// gameText is the game that is played at a table in short.
func gameText(at *client.Table) string {
	if isTicTacToe(at) {
		return "O and X take turns. Three in a row of your own wins."
	}
	return gameInShort
}

// helpColumns is a column for each group, or where there is less room one for as many as have so many rows.
func helpColumns(groups [][]key.Binding, rows int) [][]key.Binding {
	var all [][]key.Binding
	for i, group := range groups {
		last := len(all) - 1
		if i == 0 || len(all[last])+len(group) > rows {
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
	what, value, isSetting := strings.Cut(help.Desc, ": ")
	if isSetting {
		what += ": "
	}
	s.Text(s.Text(x+names, y, draw.Faint, what), y, draw.Chosen, value)
}

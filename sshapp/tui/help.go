package tui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"

	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
)

func (r *Root) drawHelp(s *draw.Canvas) {
	e, table := r.env, tableOf(r.screen)
	s.Page()
	area := s.Header("Help", e.player.Name)
	footing := helpFooting(table, e)
	if table != nil && e.settings.digits == draw.Phone {
		footing = append(footing, "Move names still have 7 8 9 on top.")
	}
	area.Height -= len(footing)
	own, settings := r.helpActions()
	groups := [2][]key.Help{helpLines(own, s.IsRoomy()), helpLines(settings, s.IsRoomy())}
	texts := []string{gameInShort, marksText(s, e, table)}
	isTicTacToe := table != nil && table.Variant.IsTicTacToe()
	if isTicTacToe {
		texts[0] = "O and X take turns. Three in a row of your own wins."
	}
	if s.IsRoomy() {
		drawHelpGroups(s, area.Lower(1), groups, texts, !isTicTacToe)
	} else {
		drawHelpColumns(s, area, groups, texts)
	}
	for i, line := range footing {
		s.Text(area.X, area.Y+area.Height+i, draw.Faint, s.Fit(line, area.Width))
	}
	s.FooterRule()
	s.Footer([]key.Help{{Key: "Any key", Desc: "goes back"}, {Key: e.keys.interrupt.Help().Key, Desc: "quits"}})
}

func helpLines(actions []action, joined bool) []key.Help {
	var all []key.Help
	for i := range actions {
		name, what := actions[i].key.Help().Key, actions[i].long
		if last := len(all) - 1; joined && last >= 0 && all[last].Desc == what {
			all[last].Key += " / " + name
		} else {
			all = append(all, key.Help{Key: name, Desc: what})
		}
	}
	return all
}

// drawHelpColumns draws each group in a column, or both groups in one if there are enough rows, and the game below.
func drawHelpColumns(s *draw.Canvas, area draw.Rect, groups [2][]key.Help, texts []string) {
	columns := groups[:]
	if both := slices.Concat(groups[:]...); len(both) <= area.Height {
		columns = [][]key.Help{both}
	}
	used := 1
	for _, column := range columns {
		used = max(used, 1+len(column))
	}
	for _, text := range texts {
		used += draw.CountLines(text, area.Width)
	}
	if used < area.Height {
		area = area.Lower(1)
	}
	x, end := area.X, area.Y
	for _, column := range columns {
		names, width := nameWidth(column)-1, 0
		for i, help := range column {
			drawHelpLine(s, x, area.Y+i, names, help)
			width = max(width, names+draw.Columns(help.Desc))
		}
		x, end = x+width+2, max(end, area.Y+len(column))
	}
	drawGame(s, area.Lower(end+1-area.Y), draw.Faint, texts)
}

func drawHelpGroups(s *draw.Canvas, area draw.Rect, groups [2][]key.Help, texts []string, boardsDie bool) {
	const gap = 4
	first, left, end := s.Pick(1, 1, 2), area, area.Y
	left.Width = (area.Width - gap) / len(groups)
	for i, group := range groups {
		s.Section(left.X, left.Y, left.Width, [...]string{"On this screen", "Settings"}[i])
		y, names := left.Y+first, nameWidth(group)
		for _, help := range group {
			drawHelpLine(s, left.X, y, names, help)
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

func drawGame(s *draw.Canvas, area draw.Rect, role draw.Role, texts []string) (y int) {
	y = area.Y
	for _, text := range texts {
		if text != "" && y+draw.CountLines(text, area.Width) <= area.Y+area.Height {
			y = s.Paragraph(area.X, y, area.Width, role, text)
		}
	}
	return y
}

func marksText(s *draw.Canvas, e *env, table *client.Table) string {
	const text, kills = "The centre of the last X is marked.", "An X on a marked digit kills the board."
	switch {
	case table == nil || !table.HasStarted() || table.IsOver():
		return ""
	case table.Variant.IsTicTacToe():
		return "The centre of the last O or X is marked."
	case table.IsWatching() || table.Pool.IsRated():
		return text
	case e.showsDeadly(table) && !s.IsRoomy():
		return kills
	case e.showsDeadly(table):
		return text + " " + kills
	case !s.IsRoomy():
		return "x marks the digits that kill a board."
	case table.IsAgainstComputer():
		return text + " Press x to mark the digits that kill a board."
	default:
		return text + " Press x to mark the digits that kill a board. Your opponent sees them too."
	}
}

func nameWidth(group []key.Help) int {
	width := 0
	for _, help := range group {
		width = max(width, draw.Columns(help.Key))
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

package main

import (
	"fmt"

	"charm.land/lipgloss/v2"

	"notakto/rules"
)

// glyphs are the ways a cell can look: with each digit, and in place 0 with a cross.
type glyphs [9 + 1]string

// stockLook is everything on the stock table that never changes, rendered once for all sessions as a careful program
// does.
type stockLook struct {
	free, cursor, dead glyphs
	names              [rules.MaxBoards]string
	heading, help      string
	gap, rule          string
}

func newStockLook() *stockLook {
	cell := lipgloss.NewStyle().Width(7).Align(lipgloss.Center)
	mark := cell.Bold(true).Foreground(lipgloss.Color("#FFAF00"))
	quiet := lipgloss.NewStyle().Foreground(lipgloss.Color("#808080"))
	title := lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Color("#5FAFFF"))
	look := &stockLook{
		free:    render(cell.Foreground(lipgloss.Color("#808080"))),
		cursor:  render(cell.Bold(true).Reverse(true)),
		dead:    render(cell.Faint(true)),
		heading: title.Render("Notakto · three boards · against the computer"),
		help:    quiet.Render("arrows move · enter places · ? help · r resign · q leave"),
		gap:     "       │       │       ",
		rule:    "───────┼───────┼───────",
	}
	look.free[0] = mark.Render("X")
	for i := range look.names {
		look.names[i] = title.Width(23).Align(lipgloss.Center).Render(rules.BoardName(i))
	}
	return look
}

func render(style lipgloss.Style) glyphs {
	var g glyphs
	g[0] = style.Render("X")
	for digit := 1; digit < len(g); digit++ {
		g[digit] = style.Render(fmt.Sprint(digit))
	}
	return g
}

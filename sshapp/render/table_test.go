package render

import (
	"fmt"
	"strings"
)

// table is a screen like the game's in 80x24 and 256 colors. It has a header, three boards, a cursor on one cell,
// and a list of moves.
type table struct {
	marks  map[string]bool // keys such as "A5"
	cursor string
	dead   string // letters of dead boards
}

const (
	plain    = "\x1b[m"
	dim      = "\x1b[38;5;240m"
	cross    = "\x1b[1;38;5;203m"
	selected = "\x1b[1;38;5;16;48;5;220m"
	digit    = "\x1b[38;5;245m"
)

func (t table) frame() Frame { return content(t.text()) }

func (t table) text() string {
	lines := []string{
		pad("\x1b[1;38;5;220m notakto/3"+plain+"  you "+cross+"X"+plain+"  against \x1b[38;5;110mclub"+plain, 80-31),
		dim + strings.Repeat("─", 80) + plain, "",
	}
	for row := range 3 {
		for sub := range 5 {
			var line strings.Builder
			for board := range 3 {
				line.WriteString("   ")
				for column := range 3 {
					line.WriteString(t.cell(board, row, column, sub))
					if column < 2 {
						line.WriteString(dim + "│" + plain)
					}
				}
			}
			lines = append(lines, line.String())
		}
		if row < 2 {
			rule := "   " + dim + "───────┼───────┼───────" + plain
			lines = append(lines, rule+rule+rule)
		}
	}
	lines = append(lines, "", " \x1b[1mYour turn"+plain, dim+" moves: "+plain+fmt.Sprint(len(t.marks)),
		dim+" arrows move · enter places · ? help · q leaves"+plain)
	return strings.Join(lines, "\n")
}

// cell returns one of the five lines of a cell, 7 columns wide.
func (t table) cell(board, row, column, sub int) string {
	name := fmt.Sprintf("%c%d", 'A'+board, (2-row)*3+column+1)
	style := digit
	switch {
	case t.cursor == name:
		style = selected
	case strings.Contains(t.dead, name[:1]):
		style = dim
	case t.marks[name]:
		style = cross
	}
	text := "       "
	switch {
	case t.marks[name]:
		text = [5]string{"       ", "  ╲ ╱  ", "   ╳   ", "  ╱ ╲  ", "       "}[sub]
	case sub == 2:
		text = "   " + name[1:] + "   "
	}
	return style + text + plain
}

func pad(text string, n int) string { return text + strings.Repeat(" ", n) }

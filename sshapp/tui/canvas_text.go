package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"notakto/sshapp/render"
)

// text writes from x rightwards and returns the column after it, as [render.Grid.Text].
func (s *canvas) text(x, y int, k styleRole, text string) int {
	return s.grid.Text(x, y, s.theme.ids[k], text)
}

// columns is how many columns a text takes.
func columns(text string) int { return render.Columns(text) }

// textRight writes faint text that ends before column x, and returns its first column.
func (s *canvas) textRight(x, y int, text string) int {
	start := x - columns(text)
	s.text(start, y, faint, text)
	return start
}

// textCenter writes in the middle of the columns from x on.
func (s *canvas) textCenter(x, width, y int, k styleRole, text string) {
	s.text(x+max(0, (width-columns(text))/2), y, k, text)
}

// fit is text cut to a width, with an ellipsis if something was left out.
func (s *canvas) fit(text string, width int) string {
	if width <= 0 {
		return ""
	}
	if len(text) <= width {
		return text
	}
	return ansi.Truncate(text, width, s.theme.glyphs.ellipsis)
}

// paragraph writes text in lines of at most width cells and returns the row after it.
func (s *canvas) paragraph(x, y, width int, k styleRole, text string) int {
	for line := range strings.SplitSeq(ansi.Wordwrap(text, width, ""), "\n") {
		s.text(x, y, k, line)
		y++
	}
	return y
}

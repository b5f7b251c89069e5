package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"notakto/sshapp/render"
)

// canvas is what a screen draws on: a grid as large as the window, with the styles and glyphs of a theme.
type canvas struct {
	size
	glyphs *glyphs
	grid   *render.Grid
	theme  *Theme
}

// newCanvas makes a grid blank and gives it a size, to be drawn on.
func newCanvas(grid *render.Grid, width, height int, theme *Theme) *canvas {
	grid.Reset(width, height, theme.family.styles, !theme.utf8)
	return &canvas{size: size{grid.Width(), grid.Height()}, glyphs: theme.glyphs, grid: grid, theme: theme}
}

// text writes from x rightwards and returns the column after it, as [render.Grid.Text].
func (s *canvas) text(x, y int, k role, text string) int {
	return s.grid.Text(x, y, s.theme.ids[k], text)
}

// textRight writes faint text that ends before column x, and returns its first column.
func (s *canvas) textRight(x, y int, text string) int {
	start := x - columns(text)
	s.text(start, y, faint, text)
	return start
}

// textCenter writes in the middle of the columns from x on.
func (s *canvas) textCenter(x, width, y int, k role, text string) {
	s.text(x+max(0, (width-columns(text))/2), y, k, text)
}

// paragraph writes text in lines of at most width cells and returns the row after it.
func (s *canvas) paragraph(x, y, width int, k role, text string) int {
	for line := range strings.SplitSeq(ansi.Wordwrap(text, width, ""), "\n") {
		s.text(x, y, k, line)
		y++
	}
	return y
}

// fit is text cut to a width, with an ellipsis if something was left out.
func (s *canvas) fit(text string, width int) string {
	if width <= 0 {
		return ""
	}
	if len(text) <= width {
		return text
	}
	return ansi.Truncate(text, width, s.glyphs.ellipsis)
}

// repeat writes a glyph a number of times.
func (s *canvas) repeat(x, y, count int, k role, glyph string) {
	s.grid.Fill(x, y, count, s.theme.ids[k], glyph)
}

// wipe blanks a rectangle.
func (s *canvas) wipe(r rect) {
	for row := range r.height {
		s.repeat(r.x, r.y+row, r.width, plain, " ")
	}
}

// ring draws lines along the edges of a rectangle.
func (s *canvas) ring(r rect, k role, g *ring) {
	right, bottom := r.x+r.width-1, r.y+r.height-1
	s.repeat(r.x, r.y, r.width, k, g.across)
	s.repeat(r.x, bottom, r.width, k, g.across)
	for y := r.y; y <= bottom; y++ {
		s.text(r.x, y, k, g.down)
		s.text(right, y, k, g.down)
	}
	s.corners(r, k, g)
}

// corners draws only the corners of a rectangle.
func (s *canvas) corners(r rect, k role, g *ring) {
	right, bottom := r.x+r.width-1, r.y+r.height-1
	s.text(r.x, r.y, k, g.topLeft)
	s.text(right, r.y, k, g.topRight)
	s.text(r.x, bottom, k, g.bottomLeft)
	s.text(right, bottom, k, g.bottomRight)
}

// columns is how many columns a text takes.
func columns(text string) int { return render.Columns(text) }

// linesOf is how many lines a paragraph takes.
func linesOf(text string, width int) int {
	return strings.Count(ansi.Wordwrap(text, width, ""), "\n") + 1
}

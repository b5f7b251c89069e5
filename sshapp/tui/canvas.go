package tui

import "notakto/sshapp/render"

// canvas is what a screen draws on: a grid as large as the window, and a theme.
type canvas struct {
	grid          *render.Grid
	width, height int
	theme         *Theme
}

// newCanvas makes a grid blank, gives it a size, and draws on it.
func newCanvas(grid *render.Grid, width, height int, theme *Theme) *canvas {
	width, height = max(0, width), max(0, height)
	grid.Reset(width, height, theme.family.styles, !theme.utf8)
	return &canvas{grid: grid, width: width, height: height, theme: theme}
}

// set puts a glyph into a cell.
func (s *canvas) set(x, y int, k styleRole, glyph string) { s.repeat(x, y, 1, k, glyph) }

// repeat writes a glyph a number of times.
func (s *canvas) repeat(x, y, count int, k styleRole, glyph string) {
	s.grid.Fill(x, y, count, s.theme.ids[k], glyph)
}

// wipe blanks a rectangle.
func (s *canvas) wipe(r rect) {
	for row := range r.height {
		s.repeat(r.x, r.y+row, r.width, plain, " ")
	}
}

// box draws a frame and blanks what is inside.
func (s *canvas) box(r rect, k styleRole) {
	s.wipe(r)
	s.ring(r, k, &s.theme.glyphs.frame)
}

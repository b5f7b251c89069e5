package tui

import (
	"slices"
	"unicode/utf8"
)

// cell is one place of a canvas: small, since a frame goes through two thousand of them.
type cell struct {
	glyph rune // 0 where nothing was written; below 0 the number of one of the sheet's clusters, counted from -1 down
	role  styleRole
	tail  bool // the right half of a wide character
}

// canvas is what a screen draws on: as many cells as the window has. What would fall outside is left out, so a frame is
// never too large.
type canvas struct {
	width, height int
	cells         []cell
	clusters      []string // what takes several runes for one glyph
	ends          []int    // of each row, behind the last cell that was set
	theme         *Theme
}

// clear makes s blank and gives it a size.
func (s *canvas) clear(width, height int, theme *Theme) {
	s.width, s.height, s.theme = width, height, theme
	if cap(s.cells) < width*height {
		s.cells = make([]cell, width*height)
	}
	s.cells = s.cells[:width*height]
	clear(s.cells)
	s.clusters = s.clusters[:0]
	s.ends = slices.Grow(s.ends[:0], height)[:height]
	clear(s.ends)
}

// glyph is what a cell keeps of a text that takes one column, or two.
func (s *canvas) glyph(text string) rune {
	switch r, size := utf8.DecodeRuneInString(text); size {
	case 0:
		return 0
	case len(text):
		return r
	}
	s.clusters = append(s.clusters, text)
	return rune(-len(s.clusters)) //nolint:gosec // a frame has few
}

// set puts a glyph into a cell.
func (s *canvas) set(x, y int, k styleRole, glyph string) {
	s.put(x, y, cell{glyph: s.glyph(glyph), role: k})
}

// put fills a cell. What is left of a wide character that it cuts becomes blank.
func (s *canvas) put(x, y int, c cell) {
	if x < 0 || x >= s.width || y < 0 || y >= s.height {
		return
	}
	at := y*s.width + x
	if s.cells[at].tail {
		s.cells[at-1].glyph = 0
	}
	if x+1 < s.width {
		s.cells[at+1].tail = false
	}
	s.cells[at] = c
	s.ends[y] = max(s.ends[y], x+1)
}

// repeat writes a glyph a number of times.
func (s *canvas) repeat(x, y, count int, k styleRole, glyph string) {
	c := cell{glyph: s.glyph(glyph), role: k}
	for i := range count {
		s.put(x+i, y, c)
	}
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

// appendTo appends the canvas as a frame: exactly its height in lines, without blanks at their ends.
func (s *canvas) appendTo(dst []byte) []byte {
	for y := range s.height {
		if y > 0 {
			dst = append(dst, '\n')
		}
		dst = s.appendLine(dst, s.cells[y*s.width:y*s.width+s.ends[y]])
	}
	return dst
}

// appendLine appends one row. A blank that shows no style role goes on in the style role before it, which saves
// escape codes.
func (s *canvas) appendLine(dst []byte, row []cell) []byte {
	var current *sgr
	blanks := 0
	for i := range row {
		c := &row[i]
		next := &s.theme.sgrs[c.role]
		switch {
		case c.tail:
			continue
		case (c.glyph == 0 || c.glyph == ' ') && !next.paints:
			blanks++
			continue
		}
		if current != nil && (current != next && current.on != next.on || blanks > 0 && current.paints) {
			dst = append(dst, current.off...)
			current = nil
		}
		for ; blanks > 0; blanks-- {
			dst = append(dst, ' ')
		}
		if current == nil {
			dst = append(dst, next.on...)
			current = next
		}
		if c.glyph > 0 {
			dst = utf8.AppendRune(dst, c.glyph)
		} else {
			dst = append(dst, s.cluster(c.glyph)...)
		}
	}
	if current != nil {
		dst = append(dst, current.off...)
	}
	return dst
}

// cluster is the text of a glyph that is no rune.
func (s *canvas) cluster(glyph rune) string {
	if glyph == 0 {
		return " "
	}
	return s.clusters[-glyph-1]
}

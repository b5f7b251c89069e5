package tui

import "slices"

// cell is one place of a sheet. Where text is empty nothing was written, or a wide character reaches over from the left.
type cell struct {
	text string
	ink  ink
	tail bool // the right half of a wide character
}

// sheet is what a screen draws on: as many cells as the window has. What would fall outside is left out, so a frame is never too large.
type sheet struct {
	width, height int
	cells         []cell
	ends          []int // of each row, behind the last cell that was set
	theme         *Theme
	out           []byte // what is appended to
}

// clear makes s blank and gives it a size.
func (s *sheet) clear(width, height int, theme *Theme) {
	s.width, s.height, s.theme = width, height, theme
	if cap(s.cells) < width*height {
		s.cells = make([]cell, width*height)
	}
	s.cells = s.cells[:width*height]
	clear(s.cells)
	s.ends = slices.Grow(s.ends[:0], height)[:height]
	clear(s.ends)
}

// set puts a glyph into a cell. What is left of a wide character that it cuts becomes blank.
func (s *sheet) set(x, y int, k ink, glyph string) {
	if x < 0 || x >= s.width || y < 0 || y >= s.height {
		return
	}
	at := y*s.width + x
	if s.cells[at].tail {
		s.cells[at-1].text = ""
	}
	if x+1 < s.width {
		s.cells[at+1].tail = false
	}
	s.cells[at] = cell{text: glyph, ink: k}
	s.ends[y] = max(s.ends[y], x+1)
}

// repeat writes a glyph a number of times.
func (s *sheet) repeat(x, y, count int, k ink, glyph string) {
	for i := range count {
		s.set(x+i, y, k, glyph)
	}
}

// wipe blanks a rectangle.
func (s *sheet) wipe(r rect) {
	for row := range r.height {
		s.repeat(r.x, r.y+row, r.width, plain, " ")
	}
}

// box draws a frame and blanks what is inside.
func (s *sheet) box(r rect, k ink) {
	s.wipe(r)
	s.ring(r, k, &s.theme.glyphs.frame)
}

// appendTo appends the sheet as a frame: exactly its height in lines, without blanks at their ends.
func (s *sheet) appendTo(dst []byte) []byte {
	s.out = dst
	for y := range s.height {
		if y > 0 {
			s.out = append(s.out, '\n')
		}
		s.line(s.cells[y*s.width : y*s.width+s.ends[y]])
	}
	dst, s.out = s.out, nil
	return dst
}

// line appends one row. A blank that shows no ink goes on in the ink before it, which saves escape codes.
func (s *sheet) line(row []cell) {
	var current *pen
	blanks := 0
	for i := range row {
		c := &row[i]
		next := &s.theme.pens[c.ink]
		switch {
		case c.tail:
			continue
		case (c.text == "" || c.text == " ") && !next.paints:
			blanks++
			continue
		}
		if current != nil && (current != next && current.on != next.on || blanks > 0 && current.paints) {
			s.out = append(s.out, current.off...)
			current = nil
		}
		for ; blanks > 0; blanks-- {
			s.out = append(s.out, ' ')
		}
		if current == nil {
			s.out = append(s.out, next.on...)
			current = next
		}
		if c.text == "" {
			s.out = append(s.out, ' ')
			continue
		}
		s.out = append(s.out, c.text...)
	}
	if current != nil {
		s.out = append(s.out, current.off...)
	}
}

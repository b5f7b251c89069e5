package tui

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

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
	theme         *Theme
	out           []byte
}

// clear makes s blank and gives it a size.
func (s *sheet) clear(width, height int, theme *Theme) {
	s.width, s.height, s.theme = width, height, theme
	if cap(s.cells) < width*height {
		s.cells = make([]cell, width*height)
	}
	s.cells = s.cells[:width*height]
	clear(s.cells)
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
}

// text writes from x rightwards and returns the column after it. Control characters are left out, and so is what the terminal cannot show.
func (s *sheet) text(x, y int, k ink, text string) int {
	for text != "" {
		cluster, wide := text[:1], 1
		if text[0] < ' ' || text[0] > '~' {
			cluster, wide = ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
		}
		if cluster == "" {
			break
		}
		text = text[len(cluster):]
		if x+wide > s.width {
			break
		}
		if wide > 0 && cluster[0] >= ' ' {
			s.cluster(x, y, wide, k, cluster)
			x += wide
		}
	}
	return x
}

func (s *sheet) cluster(x, y, wide int, k ink, cluster string) {
	foreign := cluster[0] > '~' && (!s.theme.utf8 || !utf8.ValidString(cluster))
	for i := range wide {
		switch {
		case foreign:
			s.set(x+i, y, k, "?")
		case i == 0:
			s.set(x, y, k, cluster)
		default:
			s.set(x+i, y, k, "")
			if x >= 0 && y >= 0 && y < s.height {
				s.cells[y*s.width+x+i].tail = true
			}
		}
	}
}

// textRight writes faint text that ends before column x, and returns its first column.
func (s *sheet) textRight(x, y int, text string) int {
	start := x - ansi.StringWidth(text)
	s.text(start, y, faint, text)
	return start
}

// textCentre writes in the middle of the columns from x on.
func (s *sheet) textCentre(x, width, y int, k ink, text string) {
	s.text(x+max(0, (width-ansi.StringWidth(text))/2), y, k, text)
}

// fit is text cut to a width, with an ellipsis if something was left out.
func (s *sheet) fit(text string, width int) string {
	if width <= 0 {
		return ""
	}
	if len(text) <= width {
		return text
	}
	return ansi.Truncate(text, width, s.theme.glyphs.ellipsis)
}

// paragraph writes text in lines of at most width cells and returns the row after it.
func (s *sheet) paragraph(x, y, width int, k ink, text string) int {
	for line := range strings.SplitSeq(ansi.Wordwrap(text, width, ""), "\n") {
		s.text(x, y, k, line)
		y++
	}
	return y
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

// String is the sheet as a frame: exactly its height in lines, without blanks at their ends.
func (s *sheet) String() string {
	s.out = s.out[:0]
	for y := range s.height {
		if y > 0 {
			s.out = append(s.out, '\n')
		}
		s.line(s.cells[y*s.width : (y+1)*s.width])
	}
	return string(s.out)
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

package tui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	"github.com/charmbracelet/x/ansi"
)

// roomy reports whether the window has room for more than what is needed.
func (s *canvas) roomy() bool { return isRoomy(s.width, s.height) }

func isRoomy(width, height int) bool { return height >= 20 && width >= 72 }

// margin is how far the text is from the edges.
func (s *canvas) margin() int {
	if s.roomy() {
		return 2
	}
	return 1
}

// header writes the first lines of a screen, and returns the part of the canvas that is left for it: all but the
// header, the notice and the hints.
func (s *canvas) header(heading, right string) rect {
	m := s.margin()
	x := s.text(m, 0, brand, "Notakto")
	if heading != "" {
		x = s.text(x+1, 0, faint, s.theme.glyphs.dot)
		x = s.text(x+1, 0, plain, heading)
	}
	if room := s.width - m - x - 2; room >= 3 {
		s.textRight(s.width-m, 0, s.fit(right, room))
	}
	top := 1
	if s.roomy() {
		s.repeat(m, 1, s.width-2*m, rule, s.theme.glyphs.rule)
		top = 2
	}
	return rect{m, top, s.width - 2*m, s.height - top - 2}
}

// notice writes the line above the keys. What must be read takes a second line if it has to.
func (s *canvas) notice(text string, k styleRole) {
	m, y := s.margin(), s.height-2
	width := s.width - 2*m
	if k == notice && columns(text) > width {
		s.wipe(rect{0, y - 1, s.width, 1})
		s.paragraph(m, y-1, width, k, ansi.Truncate(text, 2*width-12, s.theme.glyphs.ellipsis))
		return
	}
	s.text(m, y, k, s.fit(text, width))
}

// footer writes the last line: the keys, as many as fit, with the last one of them, the way to all others, always at
// the right.
func (s *canvas) footer(keys []key.Binding) {
	if len(keys) == 0 {
		return
	}
	m, y := s.margin(), s.height-1
	end := s.width - m
	final := keys[len(keys)-1].Help()
	end -= len(final.Key) + 1 + len(final.Desc)
	s.hint(end, y, final.Key, final.Desc)
	x := m
	for _, binding := range keys[:len(keys)-1] {
		help := binding.Help()
		wide := columns(help.Key) + 1 + columns(help.Desc)
		if !binding.Enabled() || x+wide+1 > end {
			continue
		}
		x = s.hint(x, y, help.Key, help.Desc) + 2
	}
}

// column is the middle of an area, no wider than text reads well.
func (r rect) column(width int) rect {
	if r.width <= width {
		return r
	}
	r.x += (r.width - width) / 2
	r.width = width
	return r
}

// lower leaves out lines at the top.
func (r rect) lower(lines int) rect {
	return rect{r.x, r.y + lines, r.width, r.height - lines}
}

// linesOf is how many lines a paragraph takes.
func linesOf(text string, width int) int {
	return strings.Count(ansi.Wordwrap(text, width, ""), "\n") + 1
}

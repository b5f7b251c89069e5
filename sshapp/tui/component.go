package tui

import (
	"charm.land/bubbles/v2/key"
	"github.com/charmbracelet/x/ansi"
)

// header writes the first lines of a screen, and returns the part of the canvas that is left for it: all but the
// header, the notice and the hints.
func (s *canvas) header(heading, right string) rect {
	m := s.margin()
	x := s.text(m, 0, brand, "Notakto")
	if heading != "" {
		x = s.text(x+1, 0, faint, s.glyphs.dot)
		x = s.text(x+1, 0, plain, heading)
	}
	if room := s.width - m - x - 2; room >= 3 {
		s.textRight(s.width-m, 0, s.fit(right, room))
	}
	top := 1
	if s.roomy() {
		s.repeat(m, 1, s.width-2*m, rule, s.glyphs.rule)
		top = 2
	}
	return rect{m, top, s.width - 2*m, s.height - top - 2}
}

// notice writes the line above the keys. What must be read takes a second line if it has to.
func (s *canvas) notice(text string, k role) {
	m, y := s.margin(), s.height-2
	width := s.width - 2*m
	if k == notice && columns(text) > width {
		s.wipe(rect{0, y - 1, s.width, 1})
		s.paragraph(m, y-1, width, k, ansi.Truncate(text, 2*width-12, s.glyphs.ellipsis))
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

// hint writes a key and what it does.
func (s *canvas) hint(x, y int, name, what string) int {
	x = s.text(x, y, keycap, name)
	return s.text(x+1, y, faint, what)
}

// point writes the pointer of a selected entry.
func (s *canvas) point(x, y int) { s.text(x, y, cursor, s.glyphs.pointer) }

// box draws a frame and blanks what is inside.
func (s *canvas) box(r rect, k role) {
	s.wipe(r)
	s.ring(r, k, &s.glyphs.frame)
}

// banner is a text as it is written in the role [myTurn]: with a ground of its own where that can be seen.
func (s *canvas) banner(text string) string {
	if s.theme.family.styles.ShowsBlanks(s.theme.ids[myTurn]) {
		return " " + s.glyphs.present + " " + text + " "
	}
	return ">> " + text + " <<"
}

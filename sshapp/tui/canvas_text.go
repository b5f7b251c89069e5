package tui

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// text writes from x rightwards and returns the column after it. Control characters are left out, and so is what the
// terminal cannot show.
func (s *canvas) text(x, y int, k styleRole, text string) int {
	for text != "" {
		cluster, wide := first(text)
		if cluster == "" {
			break
		}
		text = text[len(cluster):]
		if x+wide > s.width {
			break
		}
		if wide > 0 && cluster[0] >= ' ' {
			s.write(x, y, wide, k, cluster)
			x += wide
		}
	}
	return x
}

// first is the first grapheme cluster of a text, and how many columns it takes. A rune that joins nothing, with one
// behind it that joins nothing either, needs no search.
func first(text string) (cluster string, wide int) {
	if r, size := utf8.DecodeRuneInString(text); isPlain(r) {
		if next, _ := utf8.DecodeRuneInString(text[size:]); size == len(text) || isPlain(next) {
			return text[:size], 1
		}
	}
	return ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
}

// isPlain reports whether a rune takes one column and never joins another: ASCII, and most of what the screens are
// drawn with.
func isPlain(r rune) bool {
	return r >= ' ' && r <= '~' || r == '·' || r >= '←' && r <= '↓' || r >= '─' && r <= '●' || r == '–' || r == '…'
}

// columns is how many columns a text takes.
func columns(text string) (count int) {
	for text != "" {
		cluster, wide := first(text)
		if cluster == "" {
			break
		}
		count += wide
		text = text[len(cluster):]
	}
	return count
}

// write puts a cluster into as many cells as it is wide.
func (s *canvas) write(x, y, wide int, k styleRole, cluster string) {
	foreign := !utf8.ValidString(cluster) || !s.theme.utf8 && (cluster[0] > '~' || len(cluster) > 1)
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

package tui

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

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

package draw

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// cutLine returns the first line of a text that is wrapped at width columns, and the rest. more is false if nothing
// follows the line. A width below 1 is no limit. The lines are those of [ansi.Wordwrap], as parts of text in place of
// copies, because screens wrap the same texts for each frame.
func cutLine(text string, width int) (line, rest string, more bool) {
	if width < 1 {
		return strings.Cut(text, "\n")
	}
	const nbsp = 0xa0
	end, word := 0, -1                  // of the line so far, and the start of the word behind it
	columns, spaces, letters := 0, 0, 0 // of the line so far, and of the spaces and the word behind it
	addWord := func() { columns, spaces, letters, word = columns+spaces+letters, 0, 0, -1 }
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		switch {
		case r == '\n':
			if word >= 0 || columns+spaces <= width {
				end = at
			}
			return text[:end], text[at+1:], true
		case unicode.IsSpace(r) && r != nbsp:
			if word >= 0 {
				end = at
				addWord()
			}
			spaces += size
		case r == '-': // a line can break behind it
			end = at + size
			addWord()
			columns++
		default:
			if word < 0 {
				word = at
			}
			glyph := 1
			if r >= utf8.RuneSelf {
				var cluster string
				cluster, glyph = ansi.FirstGraphemeCluster(text[at:], ansi.GraphemeWidth)
				size = len(cluster)
			}
			if letters += glyph; columns+spaces+letters > width && letters < width {
				return text[:end], text[word:], true
			}
		}
		at += size
	}
	if word >= 0 {
		end = len(text)
	}
	return text[:end], "", false
}

// CountLines returns the number of lines that a paragraph takes.
func CountLines(text string, width int) int {
	lines := 1
	for _, rest, more := cutLine(text, width); more; _, rest, more = cutLine(rest, width) {
		lines++
	}
	return lines
}

// Paragraph writes text in lines of at most width columns, and returns the row after them.
func (c *Canvas) Paragraph(x, y, width int, role Role, text string) int {
	for more := true; more; y++ {
		var line string
		line, text, more = cutLine(text, width)
		c.Text(x, y, role, line)
	}
	return y
}

// Accent rewrites the first occurrence of part in a paragraph in another role. A part that is broken over two lines
// is left alone.
func (c *Canvas) Accent(x, y, width int, text, part string, role Role) {
	for more := part != ""; more; y++ {
		var line string
		line, text, more = cutLine(text, width)
		if before, _, found := strings.Cut(line, part); found {
			c.Text(x+Columns(before), y, role, part)
			return
		}
	}
}

// TextCenter writes the lines of text in the middle of width columns from x on, and returns the row after them.
func (c *Canvas) TextCenter(x, width, y int, role Role, text string) int {
	wrap := 0 // a text that fits keeps its blanks at the end
	if Columns(text) > width {
		wrap = width
	}
	for more := true; more; y++ {
		var line string
		line, text, more = cutLine(text, wrap)
		c.Text(x+max(0, (width-Columns(line))/2), y, role, line)
	}
	return y
}

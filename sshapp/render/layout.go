package render

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// layout is a row of before and after, for a line that has changed.
type layout struct {
	start, end int
	width      int  // of the latest line; known of every line
	isVisible  bool // what follows the row is the same in both lines, and not just blank
}

// layoutLine reads a line of both frames, of which the former was so many columns wide. What both begin with is read
// once, and what they end with not at all if the columns before it are as many as they were: it then stays where it is.
func (p *encoder) layoutLine(prev, next string, width int) layout {
	l := layout{start: len(p.after), width: width}
	head, tail := common(prev, next)
	was, is := reader{text: prev}, reader{text: next}
	p.after = p.read(p.after, &is, head, l.start+p.width)
	was.place = is.place
	p.before = append(p.before, p.after[l.start:]...)
	p.readBoth(&was, &is, tail, l.start)
	if was.style != is.style { // the same text there does not look the same before the next reset
		_, rest, _ := strings.Cut(is.left(), ansi.ResetStyle)
		p.readBoth(&was, &is, len(rest), l.start)
	}
	if was.style == is.style && len(p.before) == len(p.after) && is.far == 0 && was.left() == is.left() && isVisible(is.left()) {
		l.end, l.isVisible = len(p.after), true
		return l
	}
	p.readBoth(&was, &is, 0, l.start)
	l.width = len(p.after) - l.start
	l.end = p.level(is.far)
	return l
}

// readBoth reads a line of both frames until no more than so many bytes are left.
func (p *encoder) readBoth(was, is *reader, left, start int) {
	p.before = p.read(p.before, was, len(was.text)-left, start+p.width)
	p.after = p.read(p.after, is, len(is.text)-left, start+p.width)
}

// block is how many bytes are compared at a time.
const block = 32

// common is how many bytes two lines begin with alike, up to the last sequence in them, since no glyph reaches across
// its start; and how many they end with alike.
func common(a, b string) (head, tail int) {
	most := min(len(a), len(b))
	for head+block <= most && a[head:head+block] == b[head:head+block] {
		head += block
	}
	for head < most && a[head] == b[head] {
		head++
	}
	for head+tail+block <= most && a[len(a)-tail-block:len(a)-tail] == b[len(b)-tail-block:len(b)-tail] {
		tail += block
	}
	for head+tail < most && a[len(a)-tail-1] == b[len(b)-tail-1] {
		tail++
	}
	return max(strings.LastIndex(a[:head], csi), 0), tail
}

// isVisible reports whether the first of text that is neither a space nor a sequence is sure to be seen.
func isVisible(text string) bool {
	for text != "" {
		switch text[0] {
		case ' ':
			text = text[1:]
		case ansi.ESC:
			_, size := sequence(text)
			text = text[size:]
		default:
			r, _ := utf8.DecodeRuneInString(text)
			return plainWidth(r) > 0
		}
	}
	return false
}

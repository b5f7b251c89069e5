package render

import (
	"slices"
	"testing"
)

// However little of two lines is read, the cells are those of both lines read whole, and what is left out is the same
// in both.
func FuzzLayoutLine(f *testing.F) {
	f.Add("ab \x1b[1m", "x", "yz", "\x1b[m  rest", uint8(80), uint8(0))
	f.Add("ab \x1b[1m", "\x1b[31mx", "\x1b[32my", "inked │\x1b[m rest", uint8(80), uint8(1))
	f.Add("漢e\u0301 \x1b[1m", "─", "│", "\u0301 rest", uint8(8), uint8(2))
	f.Add("ab \x1b]0;1m", "x\x1b[", "y\x1b", "\\title\x07漢", uint8(3), uint8(5))
	f.Fuzz(func(t *testing.T, head, one, other, tail string, width, term uint8) {
		p := newEncoder(NewScreen(FromTerm(terms[int(term)%len(terms)]), int(width), 1), nil)
		defer p.release()
		was, is := reader{text: head + one + tail}, reader{text: head + other + tail}
		before, after := p.read(nil, &was, len(was.text), p.width), p.read(nil, &is, len(is.text), p.width)
		l := p.layoutLine(was.text, is.text, len(before))
		if l.width != len(after) {
			t.Errorf("the width is %d, want %d", l.width, len(after))
		}
		end := max(len(before), len(after), is.far)
		before, after = spaces(before, end-len(before)), spaces(after, end-len(after))
		if !l.isVisible && l.end < end || !slices.Equal(before[l.end:], after[l.end:]) {
			t.Errorf("%d of %v and %v are read", l.end, before, after)
		}
		if !slices.Equal(p.before, before[:l.end]) || !slices.Equal(p.after, after[:l.end]) {
			t.Errorf("%v and %v are read, want %v and %v", p.before, p.after, before, after)
		}
	})
}

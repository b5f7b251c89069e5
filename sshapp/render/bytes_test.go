package render

import (
	"fmt"
	"strings"
	"testing"
)

const (
	plain    = "\x1b[m"
	dim      = "\x1b[38;5;240m"
	cross    = "\x1b[1;38;5;203m"
	selected = "\x1b[1;38;5;16;48;5;220m"
)

// numbered returns a frame of 80x24 with numbered cells, ten lines of them, of which one is chosen.
func numbered(chosen int) Frame {
	var text strings.Builder
	for i := range 9 * 10 {
		style := map[bool]string{true: selected, false: dim}[i == chosen]
		fmt.Fprintf(&text, "%s  %-5d%s│%s", style, i, plain, strings.Repeat("\n", (i%9)/8))
	}
	return contentIn(text.String(), 80, 24)
}

// The bounds are the measured lengths of small edits. The screens of the game have theirs in sshapp/tui.
func TestBytes(t *testing.T) {
	const last = plain + dim + "│" + plain + " 3"
	const two = dim + "│" + plain + " 2 " + last
	for _, test := range []struct {
		name, from, to string
		most           int
	}{
		{"a cell's ground moves", selected + " 1 " + plain + two, " 1 " + dim + "│" + selected + " 2 " + last, 37},
		{"a cross is placed", " 1 " + two, " 1 " + dim + "│" + cross + " X " + last, 15},
		{"a word comes and the one at the line's end goes", "moves A1" + strings.Repeat(" ", 40) + "Your turn",
			"moves A1 B5", 20},
		{"a second passes", strings.Repeat("moves ", 9) + "0:07", strings.Repeat("moves ", 9) + "0:08", 9},
		{"a line goes", "hello\nthere", "\nthere", 10},
	} {
		s := NewScreen(FromTerm("xterm-256color"), 80, 40)
		s.Draw(nil, contentIn(test.from, 80, 40))
		if got := s.Draw(nil, contentIn(test.to, 80, 40)); len(got) == 0 || len(got) > test.most {
			t.Errorf("%s: %d bytes, at most %d: %q", test.name, len(got), test.most, got)
		}
	}
}

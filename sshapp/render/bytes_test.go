package render

import (
	"strings"
	"testing"
)

// The bounds are the measured lengths of typical edits. A longer edit is a regression.
func TestBytes(t *testing.T) {
	marks := map[string]bool{"A1": true, "B7": true}
	at := func(cursor string) string { return table{cursor: cursor, marks: marks}.text() }
	placed := table{cursor: "A5", marks: map[string]bool{"A1": true, "A5": true, "B7": true}}.text()
	small := func(cells string) string {
		return "\n\n   " + strings.ReplaceAll(cells, "|", dim+"│"+plain) + "\n ───────────"
	}
	clock := func(now string) string { return at("A5") + strings.Repeat(" ", 10) + now }
	for _, test := range []struct {
		name, from, to string
		most           int
	}{
		{"a large cell's ground moves to the right", at("A5"), at("A6"), 145},
		{"a large cell's ground moves down", at("A5"), at("A2"), 149},
		{"a large cross is placed", at("A5"), placed, 66},
		{"a small cell's ground moves", small(selected + " 1 " + plain + "| 2 | 3"),
			small(" 1 |" + selected + " 2 " + plain + "| 3"), 37},
		{"a small cross is placed", small(" 1 | 2 | 3"), small(" 1 |" + cross + " X " + plain + "| 3"), 15},
		{"a large cross is taken back", placed, at("A5"), 57},
		{"a word comes and the one at the line's end goes", "moves A1" + strings.Repeat(" ", 40) + "Your turn\n" +
			at("A5"), "moves A1 B5\n" + at("A5"), 20},
		{"a second passes", clock("0:07"), clock("0:08"), 9},
		{"a character is typed", "name: bo\n" + at("A5"), "name: bob\n" + at("A5"), 10},
		{"a line goes", "hello\n" + at("A5"), "\n" + at("A5"), 10},
	} {
		s := NewScreen(FromTerm("xterm-256color"), 80, 40)
		s.Draw(nil, contentIn(test.from, 80, 40))
		if got := s.Draw(nil, contentIn(test.to, 80, 40)); len(got) == 0 || len(got) > test.most {
			t.Errorf("%s: %d bytes, at most %d: %q", test.name, len(got), test.most, got)
		}
	}
}

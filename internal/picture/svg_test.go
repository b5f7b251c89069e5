package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"
)

// drawn returns the picture of an escape sequence.
func drawn(t *testing.T, sent string) string {
	t.Helper()
	p := &person{terminal: vt.NewEmulator(columns, rows)}
	t.Cleanup(func() { _ = p.terminal.Close() })
	if _, err := fmt.Fprint(p.terminal, sent); err != nil {
		t.Fatal(err)
	}
	_, cells, _ := strings.Cut(string(p.picture().svg()), "<g ")
	return cells
}

func TestCells(t *testing.T) {
	for _, test := range []struct{ name, sent, want string }{
		{"each letter has its place", "\x1b[2;3Hab c", `<text x="18 27" y="35" fill="#d4d7dc">ab</text>` + "\n" + `<text x="45" y="35" fill="#d4d7dc">c</text>`},
		{"bold, in colour", "\x1b[1;38;2;1;2;3mX", `<text x="0" y="15" fill="#010203" font-weight="bold">X</text>`},
		{"dim", "\x1b[2mX", `<text x="0" y="15" fill="#d4d7dc" opacity="0.6">X</text>`},
		{"on a ground", "\x1b[48;2;1;2;3mXY", `<rect x="0" y="0" width="18" height="20" fill="#010203"/>`},
		{"reversed", "\x1b[7mX", `<rect x="0" y="0" width="9" height="20" fill="#d4d7dc"/>` + "\n" + `<text x="0" y="15" fill="#14161b">X</text>`},
		{"what XML means otherwise", "<&>", `>&lt;&amp;&gt;</text>`},
		{"lines that meet", "─┼", `<path d="M0 10h9M9 10h9M13.5 0v20" stroke="#d4d7dc" stroke-width="1.2"/>`},
		{"heavy corners", "┏", `<path d="M4.5 20v-10h4.5" stroke="#d4d7dc" stroke-width="2.4"/>`},
		{"nothing at all", "  ", "</g>"},
	} {
		if got := drawn(t, test.sent); !strings.Contains(got, test.want) {
			t.Errorf("%s: %s\nhas no\n%s", test.name, got, test.want)
		}
	}
}

// The lines of a board do not depend on a font.
func TestLinesAreNoLetters(t *testing.T) {
	for _, r := range "─│┼▀▄█┏┓┗┛╭╮╰╯" {
		if strokesOf(string(r)) == nil {
			t.Errorf("%c is drawn as a letter", r)
		}
	}
}

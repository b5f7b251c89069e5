package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

func blankCanvas(theme *Theme, width, height int) *canvas {
	s := new(canvas)
	s.clear(width, height, theme)
	return s
}

func utf8Theme() *Theme { return NewTheme(Auto, colorprofile.TrueColor, true) }

// What is written outside a canvas is left out, whole characters at a time.
func TestCanvasClips(t *testing.T) {
	s := blankCanvas(utf8Theme(), 5, 2)
	s.text(3, 0, plain, "棋棋")
	s.text(4, 1, plain, "棋")
	s.text(-3, 1, plain, "abcd")
	s.text(0, 2, plain, "below")
	s.text(0, -1, plain, "above")
	s.box(rect{-2, -2, 20, 20}, plain)
	s.text(3, 0, plain, "棋棋")
	if got, want := string(s.appendTo(nil)), "   棋\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A wide character that something is written over leaves no half behind, so that the columns after it stay where they
// are.
func TestCanvasMendsWide(t *testing.T) {
	for _, c := range []struct {
		at         int
		over, want string
	}{{0, "a", "a bc"}, {1, "a", " abc"}, {2, "棋", "棋棋c"}} {
		s := blankCanvas(utf8Theme(), 6, 1)
		s.text(0, 0, plain, "棋bc")
		if c.at == 2 {
			s.text(0, 0, plain, "棋棋c")
		}
		s.text(c.at, 0, plain, c.over)
		if got := string(s.appendTo(nil)); got != c.want && c.at < 2 || ansi.StringWidth(got) != ansi.StringWidth(c.want) {
			t.Errorf("%q over column %d: %q, want %q", c.over, c.at, got, c.want)
		}
	}
}

// Neighbours in one style role share their escape codes, over blanks too, and a line carries none past its end.
func TestCanvasRuns(t *testing.T) {
	s := blankCanvas(utf8Theme(), 20, 2)
	s.text(0, 0, strong, "one")
	s.text(5, 0, keycap, "two")
	s.text(10, 0, plain, "  ")
	s.text(0, 1, myTurn, " me ")
	lines := strings.Split(string(s.appendTo(nil)), "\n")
	if n := strings.Count(lines[0], "\x1b["); n != 2 || ansi.Strip(lines[0]) != "one  two" {
		t.Errorf("%d escape codes in %q", n, lines[0])
	}
	if ansi.Strip(lines[1]) != " me " || !strings.HasSuffix(lines[1], "\x1b[m") {
		t.Errorf("a coloured ground lost its blanks or goes on: %q", lines[1])
	}
}

// In ASCII what cannot be shown keeps its place.
func TestCanvasASCII(t *testing.T) {
	s := blankCanvas(NewTheme(Auto, colorprofile.Ascii, false), 12, 1)
	s.text(0, 0, plain, "é棋x\x1b\x07y\u200b")
	if got := string(s.appendTo(nil)); got != "???xy" {
		t.Errorf("%q", got)
	}
}

func FuzzCanvas(f *testing.F) {
	f.Add("plain", 3, 0)
	f.Add("0\xf1\xf00", 3, 80)
	f.Add("棋e\u0301👩‍👩‍👧\x1b[31m\u202e", -1, 7)
	theme := utf8Theme()
	f.Fuzz(func(t *testing.T, text string, x, width int) {
		s := blankCanvas(theme, max(1, min(width, 200)), 1)
		s.text(x%300, 0, strong, text)
		s.text(x%7, 0, fatal, text)
		s.set(x%5, 0, plain, "x")
		got := string(s.appendTo(nil))
		if strings.Contains(got, "\n") || ansi.StringWidth(got) > s.width {
			t.Fatalf("%q is %d wide on %d", got, ansi.StringWidth(got), s.width)
		}
		for _, c := range ansi.Strip(got) {
			if c < ' ' {
				t.Fatalf("control character %q in %q", c, got)
			}
		}
	})
}

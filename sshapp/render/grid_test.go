package render

import (
	"image/color"
	"slices"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"notakto/internal/testkit"
)

// testStyles has the styles of all test content.
var testStyles = NewStyles()

// contentIn returns a frame of a size with styled text. Line feeds separate lines, and each line starts in the
// default style.
func contentIn(content string, width, height int) Frame {
	g := new(Grid)
	g.Reset(width, height, testStyles, false)
	p := ansi.GetParser() // from a pool, because a parser has 64 KB
	defer ansi.PutParser(p)
	for y, line := range strings.Split(content, "\n") {
		x, id := 0, StyleID(0)
		for line != "" {
			text, rest, _ := strings.Cut(line, csi)
			end := x + Columns(text)
			if x = g.Text(x, y, id, text); x < end {
				break
			}
			if line = ""; rest != "" {
				var s uv.Style
				_, _, n, _ := ansi.DecodeSequence(csi+rest, ansi.NormalState, p)
				uv.ReadStyle(p.Params(), &s)
				id = testStyles.Add(Style{
					Foreground: s.Fg, Background: s.Bg, Bold: s.Attrs&uv.AttrBold != 0,
					Faint:     s.Attrs&uv.AttrFaint != 0,
					Underline: s.Underline != 0, Reverse: s.Attrs&uv.AttrReverse != 0,
				})
				line = rest[n-len(csi):]
			}
		}
	}
	return Frame{Grid: g}
}

// content returns a frame as large as its text.
func content(text string) Frame {
	lines, width := strings.Split(text, "\n"), 0
	for _, line := range lines {
		width = max(width, ansi.StringWidth(line))
	}
	return contentIn(text, width, len(lines))
}

// Glyphs outside the grid are left out as a whole.
func TestGridClips(t *testing.T) {
	var g Grid
	g.Reset(5, 2, testStyles, false)
	g.Text(3, 0, 0, "棋棋")
	g.Text(4, 1, 0, "棋")
	g.Text(-3, 1, 0, "abcd")
	g.Text(0, 2, 0, "below")
	g.Text(0, -1, 0, "above")
	g.Fill(-2, 5, 20, 0, "x")
	if got, want := g.String(), "   棋\nd"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if g.Rune(3, 0) != '棋' || g.Rune(9, 0) != ' ' || g.Rune(0, -1) != ' ' {
		t.Errorf("%q, %q, %q", g.Rune(3, 0), g.Rune(9, 0), g.Rune(0, -1))
	}
}

// Writing over half of a wide glyph blanks the uncovered half. The columns after it keep their places.
func TestGridMendsWide(t *testing.T) {
	for _, c := range []struct {
		before     string
		at         int
		over, want string
	}{{"棋bc", 0, "a", "a bc"}, {"棋bc", 1, "a", " abc"}, {"棋棋c", 1, "棋", " 棋 c"}, {"棋棋c", 2, "棋",
		"棋棋c"}} {
		var g Grid
		g.Reset(6, 1, testStyles, false)
		g.Text(0, 0, 0, c.before)
		g.Text(c.at, 0, 0, c.over)
		testkit.Equal(t, g.String(), c.want, c.over, c.at)
	}
}

// Replaced glyphs keep their columns.
func TestGridASCII(t *testing.T) {
	var g Grid
	g.Reset(12, 1, testStyles, true)
	g.Text(0, 0, 0, "é棋x\x1b\x07y\u200b")
	testkit.Equal(t, g.String(), "???xy")
}

// For any writes, a grid has no control character, no row is wider than the grid, and packing loses nothing of a
// row.
func FuzzGrid(f *testing.F) {
	f.Add("plain", "plain", 3, 0)
	f.Add("0\xf1\xf00", "\x01\x02", 3, 80)
	f.Add("棋e\u0301👩‍👩‍👧\x1b[31m\u202e", "ा👩‍👩‍👧❤️", -1, 7)
	red := testStyles.Add(Style{Foreground: ansi.Red})
	bar := testStyles.Add(Style{Background: ansi.Blue, Bold: true})
	f.Fuzz(func(t *testing.T, one, other string, x, width int) {
		var g, again Grid
		g.Reset(max(1, min(width, 200)), 1, testStyles, false)
		g.Text(x%300, 0, red, one)
		g.Text(x%7, 0, bar, other)
		g.Fill(x%5, 0, 1, 0, "x")
		text := g.String()
		if strings.Contains(text, "\n") || ansi.StringWidth(text) > g.width {
			t.Fatalf("%q is %d wide on %d", text, ansi.StringWidth(text), g.width)
		}
		for _, r := range text {
			if r < ' ' || r >= 0x7f && r < 0xa0 {
				t.Fatalf("control character %q in %q", r, text)
			}
		}
		again.Reset(g.width, 1, testStyles, false)
		again.unpack(again.row(0), string(g.pack(nil, g.row(0))))
		for i, c := range again.row(0) {
			want := g.row(0)[i]
			if got := string(again.appendGlyph(nil, c)); got != string(g.appendGlyph(nil, want)) ||
				c.style != want.style || c.width != want.width || c.reach != want.reach {
				t.Fatalf("cell %d is %+v, %q, want %+v", i, c, got, want)
			}
		}
	})
}

// Cells returns all kinds of colors and all attributes.
func TestCells(t *testing.T) {
	looks := []Style{
		{Foreground: ansi.BasicColor(9), Bold: true, Underline: true},
		{Foreground: ansi.IndexedColor(200), Background: color.RGBA{1, 2, 3, 0xff}, Faint: true},
		{Reverse: true},
	}
	styles := NewStyles()
	var g Grid
	g.Reset(6, 2, styles, false)
	x := 0
	for i, glyph := range []string{"X", "好", "e\u0301"} {
		x = g.Text(x, 1, styles.Add(looks[i]), glyph)
	}
	blank := Cell{Glyph: " "}
	want := []Cell{{"X", looks[0]}, {"好", looks[1]}, {"", looks[1]}, {"e\u0301", looks[2]}, blank, blank}
	if got := Cells(&g); len(got) != 2 || !slices.Equal(got[1], want) || got[0][0] != blank {
		t.Errorf("the cells are %+v, want %+v", got, want)
	}
}

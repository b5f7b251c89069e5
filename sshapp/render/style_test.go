package render

import (
	"image/color"
	"math/rand/v2"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"notakto/internal/testkit"
)

func TestTransitionIsTheShortest(t *testing.T) {
	red := style{fg: basic + 1}
	boldRed := style{fg: basic + 1, attrs: bold}
	rich := style{fg: direct | 0x010203, bg: indexed | 200, attrs: bold | underline}
	noUnderline, noBold := rich, rich
	noUnderline.attrs &^= underline
	noBold.attrs |= faint
	noBold.attrs &^= bold
	for _, test := range []struct {
		from, to style
		want     string
	}{
		{red, red, ""},
		{rich, style{}, "\x1b[m"},
		{style{}, boldRed, "\x1b[1;31m"},
		{red, boldRed, "\x1b[1m"},
		{boldRed, red, "\x1b[22m"},
		{rich, red, "\x1b[;31m"},
		{rich, noUnderline, "\x1b[24m"},
		{rich, noBold, "\x1b[22;2m"},
		{style{}, rich, "\x1b[1;4;38;2;1;2;3;48;5;200m"},
		{style{bg: basic + 12}, style{bg: basic + 12, fg: basic + 9}, "\x1b[91m"},
	} {
		testkit.Equal(t, string(appendTransition(nil, test.from, test.to, true)), test.want, test.from, test.to)
	}
	both := style{attrs: bold | reverse} // early terminals end only all attributes at once
	testkit.Equal(t, string(appendTransition(nil, both, style{attrs: bold}, false)), "\x1b[;1m")
}

// An emulator confirms transitions between random styles.
func TestTransitionArrives(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a test
	for range 5_000 {
		from, to := randomStyle(rng), randomStyle(rng)
		for _, unset := range []bool{true, false} {
			text := string(appendTransition(nil, from, to, unset))
			seen, want := read(fromDefault(from)+text), read(fromDefault(to))
			if !seen.Equal(&want) {
				t.Fatalf("from %+v by %q an emulator gets to %+v, want %+v", from, text, seen, to)
			}
		}
	}
}

func fromDefault(to style) string { return string(appendTransition(nil, style{}, to, true)) }

// read returns the style of an emulator after text.
func read(text string) uv.Style {
	var style uv.Style
	p := ansi.GetParser() // from a pool, because a parser has 64 KB
	defer ansi.PutParser(p)
	for state := byte(0); text != ""; {
		_, _, n, next := ansi.DecodeSequence(text, state, p)
		uv.ReadStyle(p.Params(), &style)
		text, state = text[n:], next
	}
	return style
}

func randomStyle(rng *rand.Rand) style {
	colors := [...]packedColor{0, 0, basic + 1, basic + 9, indexed | 203, direct | 0x0114ff}
	return style{
		fg: colors[rng.IntN(len(colors))], bg: colors[rng.IntN(len(colors))],
		attrs: attrs(rng.IntN(256)) & (bold | faint | underline | reverse), //nolint:gosec // small
	}
}

// A style that is added again keeps its number. A space gets the simplest style that looks equal.
func TestStylesAreInterned(t *testing.T) {
	table := NewStyles()
	gray := table.Add(Style{Foreground: ansi.IndexedColor(245), Faint: true})
	bar := table.Add(Style{Foreground: color.White, Background: color.RGBA{1, 2, 3, 255}, Bold: true})
	if table.Add(Style{}) != 0 || gray == 0 ||
		table.Add(Style{Foreground: ansi.IndexedColor(245), Faint: true}) != gray || bar == gray {
		t.Errorf("the styles are %d and %d", gray, bar)
	}
	if table.ShowsBlanks(gray) || !table.ShowsBlanks(bar) || !table.ShowsBlanks(table.Add(Style{Reverse: true})) {
		t.Error("the wrong blanks are seen")
	}
	for i := range 300 {
		//nolint:gosec // that is the test
		last := table.Add(Style{Foreground: ansi.Red, Background: color.RGBA{R: uint8(i), G: uint8(i >> 8), A: 255}})
		if last != 0 && !table.ShowsBlanks(last) { // the last that fits once lost its background
			t.Errorf("style %d has no background", last)
		}
	}
	if len(table.all) != 256 || len(table.blanks) != 256 {
		t.Errorf("the table has %d styles", len(table.all))
	}
}

package render

import (
	"math/rand/v2"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

func TestTransitionIsTheShortest(t *testing.T) {
	red := style{fg: basic + 1}
	boldRed := style{fg: basic + 1, attrs: bold}
	rich := style{fg: direct | 0x010203, bg: indexed | 200, attrs: bold | italic, underline: 3, underlineColor: indexed | 9}
	noItalic, noBold := rich, rich
	noItalic.attrs &^= italic
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
		{rich, noItalic, "\x1b[23m"},
		{rich, noBold, "\x1b[22;2m"},
		{style{}, rich, "\x1b[1;3;4:3;38;2;1;2;3;48;5;200;58;5;9m"},
		{style{bg: basic + 12}, style{bg: basic + 12, fg: basic + 9}, "\x1b[91m"},
	} {
		if got := string(appendTransition(nil, test.from, test.to, true)); got != test.want {
			t.Errorf("from %+v to %+v by %q, want %q", test.from, test.to, got, test.want)
		}
	}
}

// Terminals of the first days end attributes all together only.
func TestTransitionWithoutUnset(t *testing.T) {
	both := style{attrs: bold | reverse}
	if got := string(appendTransition(nil, both, style{attrs: bold}, false)); got != "\x1b[;1m" {
		t.Errorf("reverse ends by %q", got)
	}
	if got := string(appendTransition(nil, style{attrs: bold}, both, false)); got != "\x1b[7m" {
		t.Errorf("reverse begins by %q", got)
	}
}

// Whatever two sequences made of a style, the transition makes the one of the other, for us and for an emulator's
// reader.
func TestTransitionArrives(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a test
	for range 20_000 {
		from, to := randomStyle(rng), randomStyle(rng)
		for _, unset := range []bool{true, false} {
			text := string(appendTransition(nil, from, to, unset))
			got := from
			if text != "" {
				params, _ := sequence(text)
				got.apply(params)
			}
			if got != to {
				t.Fatalf("from %+v by %q to %+v, want %+v", from, text, got, to)
			}
			seen, want := read(fromDefault(from)+text), read(fromDefault(to))
			if !seen.Equal(&want) {
				t.Fatalf("from %+v by %q an emulator gets to %+v", from, text, seen)
			}
		}
	}
}

func fromDefault(to style) string { return string(appendTransition(nil, style{}, to, true)) }

// read is the style in which an emulator is after text.
func read(text string) uv.Style {
	var style uv.Style
	p := ansi.NewParser()
	for state := byte(0); text != ""; {
		_, _, n, next := ansi.DecodeSequence(text, state, p)
		uv.ReadStyle(p.Params(), &style)
		text, state = text[n:], next
	}
	return style
}

func randomStyle(rng *rand.Rand) style {
	var s style
	for range rng.IntN(6) {
		params, _ := sequence(styles[rng.IntN(len(styles))])
		s.apply(params)
	}
	return s
}

func FuzzSGR(f *testing.F) {
	for _, cost := range styles {
		f.Add(strings.Trim(cost, "\x1b[m"))
	}
	f.Fuzz(func(t *testing.T, text string) {
		params, size := sequence(csi + text)
		if params == "" || size != len(csi)+len(text) {
			return
		}
		var s, again style
		s.apply(params)
		if s == (style{}) {
			return
		}
		params, _ = sequence(fromDefault(s))
		if again.apply(params); again != s {
			t.Errorf("%q is %+v, written again %q, which is %+v", text, s, params, again)
		}
	})
}

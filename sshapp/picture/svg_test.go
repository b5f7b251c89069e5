package picture_test

import (
	"encoding/xml"
	"errors"
	"image/color"
	"io"
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/sshapp/picture"
	"notakto/sshapp/render"
)

// cellsOf returns a screen of two lines, the first with text in one style.
func cellsOf(text string, style render.Style) [][]render.Cell {
	styles := render.NewStyles()
	var g render.Grid
	g.Reset(6, 2, styles, false)
	g.Text(0, 0, styles.Add(style), text)
	return render.Cells(&g)
}

func TestCells(t *testing.T) {
	teal := color.RGBA{1, 2, 3, 0xff}
	const text, ground = `class="cd4d7dc1f2328"`, `class="c14161bffffff"`
	for _, test := range []struct {
		name, shown string
		style       render.Style
		want        string
	}{
		{"each letter has its place", "ab", render.Style{}, `<text x="0 9" y="15" ` + text + `>ab</text>`},
		{"words", "a b", render.Style{}, `<text x="18" y="15" ` + text + `>b</text>`},
		{"bold, in colour", "X", render.Style{Bold: true, Foreground: teal}, ` class="c010203" font-weight="bold">X<`},
		{"dim", "X", render.Style{Faint: true}, text + ` opacity="0.6">X</text>`},
		{"on a ground", "XY", render.Style{Background: teal}, ` width="18" height="20" class="c010203"/>`},
		{"reversed", "X", render.Style{Reverse: true}, `height="20" ` + text + "/>\n" + `<text x="0" y="15" ` + ground},
		{"what XML means otherwise", `<&">`, render.Style{}, `>&lt;&amp;&#34;&gt;</text>`},
		{"wide letters", "好人", render.Style{}, `<text x="0 18" y="15" ` + text + `>好人</text>`},
		{"a letter of two characters", "ae\u0301b", render.Style{}, `<text x="9" y="15" ` + text + ">e\u0301</text>"},
		{"lines that meet", "─┼", render.Style{}, `M0 10h9M9 10h9M13.5 0v20" stroke-width="1.2" ` + text},
		{"heavy corners", "┏", render.Style{}, `<path d="M4.5 20v-10h4.5" stroke-width="2.4" ` + text + `/>`},
		{"nothing at all", "", render.Style{}, "font-size=\"15\">\n</g>"},
	} {
		cells := cellsOf(test.shown, test.style)
		shown := picture.Window{Dark: cells, Light: cells}
		if got := string(shown.SVG()); !strings.Contains(got, test.want) {
			t.Errorf("%s: %s\nhas no\n%s", test.name, got, test.want)
		}
	}
}

// textsOf returns all text of an SVG, and fails if the SVG is not well-formed.
func textsOf(t *testing.T, svg string) string {
	t.Helper()
	var texts strings.Builder
	for decoder := xml.NewDecoder(strings.NewReader(svg)); ; {
		switch token, err := decoder.Token(); {
		case errors.Is(err, io.EOF):
			return texts.String()
		case err != nil:
			t.Fatal(err)
		default:
			if text, ok := token.(xml.CharData); ok {
				texts.Write(text)
			}
		}
	}
}

// A film writes a line once for as long as it stays, and shows its last frame to readers without motion.
func TestFilm(t *testing.T) {
	frame := func(lasts time.Duration, lines ...string) picture.Frame {
		var cells [][]render.Cell
		for _, line := range lines {
			var row []render.Cell
			for _, r := range line {
				row = append(row, render.Cell{Glyph: string(r)})
			}
			cells = append(cells, row)
		}
		return picture.Frame{Cells: cells, Duration: lasts}
	}
	drawn := string(picture.Film{Label: "a film", Title: "title", Frames: []picture.Frame{
		frame(time.Second, "same", "one "), frame(3*time.Second, "same", "two "), frame(4*time.Second, "same", "    "),
	}}.SVG())
	for text, want := range map[string]int{
		">same<": 1, ">one<": 1, ">two<": 1,
		`<g class="f0-1" visibility="hidden">`: 1, `<g class="f1-2" visibility="hidden">`: 1, `<g class="f0-3">`: 1,
		".f0-1{animation:f0-1 8s step-end infinite}@keyframes f0-1{0%{visibility:visible}12.5%{visibility:hidden}}": 1,
		".f1-2{animation:f1-2 8s step-end infinite}@keyframes " +
			"f1-2{0%{visibility:hidden}12.5%{visibility:visible}50%{visibility:hidden}}": 1,
		"prefers-reduced-motion": 1,
	} {
		testkit.Equal(t, strings.Count(drawn, text), want, text, drawn)
	}
	testkit.OK(t, xml.Unmarshal([]byte(drawn), new(struct{})))
}

// TestCard has pictures for both preferences of a reader.
func TestAPictureOfOneSetOfColors(t *testing.T) {
	shown := picture.Window{Label: "<a>", Title: "a & b"}
	for _, line := range "─│┼▀▄█┏┓┗┛╭╮╰╯" {
		shown.Dark = cellsOf(string(line), render.Style{})
		one := string(shown.SVG())
		testkit.Contains(t, one, "<path", "{fill:#14161b}")
		testkit.Contains(t, textsOf(t, one), "<a>", "a & b")
		testkit.Equal(t, strings.Contains(one, "@media"), false)
	}
}

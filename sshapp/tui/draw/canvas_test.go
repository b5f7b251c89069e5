package draw

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"

	"notakto/internal/testkit"
	"notakto/rules"
	"notakto/sshapp/render"
)

func TestCanvasClips(t *testing.T) {
	s := NewCanvas(new(render.Grid), 5, 3, NewTheme(Auto, colorprofile.TrueColor, Unicode))
	s.Text(0, 1, Plain, "under")
	s.Box(Rect{1, 0, 20, 3}, Plain)
	s.TextRight(4, 1, "棋")
	if got, want := s.grid.String(), " ╭───\nu│棋\n ╰───"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	testkit.Equal(t, s.Fit("three words here", 7), "three …")
	y := s.Paragraph(0, 0, 5, Plain, "one two three")
	if y != 3 || !strings.HasPrefix(s.grid.String(), "one──\ntwo\n") {
		t.Errorf("%d lines: %q", y, s.grid)
	}
}

func TestLastMove(t *testing.T) {
	position, err := rules.ParsePosition("....X....")
	testkit.OK(t, err)
	move := rules.Move{Cell: 5}
	for _, size := range [][2]int{{20, 8}, {17, 11}, {35, 17}, {53, 29}, {89, 47}} {
		drawn := func(kind Kind, last rules.Move) string {
			var grid render.Grid
			c := NewCanvas(&grid, size[0], size[1], NewTheme(kind, colorprofile.TrueColor, Unicode))
			a := Arrange(position.Variant(), Rect{0, 0, size[0], size[1]})
			(&Boards{Position: position, Digits: NoDigits, Last: last}).Draw(c, a)
			return grid.String()
		}
		testkit.Equal(t, drawn(Dark, move), drawn(Dark, rules.Move{}), size)
		if got := strings.Count(drawn(Mono, move), "●"); got != 1 && size[1] > 8 {
			t.Errorf("%v without colours: %d hearts:\n%s", size, got, drawn(Mono, move))
		}
	}
}

// Places on a page, drawn or clicked, count from the page's corner.
func TestPage(t *testing.T) {
	for _, window := range []Size{{40, 16}, {200, 60}, {220, 66}, {221, 67}, {240, 70}, {299, 89}, {300, 90}} {
		c := NewCanvas(new(render.Grid), window.Width, window.Height, NewTheme(Auto, colorprofile.TrueColor, Unicode))
		bounds := window.Page()
		c.Target = &Target{X: bounds.X + 3, Y: bounds.Y + 2}
		c.Page()
		c.Text(3, 2, Plain, "x")
		c.Target.OnKey(Rect{3, 2, 1, 1}, "Enter")
		if got := c.grid.Rune(bounds.X+3, bounds.Y+2); got != 'x' || c.Target.Key != "Enter" {
			t.Errorf("%v: %q is drawn, and %q clicked, where the page says x and Enter", window, got, c.Target.Key)
		}
		if c.Size != (Size{bounds.Width, bounds.Height}) || bounds.Width > 221 || bounds.Height > 67 {
			t.Errorf("%v: the page is %v, and the canvas %v", window, bounds, c.Size)
		}
		if x, y := bounds.X+(bounds.Width-38)/2, bounds.Y+(bounds.Height-7)/2; x != (window.Width-38)/2 ||
			y != (window.Height-7)/2 {
			t.Errorf("%v: a box in the middle of the page is at %d, %d", window, x, y)
		}
	}
}

package draw

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"

	"notakto/rules"
	"notakto/sshapp/render"
)

// Whatever a box, a ring or a text has outside the canvas is left out, and inside a box nothing else is left.
func TestCanvasClips(t *testing.T) {
	s := NewCanvas(new(render.Grid), 5, 3, NewTheme(Auto, colorprofile.TrueColor, Unicode))
	s.Text(0, 1, Plain, "under")
	s.Box(Rect{1, 0, 20, 3}, Plain)
	s.TextRight(4, 1, "棋")
	if got, want := s.grid.String(), " ╭───\nu│棋\n ╰───"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := s.Fit("three words here", 7); got != "three …" {
		t.Errorf("%q", got)
	}
	if y := s.Paragraph(0, 0, 5, Plain, "one two three"); y != 3 || !strings.HasPrefix(s.grid.String(), "one──\ntwo\n") {
		t.Errorf("%d lines: %q", y, s.grid)
	}
}

// The last move's cross keeps its shape, with a heart in another colour; without colours the heart is another sign.
func TestLastMove(t *testing.T) {
	position, err := rules.ParsePosition("....X....")
	if err != nil {
		t.Fatal(err)
	}
	move := rules.Move{Cell: 5}
	for _, size := range [][2]int{{20, 8}, {17, 11}, {35, 17}, {53, 29}, {89, 47}} {
		drawn := func(kind Kind, last rules.Move) string {
			var grid render.Grid
			c := NewCanvas(&grid, size[0], size[1], NewTheme(kind, colorprofile.TrueColor, Unicode))
			a := Arrange(position.Variant(), Rect{0, 0, size[0], size[1]})
			(&Boards{Position: position, Digits: NoDigits, Last: last}).Draw(c, a)
			return grid.String()
		}
		if drawn(Dark, move) != drawn(Dark, rules.Move{}) {
			t.Errorf("%v: the last cross has another shape:\n%s", size, drawn(Dark, move))
		}
		if got := strings.Count(drawn(Mono, move), "●"); got != 1 && size[1] > 8 {
			t.Errorf("%v without colours: %d hearts:\n%s", size, got, drawn(Mono, move))
		}
	}
}

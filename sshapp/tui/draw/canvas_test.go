package draw

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"

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

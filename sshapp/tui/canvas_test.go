package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"

	"notakto/sshapp/render"
)

func blankCanvas(theme *Theme, width, height int) *canvas {
	return newCanvas(new(render.Grid), width, height, theme)
}

func utf8Theme() *Theme { return NewTheme(Auto, colorprofile.TrueColor, true) }

// drawn is what a terminal without any picture is sent for a screen.
func (r *Root) drawn() string {
	var grid render.Grid
	r.Render(&grid)
	return string(render.NewScreen(render.FromTerm("xterm-256color"), grid.Width(), grid.Height()).Draw(nil, render.Frame{Grid: &grid}))
}

// Whatever a box, a ring or a text has outside the canvas is left out, and inside a box nothing else is left.
func TestCanvasClips(t *testing.T) {
	s := blankCanvas(utf8Theme(), 5, 3)
	s.text(0, 1, plain, "under")
	s.box(rect{1, 0, 20, 3}, plain)
	s.textRight(4, 1, "棋")
	if got, want := s.grid.String(), " ╭───\nu│棋\n ╰───"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := s.fit("three words here", 7); got != "three …" {
		t.Errorf("%q", got)
	}
	if y := s.paragraph(0, 0, 5, plain, "one two three"); y != 3 || !strings.HasPrefix(s.grid.String(), "one──\ntwo\n") {
		t.Errorf("%d lines: %q", y, s.grid)
	}
}

package render

import (
	"image/color"
	"slices"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// What was drawn can be read again, with every kind of colour and every attribute.
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

package draw

import (
	"testing"

	"github.com/charmbracelet/colorprofile"

	"notakto/internal/testkit"
	"notakto/sshapp/render"
)

// A still that is copied to a wrong place, or kept for a window of another size, would garble the lobby.
func TestAStillLooksTheSameEachTime(t *testing.T) {
	theme, painted := NewTheme(Auto, colorprofile.ANSI256, Unicode), 0
	show := func(width, x int) string {
		var grid render.Grid
		c := NewCanvas(&grid, width, 10, theme)
		c.Page()
		rows := c.Still(Rect{X: x, Y: 1, Width: 12, Height: 6}, func() int {
			painted++
			c.Card(Rect{X: x, Y: 1, Width: 12, Height: 4}, Grid, "Title", Strong)
			c.Text(x+2, 2, Bad, c.Glyphs.Arrow)
			return 4
		})
		testkit.Equal(t, rows, 4)
		return grid.String()
	}
	first := show(40, 3)
	testkit.Equal(t, show(40, 3), first)
	testkit.Equal(t, painted, 1)
	moved := show(40, 9)
	testkit.Equal(t, painted, 1)
	theme = NewTheme(Auto, colorprofile.ANSI256, Unicode)
	testkit.Equal(t, moved, show(40, 9), "drawn anew")
	show(60, 3)
	testkit.Equal(t, painted, 3)
	for width := range 2 * maxStills {
		show(61+width, 3)
	}
	testkit.Equal(t, len(theme.stills.all) <= maxStills, true, len(theme.stills.all))
}

package tui

import (
	"slices"
	"strings"
	"testing"

	"notakto/sshapp/render"
	"notakto/sshapp/start"
)

// A match that is drawn without a session looks as it does to a spectator, but for what is the spectator's own in the
// first two lines.
func TestRenderMatch(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/2")
		cleo := b.comeTo(keyed("cleo"), start.Start{At: start.Match})
		check := func() {
			for _, size := range [][2]int{{80, 24}, {100, 36}} {
				cleo.resize(size[0], size[1])
				var grid render.Grid
				RenderMatch(&grid, size[0], size[1], utf8Theme(), tableOf(cleo.screen).State)
				got, want := strings.Split(grid.String(), "\n"), strings.Split(cleo.sees(), "\n")
				if !slices.Equal(got[2:], want[2:]) {
					b.Errorf("it looks like\n%s\nand not like\n%s", grid.String(), cleo.sees())
				}
			}
		}
		check()
		b.play(first, second, "A5", "B5", "A1", "B1", "A9")
		check()
		second.press("B 9")
		cleo.mustSee(first.Player().Name + " won")
		check()
	})
}

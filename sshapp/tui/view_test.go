package tui

import (
	"slices"
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/sshapp/render"
	"notakto/sshapp/start"
)

// Only the first two lines differ from a spectator's screen, because they show the spectator's own state.
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

func TestTooSmall(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, _ := b.pair("notakto/3")
		for _, size := range [][2]int{{38, 14}, {39, 40}, {100, 15}, {10, 3}, {1, 1}} {
			first.resize(size[0], size[1])
			first.press("5 r y")
			if text := strings.Join(strings.Fields(first.sees()), " "); size[0] > 30 {
				testkit.Contains(t, text, "Notakto needs 40x16; this window is", "match is kept")
			}
		}
		first.resize(40, 16)
		first.mustSee("Your turn")
		testkit.Equal(t, len(tableOf(first.screen).Moves), 0)
	})
}

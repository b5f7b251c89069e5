package tui

import (
	"strings"
	"testing"

	"notakto/sshapp/start"
)

// What was shared stays in the shell of who shared it, as each of the two saw the match.
func TestAMatchIsShared(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		b.play(first, second, "B4", "A5", "A9", "A1", "B2", "B5", "B3", "B6", "C3", "C5", "C2", "C7")
		second.env.host = "play.example"
		first.press("s")
		first.mustSee("Copied if your terminal allows it. It is printed when you quit.")
		want := "Notakto ▦▦▦ beat bob in 12 moves  ✓✓✗✓✗✗  match " + string(tableOf(first.screen).ID)
		if got := first.Shared(); got != want || first.QuitText() != want {
			t.Errorf("%q, and %q in the shell, want %q", got, first.QuitText(), want)
		}
		second.press("s")
		got, want := second.Shared(), "Notakto ▦▦▦ lost to ann in 12 moves  ··✗·✗✗  ssh -t play.example watch "
		if !strings.HasPrefix(got, want) || !strings.HasSuffix(got, string(tableOf(second.screen).ID)) {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

// A match that ended without a move has no marks, and a spectator has none to share.
func TestLittleIsShared(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, _ := b.pair("notakto/1")
		cleo := b.comeTo(keyed("cleo"), start.Start{At: start.Match})
		first.press("r y s")
		want := "Notakto ▦ lost to bob in 0 moves  match " + string(tableOf(first.screen).ID)
		if got := first.Shared(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		cleo.press("s")
		if got := cleo.Shared(); got != "" {
			t.Errorf("a spectator shared %q", got)
		}
	})
}

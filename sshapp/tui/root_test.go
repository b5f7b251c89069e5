package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"notakto/internal/testkit"
	"notakto/sshapp/start"
)

func TestCut(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, _ := b.pair("notakto/3")
		first.press("ctrl+c")
		first.mustSee("Quit Notakto?", "Your seat is kept; you have 60 s")
		first.press("n")
		first.mustNotSee("Quit Notakto?")
		small := b.come(keyed("gus"))
		small.resize(20, 5)
		for p, keys := range map[*person]string{
			first: "ctrl+c ctrl+c", b.come(keyed("cleo")): "q y", b.come(keyed("eve")): "3 down ctrl+c y",
			small: "ctrl+c ctrl+c",
		} {
			if p.press(keys); !p.quit {
				t.Errorf("%s is still there after %s", p.Player().Name, keys)
			}
		}
	})
}

func TestAwaitsOpponent(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		invite := b.comeTo(keyed("cleo"), start.Start{At: start.Private})
		queue := b.comeTo(keyed("dan"), start.Start{At: start.Queue})
		check := func() {
			for _, p := range []*person{first, second, invite, queue, b.come(keyed("eve"))} {
				testkit.Equal(t, p.AwaitsOpponent(), p == second, p.Player().Name, p.sees())
			}
		}
		check()
		first.press("q y")
		second.press("q y 2s")
		check() // from the lobby
	})
}

func TestHostileName(t *testing.T) {
	inBubble(t, func(b *harness) {
		player := keyed("x")
		player.Name = "a\x1b]52;c;aGk=\x07\u202e\u0085" + strings.Repeat("棋", 60)
		p := b.comeTo(player, start.Start{At: start.Computer})
		for _, size := range sizes() {
			p.resize(size[0], size[1])
			p.sees()
			if content := p.View().Content; strings.Contains(content, "\x1b]") ||
				strings.ContainsAny(content, "\u0085\x07") {
				t.Fatalf("a control character in a frame: %q", content)
			}
			if title := p.View().WindowTitle; strings.Contains(title, "a") && strings.Contains(title, "棋") ||
				ansi.Strip(title) != title {
				t.Fatalf("title %q", title)
			}
		}
	})
}

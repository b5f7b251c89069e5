package tui

import (
	"slices"
	"testing"
)

func TestHelp(t *testing.T) {
	for name, picture := range pictures() {
		if name == "help" || name == "resign" || name == "hint_why" {
			continue
		}
		inBubble(t, func(b *harness) {
			p := picture(b)
			for _, size := range [][2]int{{40, 16}, {72, 20}, {80, 24}, {120, 40}} {
				p.resize(size[0], size[1])
				p.press("?")
				own, settings := p.helpActions()
				for _, a := range slices.Concat(own, settings) {
					p.mustSee(a.key.Help().Key, a.long)
				}
				p.press("q")
				p.mustNotSee("Any key goes back")
			}
		})
	}
}

func TestHelpHasTheKeysThatDoSomething(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.rated()
		first.resize(40, 16)
		first.press("?")
		first.mustNotSee("still named", "take back", "hint")
		first.press("? p ?")
		first.mustSee("Move names still have 7 8 9 on top.", "q     leave")
		second.resize(40, 16)
		first.press("? r y")
		second.press("?")
		second.mustSee("back", "colours: ")
		second.mustNotSee("rematch", "review", "share")
	})
}

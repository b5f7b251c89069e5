package tui

import (
	"slices"
	"testing"
)

// Every key of every screen is in its help, and the help is left by any key.
func TestHelp(t *testing.T) {
	for name, picture := range pictures() {
		if name == "help" || name == "resign" {
			continue
		}
		inBubble(t, func(b *harness) {
			p := picture(b)
			for _, size := range [][2]int{{40, 16}, {72, 20}, {80, 24}, {120, 40}} {
				p.resize(size[0], size[1])
				p.press("?")
				own, settings := p.listed()
				for _, a := range slices.Concat(own, settings) {
					p.mustSee(a.key.Help().Key, a.long)
				}
				p.press("q")
				p.mustNotSee("Any key goes back")
			}
		})
	}
}

// The digits of a telephone are for typing: moves have one name, for both players.
func TestHelpSaysHowMovesAreNamed(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, _ := b.pair("notakto/3")
		first.resize(40, 16)
		first.press("?")
		first.mustNotSee("still named")
		first.press("? p ?")
		first.mustSee("Moves are still named 7 8 9 on top.", "q     leave")
	})
}

// The help of a small window named keys that did nothing: the rematch, the review and the sharing between the games of
// a pair, and joining others where no one waited.
func TestHelpOfASmallWindowHasNoKeyThatDoesNothing(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.rated()
		second.resize(40, 16)
		first.press("r y")
		second.press("?")
		second.mustSee("back", "colours: ")
		second.mustNotSee("rematch", "review", "share")
		eve := b.come(keyed("eve"))
		eve.resize(40, 16)
		eve.press("1 ?")
		eve.mustSee("stop waiting")
		eve.mustNotSee("join")
	})
}

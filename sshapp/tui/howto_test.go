package tui

import "testing"

// The board to try on takes marks as a match's does, and is cleared.
func TestHowTo(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.come(keyed("ann"))
		p.press("5")
		p.mustSee("Try it: press 3 to kill this board.")
		p.press("5")
		p.mustSee("That cell is taken.")
		p.press("3")
		p.mustSee("Dead! On the last board, that loses.")
		p.mustNotSee("┼")
		p.press("1")
		p.mustSee("This board is dead: c clears it.")
		p.press("c")
		p.mustSee("Try it: Enter", "┼")
		p.press("5")
		p.mustSee("Still alive. No cell kills the board yet.")
		p.press("1")
		p.mustSee("Still alive. An X on a marked digit kills the board.")
		p.press("c")
		p.press("m p 7")
		if x := p.screen.(*howToScreen).last; x != 1 {
			t.Errorf("7 on a telephone is %d", x)
		}
	})
}

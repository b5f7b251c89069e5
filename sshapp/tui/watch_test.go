package tui

import (
	"testing"
)

// Whoever looks on sees the moves as they come, places nothing, and sees who won.
func TestWatch(t *testing.T) {
	inBubble(t, func(b *bed) {
		first, second := b.pair("notakto/1")
		cleo := b.come(keyed("cleo"))
		cleo.press("4")
		cleo.mustSee("ann - bob", "1 board", "0 moves")
		cleo.press("enter")
		cleo.mustSee("watching", first.Player().Name+"'s turn")
		first.mustSee("1 watching")
		cleo.press("5 r")
		cleo.mustNotSee("Resign")
		b.play(first, second, "A5")
		cleo.mustSee("A5", second.Player().Name+"'s turn")
		second.press("r y")
		cleo.mustSee(first.Player().Name+" won", second.Player().Name+" resigned.")
		first.press("enter")
		second.press("enter")
		cleo.mustSee("They play again: Enter looks on.")
		cleo.press("enter")
		cleo.mustSee(second.Player().Name + "'s turn")
		cleo.press("q")
		cleo.mustSee("Play someone")
	})
}

// Watching one's own match from the list leads to one's seat.
func TestWatchOwn(t *testing.T) {
	inBubble(t, func(b *bed) {
		first, _ := b.pair("notakto/3")
		again := b.come(first.Player())
		again.press("4 enter")
		again.mustSee("(you)", "Your turn")
	})
}

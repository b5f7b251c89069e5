package plain

import (
	"testing"
	"time"

	"notakto/rules/strategy"
)

func TestTakeback(t *testing.T) {
	inBubble(t, func(b *harness) {
		a, c := b.pair(1)
		w := b.come(guy())
		w.types("watch")
		a.asked("takeback", "You have made no move to take back.")
		a.types("5")
		c.skips()
		for range 2 {
			a.asked("takeback", "You ask to take back A5. Waiting for bob.")
		}
		c.expects("ann asks to take back A5: type takeback to agree, or decline.")
		c.asked("decline", "You declined.")
		a.expects("bob declined.")
		a.asked("takeback", "Your opponent has declined, and a turn has only one request. "+
			"You can ask again after the next move.")
		c.types("1")
		a.asked("undo", "You ask to take back A5. Waiting for bob.")
		w.skips()
		c.asked("takeback", "ann took back A5, and the answer A1. ann's turn.")
		a.expects("You took back A5, and the answer A1. Your turn.")
		w.expects("ann took back A5, and the answer A1. ann's turn.")
		a.asked("moves", "No move has been made.")
		a.types("7", "resign", "yes")
		a.asksFor("review 1", "You took back A5, and the answer A1. Move 1, A7 by you. A slip. Only A5 won.")
		a.asked("takeback", "There is no match on here.")
	})
}

func TestHints(t *testing.T) {
	inBubble(t, func(b *harness) {
		a, c := b.pair(1)
		a.asked("hint", "You ask for hints, for both of you. Waiting for bob.")
		c.asked("hint", "You both get hints now: type hint in your turn.")
		c.asked("hint", "It is not your turn yet: wait for your opponent's move.")
		a.asked("hint", "Play A5.")
		for range 2 {
			a.asked("hint", "Why A5? The only move that wins. Rule of thumb: on one empty board, take the centre.")
		}
		a.types("5")
		c.asked("hint", "Lost by now: every move loses against perfect play.")

		alone := b.against(strategy.Novice, boards(t, 3))
		const noLevel = "With hints, this match counts for no level."
		alone.asked("hint", noLevel, "Look at board A.")
		alone.types("a1")
		pass(2 * time.Second)
		alone.types("resign", "yes")
		alone.asksFor("review", noLevel)
	})
}

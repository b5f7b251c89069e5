package plain

import (
	"strings"
	"testing"
	"time"
)

// With a clock, each move is followed by the time left. Without one, no time is mentioned.
func TestClocks(t *testing.T) {
	inBubble(t, func(b *harness) {
		a := b.come(ann())
		a.types("computer club 3 first 3+2")
		a.hears("You have 3 minutes. The computer has 3 minutes.")
		pass(20 * time.Second)
		a.types("a5")
		pass(time.Second)
		a.hears("You have 3 minutes. The computer has 3 minutes.")
		pass(10 * time.Second)
		a.types("clock")
		a.hears("3 minutes, plus 2 seconds a move. You have 2 minutes 50 seconds. The computer has 3 minutes.")
		pass(3 * time.Minute)
		a.hears("You ran out of time.")
		a.types("leave", "private 2 1d")
		a.hears("Your private table, 2 boards, 1 day a move.")
		a.types("leave", "yes")
		a.skips().types("computer club 1 first")
		if shown := a.out.Take(); strings.Contains(shown, "minutes") {
			t.Errorf("hears %q", shown)
		}
		a.asked("clock", "This match has no clock.")
	})
}

// The queue names a waiting player's clock, and the command that plays with it. Lists tell the time for a move.
func TestClocksInLists(t *testing.T) {
	inBubble(t, func(b *harness) {
		a, c := b.come(ann()), b.come(bob())
		a.asked("play 3 5 1d", "Waiting for an opponent, for 3 or 5 boards, 1 day a move. No one else is waiting.")
		c.asked("play",
			"Waiting for an opponent, for 1 to 5 boards. ann waits for 3 or 5 boards, 1 day a move: type leave, "+
				"then play 3 1d to join.")
		a.expects("bob waits for 1 to 5 boards: type leave, then play 3 to join.")
		c.types("leave", "play 3 1d")
		c.hears("3 boards, 1 day a move, against ann.")
		pass(5 * time.Hour)
		mover := b.manager.List()[0].ToMove()
		who := mover.Name + " has "
		b.come(guy()).asksFor("matches", who+"19 h + bank 3 d left for the move")
		if mover == ann() {
			who = "you have "
		}
		a.asksFor("mine", who+"19 h + bank 3 d left for the move")
		a.asked("quit", "Your match continues, and its clock runs. Goodbye.")
	})
}

// Only the clock of days waits for a player. A player who read that the clock runs was away for a minute, and lost.
func TestQuittingAMatchWithAClockWarnsOfTheLoss(t *testing.T) {
	inBubble(t, func(b *harness) {
		a, c := b.come(ann()), b.come(bob())
		a.types("play 3 3+2")
		c.types("play 3 3+2")
		a.skips().asked("quit", "Your seat is kept. On your turn you have 60 seconds to come back. Goodbye.")
	})
}

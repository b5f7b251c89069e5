package plain

import (
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
)

// With a clock, each move is followed by the time left. Without one, no time is mentioned.
func TestClocks(t *testing.T) {
	inBubble(t, func(b *harness) {
		a := b.come(ann())
		expects := func(want string) {
			t.Helper()
			testkit.Contains(t, a.out.Take(), want)
		}
		a.types("computer club 3 first 3+2")
		expects("You have 3 minutes. The computer has 3 minutes.")
		pass(20 * time.Second)
		a.types("a5")
		pass(time.Second)
		expects("You have 3 minutes. The computer has 3 minutes.")
		pass(10 * time.Second)
		a.types("clock")
		expects("3 minutes, plus 2 seconds a move. You have 2 minutes 50 seconds. The computer has 3 minutes.")
		pass(3 * time.Minute)
		expects("You ran out of time.")
		a.types("leave")
		a.types("private 2 1d")
		expects("Your private table, 2 boards, 1 day a move.")
		a.types("leave", "yes")
		a.skips()
		a.types("private 3+2+2")
		expects("Unknown game")
		a.types("computer club 1 first")
		if shown := a.out.Take(); strings.Contains(shown, "minutes") {
			t.Errorf("hears %q", shown)
		}
		a.asked("clock", "This match has no clock.")
	})
}

func TestListsTellTheTimeForAMove(t *testing.T) {
	inBubble(t, func(b *harness) {
		a, c := b.come(ann()), b.come(bob())
		a.types("play 3 1d")
		c.types("play 3 1d")
		pass(5 * time.Hour)
		a.out.Take()
		a.types("mine")
		mover := b.manager.List()[0].ToMove()
		who := func(reader match.Player) string {
			if reader.ID == mover.ID {
				return "you have "
			}
			return mover.Name + " has "
		}
		testkit.Contains(t, a.out.Take(), who(ann())+"19 h + bank 3 d left for the move")
		d := b.come(guy())
		d.types("matches")
		testkit.Contains(t, d.out.Take(), who(match.Player{})+"19 h + bank 3 d left for the move")
	})
}

// The queue names a waiting player's clock, and the command that plays with it.
func TestQueueWithAClock(t *testing.T) {
	inBubble(t, func(b *harness) {
		a, c := b.come(ann()), b.come(bob())
		a.asked("play 3 5 3+2", "Waiting for an opponent, for 3 or 5 boards, 3+2. No one else is waiting.")
		c.asked("play",
			"Waiting for an opponent, for 1 to 5 boards. ann waits for 3 or 5 boards, 3+2: type leave, then play 3 "+
				"3+2 to join.")
		a.expects("bob waits for 1 to 5 boards: type leave, then play 3 to join.")
		c.types("leave", "play 3 3+2")
		testkit.Contains(t, c.out.Take(), "3 boards, 3+2, against ann.", "You have 3 minutes.")
	})
}

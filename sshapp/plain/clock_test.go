package plain

import (
	"strings"
	"testing"
	"time"
)

// A match with a clock says after each move what is left; one without says nothing of it.
func TestClocks(t *testing.T) {
	inBubble(t, func(b *harness) {
		a := b.come(ann())
		expects := func(want string) {
			t.Helper()
			if shown := a.out.Take(); !strings.Contains(shown, want) {
				t.Errorf("hears %q, want %q", shown, want)
			}
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

// How long a player has for a move of days is told in the lists, without sitting down.
func TestListsTellTheTimeForAMove(t *testing.T) {
	inBubble(t, func(b *harness) {
		a, c := b.come(ann()), b.come(bob())
		a.types("play 3 1d")
		c.types("play 3 1d")
		pass(5 * time.Hour)
		a.out.Take()
		a.types("mine")
		if got := a.out.Take(); !strings.Contains(got, "19 hours left for the move") {
			t.Errorf("mine says %q", got)
		}
		d := b.come(guy())
		d.types("matches")
		if got := d.out.Take(); !strings.Contains(got, "19 hours left for the move") {
			t.Errorf("matches says %q", got)
		}
	})
}

// A player who waits with a clock says so, and what another one types to play with it.
func TestQueueWithAClock(t *testing.T) {
	inBubble(t, func(b *harness) {
		a, c := b.come(ann()), b.come(bob())
		a.asked("play 3 5 3+2", "Waiting for an opponent, for 3 or 5 boards, 3+2. You are the only one waiting.")
		c.asked("play",
			"Waiting for an opponent, for 1 to 5 boards. ann waits for 3 or 5 boards, 3+2: type leave, then play 3 "+
				"3+2, to play that.")
		a.expects("bob waits for 1 to 5 boards: type leave, then play 3, to play that.")
		c.types("leave", "play 3 3+2")
		if received := c.out.Take(); !strings.Contains(received, "3 boards, 3+2, against ann.") ||
			!strings.Contains(received, "You have 3 minutes.") {
			t.Errorf("bob hears %q", received)
		}
	})
}

package tui

import (
	"strings"
	"testing"
	"time"

	"notakto/rules"
	"notakto/sshapp/start"
)

// After 15 seconds the computer is offered, and the place in the queue is kept while it is played; the opponent who comes is announced
// by a bell, the window's title and a notice, and the match with the computer can be returned to.
func TestComputerMeanwhile(t *testing.T) {
	inBubble(t, func(b *bed) {
		ann := b.comeTo(keyed("ann"), start.Place{At: start.Queue})
		b.pass(14 * time.Second)
		ann.mustNotSee("Nobody yet")
		b.pass(2 * time.Second)
		ann.mustSee("0:16", "Nobody yet. Play the computer meanwhile?")
		ann.press("c down down right enter 5")
		ann.mustSee("club (computer)", "in the queue", "Your turn")
		rings := ann.Bell()
		b.comeTo(keyed("bob"), start.Place{At: start.Queue})
		ann.mustSee("Opponent found! Press o to go over", "club (computer)")
		if ann.Bell() == rings || !strings.HasPrefix(ann.View().WindowTitle, "● Opponent found") {
			t.Errorf("bell %d after %d, title %q", ann.Bell(), rings, ann.View().WindowTitle)
		}
		ann.press("o")
		ann.mustSee("bob")
		ann.mustNotSee("club")
		b.pass(90 * time.Second)
		ann.press("q y")
		ann.mustSee("against club, your turn", "against bob")
		ann.press("down enter")
		if at := sittingOf(ann.screen); at == nil {
			t.Fatalf("nowhere:\n%s", ann.sees())
		}
	})
}

// Who is found an opponent and does not come over is told how long there is left, as soon as it is the player's turn, and that it is over.
func TestWhoDoesNotComeOverIsToldThatItIsOver(t *testing.T) {
	inBubble(t, func(b *bed) {
		ann := b.comeTo(keyed("ann"), start.Place{At: start.Queue})
		ann.press("c enter")
		bob := b.comeTo(keyed("bob"), start.Place{At: start.Queue})
		b.pass(90 * time.Second)
		ann.mustSee("Opponent found! Press o to go over.")
		bob.press("5")
		b.pass(time.Second)
		ann.mustSee("Opponent found! Press o to go over within 59 s, or you lose.")
		b.pass(58 * time.Second)
		ann.mustSee("within 1 s, or you lose.")
		b.pass(2 * time.Second)
		ann.mustSee("Your other match is over: the lobby leads to how it ended.", "club (computer)")
		ann.press("t")
		ann.mustNotSee("Your other match", "Opponent found")
		ann.press("q y")
		ann.mustSee("against bob, over")
	})
}

// Who comes over by another way than the key is called no more.
func TestWhoHasComeOverIsCalledNoMore(t *testing.T) {
	inBubble(t, func(b *bed) {
		ann := b.comeTo(keyed("ann"), start.Place{At: start.Queue})
		ann.press("c esc")
		b.comeTo(keyed("bob"), start.Place{At: start.Queue})
		ann.mustSee("Opponent found!", "You have a match on")
		ann.press("enter")
		ann.mustSee("bob")
		ann.mustNotSee("Opponent found!")
	})
}

// Leaving the queue gives the place up: the next one to come waits.
func TestStopWaiting(t *testing.T) {
	inBubble(t, func(b *bed) {
		ann := b.comeTo(keyed("ann"), start.Place{At: start.Queue})
		ann.press("esc")
		ann.mustSee("Play someone")
		bob := b.comeTo(keyed("bob"), start.Place{At: start.Queue})
		bob.mustSee("you are the only one waiting")
	})
}

// The lobby knows of a place in the queue that is still held, and leads back to it.
func TestBackToQueue(t *testing.T) {
	inBubble(t, func(b *bed) {
		ann := b.comeTo(keyed("ann"), start.Place{At: start.Queue})
		ann.press("c esc")
		ann.mustSee("Back to the queue")
		ann.press("enter")
		ann.mustSee("you are the only one waiting")
		b.comeTo(keyed("bob"), start.Place{At: start.Queue})
		ann.mustSee("bob", "(you)")
	})
}

// A server that stops tells who asks for a match, and who waits.
func TestDraining(t *testing.T) {
	inBubble(t, func(b *bed) {
		ann, bob := b.come(keyed("ann")), b.comeTo(keyed("bob"), start.Place{At: start.Queue})
		b.manager.Drain()
		b.rest()
		bob.mustSee("The queue is closed: the server is stopping.")
		ann.press("1")
		ann.mustSee("The server stops: no new matches.")
	})
}

// The place that a person takes in a queue is given back when the session ends.
func TestCloseGivesPlaceUp(t *testing.T) {
	inBubble(t, func(b *bed) {
		ann := b.comeTo(keyed("ann"), start.Place{At: start.Queue})
		ann.Close()
		b.rest()
		if n := b.manager.Lobby().Waiting(rules.DefaultVariant()); n != 0 {
			t.Errorf("%d wait after the session has ended", n)
		}
	})
}

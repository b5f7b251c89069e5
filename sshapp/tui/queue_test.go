package tui

import (
	"strings"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/start"
)

// After 15 seconds the computer is offered, and the place in the queue is kept while it is played; the opponent who
// comes is announced by a bell, the window's title and a notice, and the match with the computer can be returned to.
func TestComputerWhileWaiting(t *testing.T) {
	inBubble(t, func(b *harness) {
		ann := b.comeTo(keyed("ann"), start.Start{At: start.Queue})
		b.advance(14 * time.Second)
		ann.mustNotSee("No opponent yet")
		b.advance(2 * time.Second)
		ann.mustSee("0:16", "No opponent yet. Play the computer while you wait?")
		ann.press("c down down right enter 5")
		ann.mustSee("novice (computer)", "in the queue", "Your turn")
		rings := ann.Bell()
		b.comeTo(keyed("bob"), start.Start{At: start.Queue})
		ann.mustSee("Opponent found! Press o to go over", "novice (computer)")
		if ann.Bell() == rings || !strings.HasPrefix(ann.View().WindowTitle, "● Opponent found") {
			t.Errorf("bell %d after %d, title %q", ann.Bell(), rings, ann.View().WindowTitle)
		}
		ann.press("o")
		ann.mustSee("bob")
		ann.mustNotSee("novice")
		b.advance(90 * time.Second)
		ann.press("q y")
		ann.mustSee("against novice, your turn", "against bob")
		ann.press("down enter")
		if at := tableOf(ann.screen); at == nil {
			t.Fatalf("nowhere:\n%s", ann.sees())
		}
	})
}

// Who is found an opponent and does not come over is told how long there is left, as soon as it is the player's turn,
// and that it is over.
func TestAPlayerWhoDoesNotSwitchIsShownTheEnd(t *testing.T) {
	inBubble(t, func(b *harness) {
		ann := b.comeTo(keyed("ann"), start.Start{At: start.Queue})
		ann.press("c enter")
		bob := b.comeTo(keyed("bob"), start.Start{At: start.Queue})
		b.advance(90 * time.Second)
		ann.mustSee("Opponent found! Press o to go over.")
		bob.press("5")
		b.advance(time.Second)
		ann.mustSee("Opponent found! Press o to go over within 59 s, or the match ends.")
		b.advance(58 * time.Second)
		ann.mustSee("within 1 s, or the match ends.")
		b.advance(2 * time.Second)
		ann.mustSee("Your other match is over. The first screen shows how it ended.", "novice (computer)")
		ann.press("t")
		ann.mustNotSee("Your other match", "Opponent found")
		ann.press("q y")
		ann.mustSee("You lost to bob (3 boards)")
	})
}

// Who comes over by another way than the key is called no more.
func TestWhoHasComeOverIsCalledNoMore(t *testing.T) {
	inBubble(t, func(b *harness) {
		ann := b.comeTo(keyed("ann"), start.Start{At: start.Queue})
		ann.press("c esc")
		b.comeTo(keyed("bob"), start.Start{At: start.Queue})
		ann.mustSee("Opponent found!", "Your match goes on")
		ann.press("enter")
		ann.mustSee("bob")
		ann.mustNotSee("Opponent found!")
	})
}

// Leaving the queue gives the place up: the next one to come waits.
func TestStopWaiting(t *testing.T) {
	inBubble(t, func(b *harness) {
		ann := b.comeTo(keyed("ann"), start.Start{At: start.Queue})
		ann.press("esc")
		ann.mustSee("Play someone")
		bob := b.comeTo(keyed("bob"), start.Start{At: start.Queue})
		bob.mustSee("No one else is waiting.")
	})
}

// The lobby knows of a place in the queue that is still held, and leads back to it.
func TestBackToQueue(t *testing.T) {
	inBubble(t, func(b *harness) {
		ann := b.comeTo(keyed("ann"), start.Start{At: start.Queue})
		ann.press("c esc")
		ann.mustSee("Keep waiting")
		ann.press("enter")
		ann.mustSee("No one else is waiting.")
		b.comeTo(keyed("bob"), start.Start{At: start.Queue})
		ann.mustSee("bob", "(you)")
	})
}

// A server that stops tells who asks for a match, and who waits.
func TestDraining(t *testing.T) {
	inBubble(t, func(b *harness) {
		ann, bob := b.come(keyed("ann")), b.comeTo(keyed("bob"), start.Start{At: start.Queue})
		b.manager.Drain()
		b.rest()
		bob.mustSee("The queue is closed: the server stops.")
		ann.press("1")
		ann.mustSee("No new matches begin here now.")
	})
}

// The place that a person takes in a queue is given back when the session ends.
func TestCloseCancelsTheSeek(t *testing.T) {
	inBubble(t, func(b *harness) {
		ann := b.comeTo(keyed("ann"), start.Start{At: start.Queue})
		ann.Close()
		b.rest()
		if n := b.manager.Lobby().Waiting("").Count; n != 0 {
			t.Errorf("%d wait after the session has ended", n)
		}
	})
}

// Two who could not be paired for a while waited beside each other without a word.
func TestTwoWhoAreNotPairedSeeWhy(t *testing.T) {
	inBubbleWith(t, manager.Config{FirstMove: manager.DefaultFirstMove}, func(b *harness) {
		ann, bob := b.pair("notakto/3")
		ann.resize(40, 16)
		b.advance(manager.DefaultFirstMove)
		for _, p := range []*person{ann, bob} {
			p.press("q 1")
			p.mustSee("Waiting for an opponent", "3 boards")
		}
		b.advance(client.OfferComputerAfter + time.Second)
		ann.mustSee("2 are waiting", "not paired again", "c play the computer")
		bob.mustSee("2 are waiting, including you", "Two players are not paired again for 5 minutes")
	})
}

// Two who waited for different numbers of boards each read that they were the only one.
func TestQueueShowsWhatOthersWaitFor(t *testing.T) {
	inBubble(t, func(b *harness) {
		two, five := variantOf(rules.Notakto(2)), variantOf(rules.Notakto(5))
		ann := b.comeTo(keyed("ann"), start.Start{At: start.Queue, Terms: match.Terms{Variant: two}})
		ann.mustSee("No one else is waiting.")
		bob := b.comeTo(keyed("bob"), start.Start{At: start.Queue, Terms: match.Terms{Variant: five}})
		bob.mustSee("ann waits for 2 boards")
		ann.mustSee("bob waits for 5 boards")
	})
}

func variantOf(v rules.Variant, err error) rules.Variant {
	if err != nil {
		panic(err)
	}
	return v
}

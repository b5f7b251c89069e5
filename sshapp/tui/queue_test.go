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
		ann.mustSee("Opponent found: bob. Press o to play.", "novice (computer)")
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
		ann.mustSee("Opponent found: bob. Press o to play.")
		bob.press("5")
		b.advance(time.Second)
		ann.mustSee("Opponent found: bob. Press o to play within 59 s, or the match ends.")
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
		ann.mustSee("Opponent found: bob.", "Your match goes on")
		ann.press("enter")
		ann.mustSee("bob")
		ann.mustNotSee("Opponent found")
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
		bob.mustSee("The queue is closed: no new matches begin here now.")
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

// Two who could not be paired for a while waited beside each other: both read only that two wait, and the first screen
// offered the one to join the other. Both read why and until when, and the one who waited in vain may play at once.
func TestTwoWhoAreNotPairedSeeWhy(t *testing.T) {
	inBubbleWith(t, manager.Config{FirstMove: manager.DefaultFirstMove}, func(b *harness) {
		ann, bob := b.pair("notakto/3")
		ann.resize(40, 16)
		b.advance(manager.DefaultFirstMove)
		bob.press("q 1")
		ann.press("q")
		b.advance(listEvery)
		ann.mustNotSee("g to join", "bob waits")
		ann.press("g")
		ann.mustSee("Nobody is waiting")
		ann.press("1")
		ann.mustSee("Waiting for an opponent", "3 boards", "You and bob cannot meet for", "4:5", "you did not move")
		ann.mustNotSee("g play")
		ann.press("g")
		ann.mustSee("Nobody you can join is waiting.")
		bob.mustSee("You and ann cannot meet for 4:5", "ann did not move in time.", "g play all the same with ann")
		b.advance(client.OfferComputerAfter + time.Second)
		ann.mustSee("No opponent yet", "c play the computer", "You and bob cannot meet for", "4:4")
		bob.resize(40, 16)
		bob.mustSee("g play all the same with ann", "No opponent yet")
		bob.press("g")
		ann.mustSee("bob")
		if tableOf(ann.screen) == nil || tableOf(bob.screen) == nil {
			t.Errorf("they do not play:\n%s\n%s", ann.sees(), bob.sees())
		}
	})
}

// The first screen of a player who waited in vain offers to play all the same with the one who did not move in time.
func TestTheLobbyOffersWhoDidNotMoveInTimeToTheOther(t *testing.T) {
	inBubbleWith(t, manager.Config{FirstMove: manager.DefaultFirstMove}, func(b *harness) {
		ann, bob := b.pair("notakto/3")
		b.advance(manager.DefaultFirstMove)
		ann.press("q 1")
		bob.press("q")
		b.advance(listEvery)
		bob.mustSee("ann, 3 boards", "g to join")
		bob.press("g")
		if tableOf(ann.screen) == nil || tableOf(bob.screen) == nil {
			t.Errorf("they do not play:\n%s\n%s", ann.sees(), bob.sees())
		}
	})
}

// A place in the queue outlived the attention of its player: a stranger sat opposite an empty chair. Without a key for
// three minutes the place is given up, after a warning, and the screen says so.
func TestAPlaceIsGivenUpWithoutAKey(t *testing.T) {
	inBubble(t, func(b *harness) {
		nine := match.Terms{Variant: variantOf(rules.Notakto(9))}
		ann := b.comeTo(keyed("ann"), seekingOneBoard())
		cyd := b.comeTo(keyed("cyd"), start.Start{At: start.Queue, Terms: nine})
		cyd.press("c enter 5")
		cyd.resize(40, 16)
		b.advance(client.PlaceKeptFor - client.PlaceWarning - time.Second)
		ann.mustNotSee("Still there?")
		rings := ann.Bell()
		b.advance(2 * time.Second)
		ann.mustSee("Still there? Press any key to keep your place in the queue.")
		cyd.mustSee("Still there? Any key keeps your place.")
		if ann.Bell() == rings {
			t.Error("no bell rings")
		}
		ann.press("b")
		ann.mustNotSee("Still there?")
		b.advance(client.PlaceWarning)
		ann.mustSee("Waiting for an opponent")
		cyd.mustSee("You left the queue: no key for 3 min.", "novice")
		b.advance(client.PlaceKeptFor)
		ann.mustSee("Play someone", "You left the queue: no key was pressed for 3 minutes.")
		if n := b.manager.Lobby().Waiting("").Count; n != 0 {
			t.Errorf("%d wait", n)
		}
	})
}

// A match with the computer left the place in the queue behind without a word. The player is asked once it is over, and
// the place is given up without an answer within a minute.
func TestAfterAMatchTheWaitingPlayerIsAsked(t *testing.T) {
	for name, test := range map[string]struct {
		press       string
		keeps, says string
	}{
		"yes": {"y", "e leave the queue", ""},
		"no":  {"e", "", "You left the queue."},
		"other keys are no answer": {"t", "e leave the queue",
			"Still want an opponent? y keeps your place in the queue, e gives it up."},
		"the queue's own screen": {"q 1 c", "e leave the queue", ""},
	} {
		inBubble(t, func(b *harness) {
			ann := b.comeTo(keyed("ann"), start.Start{At: start.Queue})
			ann.press("c enter")
			ann.mustSee("e leave the queue")
			ann.mustNotSee("Still want an opponent?")
			ann.press("r y")
			ann.mustSee("Still want an opponent? y keeps your place in the queue, e gives it up.")
			ann.press(test.press)
			waits := b.manager.Lobby().Waiting("").Count == 1
			if waits != (test.keeps != "") {
				t.Errorf("%s: still waits: %t", name, waits)
			}
			ann.mustSee(test.keeps, test.says)
			if test.says == "" {
				ann.mustNotSee("Still want an opponent?")
			}
			b.advance(client.PlaceAnswerWithin)
			isLeft, answered := b.manager.Lobby().Waiting("").Count == 0, test.says == ""
			if isLeft == answered {
				t.Errorf("%s: after a minute the place is left: %t", name, isLeft)
			}
			if name == "other keys are no answer" {
				ann.mustSee("You left the queue: you did not say that you still want an opponent.")
			}
		})
	}
}

// The place in the queue is shown wherever the player is, with the key that gives it up.
func TestThePlaceIsShownOnEveryScreen(t *testing.T) {
	inBubble(t, func(b *harness) {
		ann := b.comeTo(keyed("ann"), start.Start{At: start.Queue})
		ann.press("c esc")
		for _, size := range [][2]int{{80, 24}, {40, 16}} {
			ann.resize(size[0], size[1])
			for _, keys := range []string{"2", "3", "4", "5", "6", "7"} {
				ann.press(keys)
				ann.mustSee("e leave the queue")
				ann.press("esc")
				ann.mustSee("e leave the queue", "Keep waiting")
			}
		}
		ann.press("3 down down e")
		ann.mustSee("You left the queue.")
		ann.mustNotSee("e leave the queue")
		if n := b.manager.Lobby().Waiting("").Count; n != 0 {
			t.Errorf("%d wait", n)
		}
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

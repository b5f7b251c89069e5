package tui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/start"
)

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
		bob := b.comeTo(keyed("bob"), start.Start{At: start.Queue})
		ann.mustSee("Opponent found: bob. Press o to play.", "novice (computer)")
		ann.mustBeTitled("● Opponent found — Notakto")
		testkit.Equal(t, ann.Bell(), rings+1)
		bob.press("90s 5 1s")
		ann.mustSee("Opponent found: bob. Press o to play within 59 s, or the match ends.")
		ann.press("o")
		ann.mustSee("bob")
		ann.mustNotSee("novice")
		ann.press("q y")
		ann.mustSee("against novice, your turn", "against bob")
		ann.press("down enter 62s")
		ann.mustSee("Your other match is over. The first screen shows how it ended.", "novice (computer)")
		ann.press("t")
		ann.mustNotSee("Your other match", "Opponent found")
		ann.press("q y")
		ann.mustSee("You lost to bob (3 boards)", "r see")
		ann.press("r enter")
		ann.mustSee("Then you stayed away too long.")
	})
}

func TestDraining(t *testing.T) {
	inBubble(t, func(b *harness) {
		ann, bob := b.come(keyed("ann")), b.comeTo(keyed("bob"), start.Start{At: start.Queue})
		b.manager.Drain()
		b.rest()
		bob.mustSee("The queue is closed: no new matches begin here now.")
		ann.press("1")
		ann.mustSee("Play someone", "No new matches begin here now.")
	})
}

// Two players may not be paired for a while after one of them made no move in time. The other may play at once.
func TestTwoWhoAreNotPairedSeeWhy(t *testing.T) {
	inBubbleWith(t, manager.Config{FirstMove: manager.DefaultFirstMove}, func(b *harness) {
		ann, bob := b.pair("notakto/3")
		ann.resize(40, 16)
		b.advance(manager.DefaultFirstMove)
		bob.press("q 1")
		ann.press("q")
		b.advance(pollInterval)
		ann.mustNotSee("g to join", "bob waits")
		ann.press("1 g")
		ann.mustSee("Nobody you can join is waiting.")
		b.advance(client.OfferComputerAfter + time.Second)
		ann.mustSee("c play the computer", "You and bob cannot meet for", "4:4", "you did not move")
		ann.mustNotSee("g play")
		bob.mustSee("You and ann cannot meet for 4:4", "ann did not move in time.", "g play anyway with ann")
		bob.resize(40, 16)
		bob.mustSee("g play anyway with ann", "c play the computer", "Esc stop")
		bob.press("g")
		b.inOrder(ann, bob)
	})
}

// Without this rule an opponent may meet a player who has left the keyboard.
func TestAPlaceIsGivenUpWithoutAKey(t *testing.T) {
	inBubble(t, func(b *harness) {
		nine := match.Terms{Variant: variantOf(rules.Notakto(9))}
		ann := b.comeTo(keyed("ann"), seekingOneBoard())
		cyd := b.comeTo(keyed("cyd"), start.Start{At: start.Queue, Terms: nine})
		cyd.press("c enter 5")
		rings := ann.Bell()
		b.advance(client.PlaceTimeout - client.PlaceWarning + time.Second)
		ann.mustSee("Still there? Press any key to keep your place in the queue.")
		testkit.Equal(t, ann.Bell(), rings+1)
		ann.press("b")
		ann.mustNotSee("Still there?")
		b.advance(client.PlaceWarning)
		ann.mustSee("Waiting for an opponent")
		cyd.mustSee("You left the queue: no key was pressed for 3 minutes.", "novice")
		b.advance(client.PlaceTimeout)
		ann.mustSee("Play someone", "You left the queue: no key was pressed for 3 minutes.")
	})
}

func TestAfterAMatchTheWaitingPlayerIsAsked(t *testing.T) {
	const question = "Still want an opponent? y keeps your place in the queue, e gives it up."
	for keys, says := range map[string]string{
		"y": "e leave the queue", "q 1 c": "e leave the queue", "e": "You left the queue.", "t": question,
	} {
		inBubble(t, func(b *harness) {
			ann := b.comeTo(keyed("ann"), start.Start{At: start.Queue})
			ann.press("c enter")
			ann.mustNotSee("Still want an opponent?")
			ann.press("r y")
			ann.mustSee(question)
			ann.press(keys)
			ann.mustSee(says)
			b.advance(client.PlaceAnswerTimeout)
			kept := says == "e leave the queue"
			testkit.Equal(t, b.manager.Lobby().Waiting("").Count == 1, kept, keys)
			if says == question {
				ann.mustSee("You left the queue: you did not say that you still want an opponent.")
			}
		})
	}
}

// A player who had asked for programs an hour ago read "Any opponent.", and no person could join.
func TestTheWantedOpponentsAreShown(t *testing.T) {
	inBubble(t, func(b *harness) {
		ann := b.comeTo(keyed("ann"), start.Start{})
		ann.press("enter down right right right")
		ann.mustSee("with programs")
		ann.press("esc")
		ann.mustSee("Programs only.")
		ann.press("1")
		ann.mustSee("Programs only. 1 to 5 boards")
	})
}

func TestThePlaceIsShownOnEveryScreen(t *testing.T) {
	inBubble(t, func(b *harness) {
		ann := b.comeTo(keyed("ann"), start.Start{At: start.Queue})
		ann.press("c esc")
		for _, size := range [][2]int{{80, 24}, {40, 16}} {
			ann.resize(size[0], size[1])
			for _, key := range []string{"2", "4", "5", "6", "7"} {
				ann.press(key)
				ann.mustSee("e leave the queue")
				ann.press("esc")
			}
			ann.mustSee("e leave the queue", "Keep waiting")
		}
		ann.env.search.queue.Ask()
		ann.press("3 down down e")
		ann.mustSee("│ E │", "An opponent? Esc, then y yes, e no")
		ann.press("esc e")
		ann.mustSee("You left the queue.")
		ann.mustNotSee("e leave the queue")
		testkit.Equal(t, b.manager.Lobby().Waiting("").Count, 0)
	})
}

// The player has asked for another place, and the old place is not gone yet.
func TestAnotherFailureKeepsTheRequestedPlace(t *testing.T) {
	inBubble(t, func(b *harness) {
		two, five := variantOf(rules.Notakto(2)), variantOf(rules.Notakto(5))
		ann := b.comeTo(keyed("ann"), start.Start{At: start.Queue, Terms: match.Terms{Variant: two}})
		b.comeTo(keyed("bob"), start.Start{At: start.Queue, Terms: match.Terms{Variant: five}})
		ann.mustSee("g play with bob")
		ann.take(keyPress("g"))
		ann.send(failedMsg{nil, match.ErrTooMany})
		if tableOf(ann.screen) == nil {
			t.Errorf("ann does not play:\n%s", ann.sees())
		}
	})
}

func variantOf(v rules.Variant, err error) rules.Variant {
	if err != nil {
		panic(err)
	}
	return v
}

func TestThePlayerChoosesToMeetPeopleOnly(t *testing.T) {
	inBubble(t, func(b *harness) {
		ann := b.come(keyed("ann"))
		ann.press("enter down left left")
		ann.mustSee("with people", "One unrated match against a person.", "Boards")
		ann.press("up enter")
		program := client.New(b.manager)
		program.IsBot = true
		defer program.Close()
		_, err := program.Seek(b.Context(), keyed("robot"), match.DefaultAccepted()...)
		testkit.OK(t, err)
		b.rest()
		ann.mustSee("Waiting for an opponent")
		bob := b.come(keyed("bob"))
		bob.press("1")
		ann.mustSee("ann (you)", "bob")
	})
}

func TestARefusedPlaceLeadsToTheLobby(t *testing.T) {
	inBubble(t, func(b *harness) {
		ann := b.comeTo(keyed("ann"), start.Start{At: start.Queue})
		ann.run(ann.env.search.drop())
		b.rest()
		ann.send(navigation(func(r *Root) tea.Cmd { return r.refuseSeek(match.ErrDraining) }))
		ann.mustSee("Play someone", "No new matches begin here now.")
	})
}

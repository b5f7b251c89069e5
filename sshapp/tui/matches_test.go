package tui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/start"
)

// Who is at another screen while the time at a table runs out is told so there, and called back: it was told in the
// lobby only.
func TestWhoIsElsewhereIsCalledBack(t *testing.T) {
	for name, elsewhere := range map[string]struct{ keys, says string }{
		"the rules":     {"5", "It is your turn! Press o to go over within "},
		"the computer":  {"2", "It is your turn! Press o to go over within "},
		"a code":        {"3", "It is your turn! Press o to go over within "},
		"watching":      {"4", "It is your turn! Press o to go over within "},
		"another table": {"2 enter", "Your turn at the other table! Press o to go over within "},
		"the queue":     {"right 1", "It is your turn! Press o to go over within "},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(b *harness) {
				first, second := b.pair("notakto/3")
				b.play(first, second, "A5")
				first.press("q y " + elsewhere.keys)
				first.mustNotSee("go over")
				rings := first.Bell()
				second.press("1")
				b.advance(2 * time.Second)
				first.mustSee(elsewhere.says + "58 s, or you lose.")
				first.mustBeTitled(alertTitle)
				if got := first.Bell() - rings; got != 1 {
					t.Errorf("%d bells", got)
				}
				first.press("o")
				first.mustSee(second.Player().Name, "Your turn")
				first.mustNotSee("go over")
			})
		})
	}
}

// A match that was lost while its player was away is told of at once, and the lobby leads to how it ended, once.
func TestAPlayerElsewhereIsShownTheEnd(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, _ := b.pair("notakto/3")
		first.press("q y 5")
		b.advance(62 * time.Second)
		first.mustSee("Your other match is over. The first screen shows how it ended.")
		first.mustNotSee("go over")
		first.press("esc")
		first.mustSee("You were away: Enter shows it, x clears  ", "You lost to bob (3 boards)")
		first.press("enter")
		first.mustSee("You stayed away too long.")
		first.press("esc")
		first.mustNotSee("You were away", "You lost to")
	})
}

// A match that the player has seen the end of is no news.
func TestTheEndThatWasSeenIsNoNews(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/1")
		b.play(first, second, "A5", "A1", "A2", "A9")
		for _, p := range []*person{first, second} {
			p.press("esc")
			p.mustNotSee("is over", "You were away", "match on")
		}
	})
}

// The match that is lost first is told of, and none against the computer, which is kept.
func TestTheMoreUrgentAlertIsShown(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, _ := b.pair("notakto/3")
		first.press("q y 2 enter q y")
		b.advance(time.Second)
		first.mustSee("within 59 s, or the match ends")
		b.advance(time.Minute)
		first.mustSee("against novice, your turn", "You lost to bob (3 boards)")
		first.mustNotSee("or the match ends")
	})
}

// A player who pressed the key twice before the other table came up had two seats at the first: it was never left
// again.
func TestGoingOverTwiceParksOnce(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		b.play(first, second, "A5")
		first.press("q y 2 enter")
		computer := tableOf(first.screen).ID
		second.press("1")
		b.advance(2 * time.Second)
		first.take(keyPress("o"))
		first.take(keyPress("o"))
		first.rest()
		first.mustSee(second.Player().Name, "Your turn")
		first.run(first.goTo(computer))
		first.rest()
		if n := len(first.matches.background); n != 0 {
			t.Errorf("%d matches wait to be shown", n)
		}
		first.press("q y")
		b.advance(62 * time.Second)
		first.mustSee("You lost to bob (3 boards)")
	})
}

// What has become of the matches of another player is no news: a guest's code leads to another player's seat.
func TestWhoBecomesAnotherLosesNoMatch(t *testing.T) {
	inBubble(t, func(b *harness) {
		old := b.comeTo(guest("guest-1"), start.Start{At: start.Computer, Side: rules.First})
		code := tableOf(old.screen).SeatState(rules.First).Code
		old.press("q y")
		old.Close()
		b.rest()
		back := b.comeTo(guest("guest-2"), start.Start{At: start.Computer, Side: rules.First})
		back.press("q y")
		b.advance(2 * time.Second)
		back.run(back.env.join(code))
		b.rest()
		back.mustNotSee("is over")
		back.press("q y")
		back.mustNotSee(", over")
	})
}

// The running time takes the place of a refusal, and other news does not take that of a warning.
func TestWhatIsMoreUrgentIsRead(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		b.play(first, second, "A5")
		first.press("q y")
		first.send(failed{nil, match.ErrTooMany})
		first.mustSee("Too many matches")
		second.press("1")
		b.advance(2 * time.Second)
		first.mustSee("go over within 58 s, or you lose.")
		first.press("5")
		b.advance(56 * time.Second)
		first.send(Notice("Still there?"))
		b.advance(4 * time.Second)
		first.mustSee("Still there?")
	})
}

// The result of a match that ended while its player was away stands in the lobby until the player has seen it, whatever
// keys are pressed, however often the player comes, and also after a restart of the server.
func TestAnUnseenResultStaysUntilItIsSeen(t *testing.T) {
	inBubbleWithHistory(t, func(b *harness, restart func()) {
		first, second := b.pair("notakto/3")
		ann, bob := first.Player(), second.Player()
		first.Close()
		b.advance(2 * time.Minute)
		again := b.come(ann)
		again.mustSee("You were away: Enter shows it, x clears  ", "You lost to bob (3 boards)")
		again.press("t t t 5 esc")
		again.mustSee("You lost to bob (3 boards)")
		again.send(tea.WindowSizeMsg{Width: 40, Height: 16})
		again.mustSee("You were away: Enter shows, x clears", "You lost to bob (3 boards)")
		again.Close()
		restart()
		again = b.come(ann)
		again.mustSee("You lost to bob (3 boards)")
		again.press("enter")
		again.mustSee("You stayed away too long.")
		again.press("esc")
		again.mustNotSee("You were away", "You lost to")
		b.come(ann).mustNotSee("You were away", "You lost to")
		b.come(bob).mustNotSee("You were away", "You won")
	})
}

// A player who wants none of the results clears them with a key.
func TestUnseenResultsCanBeCleared(t *testing.T) {
	inBubbleWithHistory(t, func(b *harness, _ func()) {
		for range 4 {
			first, second := b.pair("notakto/3")
			if first.Player().Name == "bob" {
				first, second = second, first
			}
			first.Close()
			second.press("r y")
			second.Close()
			b.advance(time.Minute)
		}
		ann := b.come(keyed("ann"))
		ann.mustSee("You won against bob (3 boards)", "and 1 other")
		ann.press("x")
		ann.mustNotSee("You were away", "You won against")
		b.come(keyed("ann")).mustNotSee("You were away", "You won against")
	})
}

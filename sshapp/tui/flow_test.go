package tui

import (
	"strings"
	"testing"
	"time"

	"notakto/rules"
	"notakto/rules/strategy"
)

// Two people find each other in the queue, play a match to its end, and both see who won and why; both want a rematch and get one.
func TestMatchOfTwo(t *testing.T) {
	inBubble(t, func(b *bed) {
		ann, bob := b.come(keyed("ann")), b.come(keyed("bob"))
		ann.press("left left enter")
		ann.mustSee("Waiting for an opponent on 1 board", "you are the only one waiting")
		bob.press("left left enter")
		first, second := ann, bob
		if sittingOf(bob.screen).mine() {
			first, second = bob, ann
		}
		first.mustSee("Your turn", "(you)")
		second.mustSee(first.Player().Name + "'s turn")
		second.press("5")
		second.mustSee("It is not your turn yet.")
		b.play(first, second, "A5", "A1", "A8", "A6", "A3")
		second.press("4")
		second.mustSee("You lost", "You made three in a row.")
		first.mustSee("You won", second.Player().Name+" made three in a row.")

		first.press("enter")
		first.mustSee("You want a rematch. Waiting for " + second.Player().Name)
		second.mustSee(first.Player().Name + " wants a rematch")
		second.press("enter")
		second.mustSee("Your turn")
		first.mustSee(second.Player().Name + "'s turn")
		second.press("7")
		first.mustSee("Your turn", "(A7)")
	})
}

// A whole match against each level, played with the digits, ends with a result.
func TestMatchAgainstComputer(t *testing.T) {
	for _, level := range strategy.Levels() {
		t.Run(level.String(), func(t *testing.T) {
			inBubble(t, func(b *bed) {
				p := b.comeTo(keyed("ann"), Start{Door: AtComputer, Level: level, Side: rules.Second})
				for range 30 {
					at := sittingOf(p.screen)
					if at.Over() {
						break
					}
					move := at.Position.Legal()[0].String()
					p.press(move[:1])
					p.press(move[1:])
				}
				p.mustSee("killed the last board", "review", "rematch")
			})
		})
	}
}

// The computer screen gives what was chosen on it.
func TestComputerChoices(t *testing.T) {
	inBubble(t, func(b *bed) {
		p := b.come(keyed("ann"))
		p.press("2 right down 5 right down right")
		p.mustSee("perfect", "6 boards", "me")
		p.press("enter")
		at := sittingOf(p.screen)
		if at == nil || at.Variant.Boards() != 6 || at.side != rules.First || at.Chair(rules.Second).Player.Level != strategy.Perfect {
			t.Fatalf("not what was chosen:\n%s", p.sees())
		}
		p.mustSee("perfect (computer)", "Your turn")
	})
}

// Who resigns is asked first, loses then, and both are told.
func TestResign(t *testing.T) {
	inBubble(t, func(b *bed) {
		first, second := b.pair("notakto/3")
		first.press("r")
		first.mustSee("Resign this match?")
		first.press("5 n")
		first.mustNotSee("Resign this match?")
		if len(sittingOf(first.screen).Moves) > 0 {
			t.Fatal("a key that was for the question placed a mark")
		}
		first.press("r y")
		first.mustSee("You lost", "You resigned.")
		second.mustSee("You won", first.Player().Name+" resigned.")
	})
}

// Who leaves keeps the seat, and finds the way back at the top of the lobby. The opponent is told both times.
func TestLeaveAndReturn(t *testing.T) {
	inBubble(t, func(b *bed) {
		first, second := b.pair("notakto/3")
		b.play(first, second, "A5", "B5")
		first.press("q")
		first.mustSee("Your seat is kept; you have 60 s")
		first.press("y")
		first.mustSee("You have a match on: Enter returns", "3 boards against "+second.Player().Name+", 2 moves")
		second.mustSee("(away)", "60 s to come back")
		b.pass(20 * time.Second)
		second.mustSee("40 s to come back")
		first.press("enter")
		first.mustSee("Your turn", "(B5)")
		second.mustSee(first.Player().Name + " is back.")
		second.mustNotSee("(away)")
	})
}

// Whoever stays away too long on their own turn has lost, and both are told why.
func TestAbandoned(t *testing.T) {
	inBubble(t, func(b *bed) {
		first, second := b.pair("notakto/3")
		first.press("q y")
		b.pass(61 * time.Second)
		second.mustSee("You won", first.Player().Name+" stayed away too long.")
		first.press("enter")
		first.mustSee("You lost", "You stayed away too long.")
	})
}

// A session that ends gives its seat up; the same player's next session is offered the way back.
func TestNextSession(t *testing.T) {
	inBubble(t, func(b *bed) {
		first, second := b.pair("notakto/3")
		first.Close()
		b.rest()
		second.mustSee("(away)")
		again := b.come(first.Player())
		again.mustSee("You have a match on")
		again.press("enter 5")
		second.mustSee("Your turn", "(A5)")
		second.mustNotSee("(away)")
	})
}

// A private table shows its code, and whoever types it sits down opposite.
func TestPrivateTable(t *testing.T) {
	inBubble(t, func(b *bed) {
		ann, bob := b.come(keyed("ann")), b.come(keyed("bob"))
		ann.press("3 4 enter")
		ann.mustSee("Your private table: 4 boards")
		code := string(sittingOf(ann.screen).Code)
		if len(code) != codeLength {
			t.Fatalf("code %q", code)
		}
		rings := ann.Bell()
		bob.press("3 down")
		bob.press(strings.Join(strings.Split(strings.ToLower(code), ""), " "))
		bob.press("enter")
		bob.mustSee("4 boards", "'s turn")
		ann.mustSee("4 boards", "Your turn")
		if ann.Bell() == rings {
			t.Error("no bell when the guest sat down")
		}
	})
}

// A code that leads nowhere says so, and can be corrected.
func TestWrongCode(t *testing.T) {
	inBubble(t, func(b *bed) {
		p := b.come(keyed("ann"))
		p.press("3 down Z Z 9 9 enter")
		p.mustSee("No table has this code.")
		p.press("backspace")
		p.mustNotSee("No table has this code.")
		p.press("enter esc")
		p.mustSee("Play someone")
	})
}

// A table that nobody came to can be cleared.
func TestClearTable(t *testing.T) {
	inBubble(t, func(b *bed) {
		p := b.comeTo(keyed("ann"), Start{Door: AtPrivate})
		p.press("q")
		p.mustSee("Clear this table?")
		p.press("y")
		p.mustSee("That table was cleared.", "Play someone")
		p.mustNotSee("You have a match on")
	})
}

// A guest's table shows the way back, and it leads another session to the same seat.
func TestGuestWayBack(t *testing.T) {
	inBubble(t, func(b *bed) {
		p := b.comeTo(guest("guest-1"), Start{Door: AtComputer, Side: rules.First})
		code := sittingOf(p.screen).Chair(rules.First).Code
		p.mustSee("your way back: " + string(code))
		p.press("5")
		p.Close()
		b.rest()
		back := b.comeTo(guest("guest-2"), Start{Door: AtCode, Code: code})
		back.mustSee("guest-1 (you)", "Your turn")
		if back.Player().ID != guest("guest-1").ID {
			t.Errorf("plays as %s", back.Player().ID)
		}
	})
}

// After 15 seconds the computer is offered, and the place in the queue is kept while it is played; the opponent who comes is announced
// by a bell, the window's title and a notice, and the match with the computer can be returned to.
func TestComputerMeanwhile(t *testing.T) {
	inBubble(t, func(b *bed) {
		ann := b.comeTo(keyed("ann"), Start{Door: AtQueue})
		b.pass(14 * time.Second)
		ann.mustNotSee("Nobody yet")
		b.pass(2 * time.Second)
		ann.mustSee("0:16", "Nobody yet. Play the computer meanwhile?")
		ann.press("c down down right enter 5")
		ann.mustSee("club (computer)", "in the queue", "Your turn")
		rings := ann.Bell()
		b.comeTo(keyed("bob"), Start{Door: AtQueue})
		ann.mustSee("Opponent found! Press o to go over.", "club (computer)")
		if ann.Bell() == rings || !strings.HasPrefix(ann.View().WindowTitle, "● Opponent found") {
			t.Errorf("bell %d after %d, title %q", ann.Bell(), rings, ann.View().WindowTitle)
		}
		ann.press("o")
		ann.mustSee("bob")
		ann.mustNotSee("club")
		b.pass(90 * time.Second)
		ann.press("q y")
		ann.mustSee("against club, 2 moves", "against bob")
		ann.press("down enter")
		if at := sittingOf(ann.screen); at == nil {
			t.Fatalf("nowhere:\n%s", ann.sees())
		}
	})
}

// Leaving the queue gives the place up: the next one to come waits.
func TestStopWaiting(t *testing.T) {
	inBubble(t, func(b *bed) {
		ann := b.comeTo(keyed("ann"), Start{Door: AtQueue})
		ann.press("esc")
		ann.mustSee("Play someone")
		bob := b.comeTo(keyed("bob"), Start{Door: AtQueue})
		bob.mustSee("you are the only one waiting")
	})
}

// The lobby knows of a place in the queue that is still held, and leads back to it.
func TestBackToQueue(t *testing.T) {
	inBubble(t, func(b *bed) {
		ann := b.comeTo(keyed("ann"), Start{Door: AtQueue})
		ann.press("c esc")
		ann.mustSee("Back to the queue")
		ann.press("enter")
		ann.mustSee("you are the only one waiting")
		b.comeTo(keyed("bob"), Start{Door: AtQueue})
		ann.mustSee("bob", "(you)")
	})
}

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
		cleo.mustSee("(A5)", second.Player().Name+"'s turn")
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

// A server that stops tells who asks for a match, and who waits.
func TestDraining(t *testing.T) {
	inBubble(t, func(b *bed) {
		ann, bob := b.come(keyed("ann")), b.comeTo(keyed("bob"), Start{Door: AtQueue})
		b.manager.Drain()
		b.rest()
		bob.mustSee("The queue was closed: no pairing now.")
		ann.press("1")
		ann.mustSee("The server stops: no new matches.")
	})
}

// A table that closes under its players leads them to the lobby.
func TestTableCloses(t *testing.T) {
	inBubble(t, func(b *bed) {
		first, _ := b.pair("notakto/3")
		b.manager.Close()
		b.rest()
		first.mustSee("The table has closed", "Play someone")
	})
}

// The place that a person takes in a queue is given back when the session ends.
func TestCloseGivesPlaceUp(t *testing.T) {
	inBubble(t, func(b *bed) {
		ann := b.comeTo(keyed("ann"), Start{Door: AtQueue})
		ann.Close()
		b.rest()
		if n := b.manager.Lobby().Waiting(rules.DefaultVariant()); n != 0 {
			t.Errorf("%d wait after the session has ended", n)
		}
	})
}

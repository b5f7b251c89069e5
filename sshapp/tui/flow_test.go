package tui

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"notakto/match"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/start"
	"notakto/sshapp/tui/draw"
)

// Two people find each other in the queue, play a match to its end, and both see who won and why; both want a rematch
// and get one.
func TestMatchOfTwo(t *testing.T) {
	inBubble(t, func(b *harness) {
		ann, bob := b.come(keyed("ann")), b.come(keyed("bob"))
		ann.press("enter 1 enter")
		ann.mustSee("Waiting for an opponent", "1 board", "No one else is waiting.")
		bob.press("right 1 enter")
		first, second := ann, bob
		if tableOf(bob.screen).IsMyTurn() {
			first, second = bob, ann
		}
		first.mustSee("Your turn", "(you)")
		second.mustSee(first.Player().Name + "'s turn")
		second.press("5")
		second.mustSee("It is not your turn yet.")
		b.play(first, second, "A5", "A1", "A8", "A6", "A3")
		second.press("4")
		second.mustSee("You made three in a row.")
		first.mustSee(second.Player().Name + " made three in a row.")

		first.press("enter")
		first.mustSee("You want a rematch. Waiting for " + second.Player().Name)
		second.mustSee(first.Player().Name + " wants a rematch")
		second.press("enter")
		second.mustSee("Your turn")
		first.mustSee(second.Player().Name + "'s turn")
		second.press("7")
		first.mustSee("Your turn", "A7")
	})
}

// Who waits for an answer to an offer of a rematch, and begins another match in a second window, no longer offers one.
func TestAnOfferOfARematchEndsWithAnotherMatch(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/1")
		b.play(first, second, "A5", "A1", "A2", "A8")
		first.press("enter")
		first.mustSee("You want a rematch.")
		_, err := b.manager.Play(b.Context(), first.Player(), match.DefaultTerms(), strategy.Novice, rules.First)
		if err != nil {
			t.Fatal(err)
		}
		b.rest()
		first.mustSee("You have begun another match: your offer of a rematch has ended.")
		second.mustSee(first.Player().Name + " has begun another match: no rematch for now.")
		for _, width := range []int{40, 80} {
			first.resize(width, width*3/10+4)
			second.resize(width, width*3/10+4)
			first.mustSee("our offer of a rematch has ended.")
			second.mustSee("o rematch")
		}
		second.press("enter")
		second.mustSee(first.Player().Name + " has begun another match: no rematch for now.")
	})
}

// A whole match against each level, played with the digits, ends with a result.
func TestMatchAgainstComputer(t *testing.T) {
	for _, level := range strategy.Levels() {
		t.Run(level.String(), func(t *testing.T) {
			inBubble(t, func(b *harness) {
				p := b.comeTo(keyed("ann"), start.Start{At: start.Computer, Level: level, Side: rules.Second})
				for range 30 {
					at := tableOf(p.screen)
					if at.Over() {
						break
					}
					move := at.Position.Legal()[0].String()
					p.press(move[:1])
					p.press(move[1:])
				}
				switch at := tableOf(p.screen); {
				case at.Outcome.Winner != at.Side:
					p.mustSee("You killed the last board", "v why", "s share")
					if strings.Contains(p.sees(), "Nobody slipped: moving first decided it.") {
						p.mustSee("Enter the other seat")
					} else {
						p.mustSee("Enter try again")
					}
				case level == strategy.Novice:
					p.mustSee("novice killed the last board", "Enter next: learner", "v review")
				default:
					p.mustSee(level.String()+" killed the last board", "v review")
				}
			})
		})
	}
}

// Who had chosen to move first against the computer, and had won, moved second against the next level.
func TestTheNextLevelKeepsWhoMovesFirst(t *testing.T) {
	inBubble(t, func(b *harness) {
		rng := rand.New(rand.NewPCG(1, 2))
		p := b.come(keyed("ann"))
		p.press("2 1 down down right")
		p.mustSee("◂      me       ▸")
		p.press("enter")
		for at := tableOf(p.screen); at.IsPlaying(); at = tableOf(p.screen) {
			p.press(strategy.Perfect.Choose(at.Position, rng).Cell.String())
			b.advance(time.Second)
		}
		p.mustSee("Enter next: learner")
		p.press("enter")
		if at := tableOf(p.screen); at == nil || at.Over() || at.Side != rules.First {
			t.Errorf("the player does not move first:\n%s", p.sees())
		}
		p.press("q y 2")
		p.mustSee("◂      me       ▸")
	})
}

// After a win Enter leads to the next level, with the other seat, and the lobby offers that, also after a new login.
func TestEnterAfterAWinPlaysTheNextLevel(t *testing.T) {
	inBubbleWithHistory(t, func(b *harness, restart func()) {
		rng := rand.New(rand.NewPCG(1, 2))
		one, _ := rules.Notakto(1)
		p := b.comeTo(keyed("ann"), start.Start{
			At: start.Computer, Level: strategy.Novice, Side: rules.First, Terms: match.Terms{Variant: one},
		})
		for at := tableOf(p.screen); at.IsPlaying(); at = tableOf(p.screen) {
			p.press(strategy.Perfect.Choose(at.Position, rng).Cell.String())
			b.advance(time.Second)
		}
		p.mustSee("Enter next: learner")
		p.press("enter enter")
		at := tableOf(p.screen)
		if at == nil || at.Over() || at.Side != rules.Second || at.Variant != one ||
			at.SeatState(rules.First).Player.Level != strategy.Learner || len(b.manager.MatchesOf(p.env.player.ID)) != 1 {
			t.Fatalf("not at the next level:\n%s", p.sees())
		}
		p.press("r y")
		p.mustSee("Enter try again", "v why")
		p.press("enter")
		at = tableOf(p.screen)
		if at == nil || at.Over() || at.SeatState(rules.Second).Player.Level != strategy.Learner {
			t.Fatalf("not at the same level:\n%s", p.sees())
		}
		p.press("r y esc")
		p.mustSee("Play the computer", "learner")
		restart()
		b.come(keyed("ann")).mustSee("Play the computer", "learner")
	})
}

// The computer screen gives what was chosen on it.
func TestComputerChoices(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.come(keyed("ann"))
		p.press("2 right right down 5 right down right")
		p.mustSee("steady", "3 of 6: slips on 3 moves in 10.", "6 boards", "me")
		p.press("enter")
		at := tableOf(p.screen)
		if at == nil || at.Variant.Boards() != 6 || at.Side != rules.First ||
			at.SeatState(rules.Second).Player.Level != strategy.Steady {
			t.Fatalf("not what was chosen:\n%s", p.sees())
		}
		p.mustSee("steady (computer)", "Your turn")
	})
}

// A player who has beaten a level is offered the one above, and sees which are beaten.
func TestTheNextRungIsOffered(t *testing.T) {
	inBubble(t, func(b *harness) {
		p, rng := b.come(keyed("ann")), rand.New(rand.NewPCG(1, 2))
		p.press("2")
		p.mustSee("novice", "1 of 6")
		p.press("1 down down right enter")
		for at := tableOf(p.screen); at.IsPlaying(); at = tableOf(p.screen) {
			p.press(strategy.Perfect.Choose(at.Position, rng).Cell.String())
			b.advance(5 * time.Second)
		}
		p.press("q 2")
		p.mustSee("learner", "2 of 6")
		p.mustSee("novice   1195 ✓")
		p.mustNotSee("1330 ✓")
		p.press("esc 6")
		p.mustSee("1195 ✓")
	})
}

// Who resigns is asked first, loses then, and both are told.
func TestResign(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		first.press("r")
		first.mustSee("Resign this match?")
		first.press("5 n")
		first.mustNotSee("Resign this match?")
		if len(tableOf(first.screen).Moves) > 0 {
			t.Fatal("a key that was for the question placed a mark")
		}
		first.press("r y")
		first.mustSee("You resigned.")
		second.mustSee(first.Player().Name + " resigned.")
	})
}

// Which slip was the last is beside the point when the end itself was the worse slip.
func TestResigningAWonPosition(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/1")
		b.play(first, second, "A1", "A2")
		first.press("r y")
		first.mustSee("You resigned a won position.")
		second.mustSee(first.Player().Name + " resigned a won position.")
		first.mustNotSee("last slip")
		first.resize(40, 16)
		first.mustSee(" You lost  You resigned.")
	})
}

// A computer takes a rematch at once, with the seats swapped; a terminal without any attributes says whose turn it is
// all the same.
func TestRematchWithComputer(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.comeTo(keyed("ann"), start.Start{At: start.Computer, Side: rules.First})
		p.env.use(draw.NewTheme(draw.Auto, colorprofile.NoTTY, draw.ASCII))
		p.mustSee("| ann (you)", ">> Your turn <<")
		p.press("r y enter")
		p.mustSee("ann (you) |", ">> Your turn <<")
		if n := len(tableOf(p.screen).Moves); n != 1 {
			t.Errorf("%d moves in a match that the computer begins", n)
		}
	})
}

// Who left before the first move was told of more time than that has.
func TestLeavingBeforeTheFirstMove(t *testing.T) {
	inBubbleWith(t, manager.Config{FirstMove: 30 * time.Second}, func(b *harness) {
		first, _ := b.pair("notakto/3")
		first.press("q")
		first.mustSee("Your seat is kept; you have 30 s")
	})
}

// Who leaves keeps the seat, and finds the resume code at the top of the lobby. The opponent is told both times.
func TestLeaveAndReturn(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		b.play(first, second, "A5", "B5")
		first.press("q")
		first.mustSee("Your seat is kept; you have 60 s")
		first.press("y")
		first.mustSee("Your match goes on: Enter returns", "3 boards against "+second.Player().Name+", your turn",
			"It is your turn")
		second.mustSee("(away)", "60 s to come back")
		b.advance(20 * time.Second)
		second.mustSee("40 s to come back")
		first.press("enter")
		first.mustSee("Your turn", "B5")
		second.mustSee(first.Player().Name + " is back.")
		second.mustNotSee("(away)")
	})
}

// What a hasty key was answered stood where the seconds are counted, until another key.
func TestTheSecondsOfWhoIsAwayAreNotHidden(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		first.press("q y")
		second.press("5")
		second.mustSee("It is not your turn yet.")
		b.advance(2 * time.Second)
		second.mustNotSee("It is not your turn yet.")
		second.mustSee("58 s to come back")
	})
}

// A player who stays away too long on their own turn has lost, and both are told why.
func TestAbandoned(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		first.press("q y")
		b.advance(61 * time.Second)
		second.mustSee(first.Player().Name + " stayed away too long.")
		first.press("enter")
		first.mustSee("You stayed away too long.")
	})
}

// A session that ends gives its seat up; the same player's next session is offered the resume code.
func TestNextSession(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		first.Close()
		b.rest()
		second.mustSee("(away)")
		again := b.come(first.Player())
		again.mustSee("Your match goes on")
		again.press("enter 5")
		second.mustSee("Your turn", "A5")
		second.mustNotSee("(away)")
	})
}

// A table that closes under its players leads them to the lobby.
func TestTableCloses(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, _ := b.pair("notakto/3")
		b.manager.Close()
		b.rest()
		first.mustSee("The table closed", "Play someone")
	})
}

// Keys that were typed ahead gave a match up before its player could read the question.
func TestResigningTakesAMoment(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, _ := b.pair("notakto/3")
		first.send(keyPress("r"))
		first.send(keyPress("y"))
		first.mustSee("Resign this match?")
		b.advance(first.dialog.readTime)
		first.send(keyPress("y"))
		first.mustSee("You resigned.")
	})
}

// The bell rang at every answer of the computer.
func TestBellIsForBackgroundTables(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		first.press("5")
		rings := first.Bell()
		b.advance(watchedFor - time.Second)
		second.press("B 5")
		if first.Bell() != rings {
			t.Error("it rings for who has just pressed a key")
		}
		first.press("C 5")
		b.advance(watchedFor)
		second.press("A 1")
		if first.Bell() != rings+1 {
			t.Error("it does not ring for who has pressed no key for a while")
		}
	})
}

package tui

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/start"
	"notakto/sshapp/tui/draw"
)

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

func TestAnOfferOfARematchEndsWithAnotherMatch(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/1")
		b.play(first, second, "A5", "A1", "A2", "A8")
		first.press("enter")
		first.mustSee("You want a rematch.")
		_, err := b.manager.PlayComputer(b.Context(), first.Player(), match.DefaultTerms(), strategy.Novice,
			rules.First)
		testkit.OK(t, err)
		b.rest()
		first.mustSee("You have begun another match, so your rematch offer has ended.")
		second.mustSee(first.Player().Name + " has begun another match: no rematch for now.")
		for _, width := range []int{40, 80} {
			first.resize(width, width*3/10+4)
			second.resize(width, width*3/10+4)
			first.mustSee("our rematch offer has ended.")
			second.mustSee("o rematch")
		}
		second.press("enter")
		second.mustSee(first.Player().Name + " has begun another match: no rematch for now.")
	})
}

func TestMatchAgainstComputer(t *testing.T) {
	for _, level := range strategy.Levels() {
		t.Run(level.String(), func(t *testing.T) {
			inBubble(t, func(b *harness) {
				p := b.comeTo(keyed("ann"), start.Start{At: start.Computer, Level: level, Side: rules.Second})
				for range 30 {
					table := tableOf(p.screen)
					if table.IsOver() {
						break
					}
					move := table.Position.LegalMoves()[0].String()
					p.press(move[:1])
					p.press(move[1:])
				}
				switch table := tableOf(p.screen); {
				case table.Outcome.Winner != table.Side:
					p.mustSee("You killed the last board", "v why", "s share")
					if strings.Contains(p.sees(), "Nobody slipped: moving first decided it.") {
						p.mustSee("Enter swap seats")
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

func TestTheNextLevelKeepsWhoMovesFirst(t *testing.T) {
	inBubble(t, func(b *harness) {
		rng := rand.New(rand.NewPCG(1, 2))
		p := b.come(keyed("ann"))
		p.press("2 1 down down right")
		p.mustSee("◂      me       ▸")
		p.press("enter")
		for table := tableOf(p.screen); table.IsPlaying(); table = tableOf(p.screen) {
			p.press(strategy.Perfect.Choose(table.Position, rng).Cell.String())
			b.advance(time.Second)
		}
		p.mustSee("Enter next: learner")
		p.press("enter")
		if table := tableOf(p.screen); table == nil || table.IsOver() || table.Side != rules.First {
			t.Errorf("the player does not move first:\n%s", p.sees())
		}
		p.press("q y 2")
		p.mustSee("◂      me       ▸")
	})
}

func TestEnterAfterAWinPlaysTheNextLevel(t *testing.T) {
	inBubbleWithHistory(t, func(b *harness, restart func()) {
		rng := rand.New(rand.NewPCG(1, 2))
		one, _ := rules.Notakto(1)
		p := b.comeTo(keyed("ann"), start.Start{
			At: start.Computer, Level: strategy.Novice, Side: rules.First, Terms: match.Terms{Variant: one},
		})
		for table := tableOf(p.screen); table.IsPlaying(); table = tableOf(p.screen) {
			p.press(strategy.Perfect.Choose(table.Position, rng).Cell.String())
			b.advance(time.Second)
		}
		p.mustSee("Enter next: learner")
		p.press("enter enter")
		table := tableOf(p.screen)
		if table == nil || table.IsOver() || table.Side != rules.Second || table.Variant != one ||
			table.Seat(rules.First).Player.Level != strategy.Learner ||
			len(b.manager.PlayerMatches(p.env.player.ID)) != 1 {
			t.Fatalf("not at the next level:\n%s", p.sees())
		}
		p.press("r y")
		p.mustSee("Enter try again", "v why")
		p.press("enter")
		table = tableOf(p.screen)
		if table == nil || table.IsOver() || table.Seat(rules.Second).Player.Level != strategy.Learner {
			t.Fatalf("not at the same level:\n%s", p.sees())
		}
		p.press("r y esc")
		p.mustSee("Play the computer", "learner")
		restart()
		b.come(keyed("ann")).mustSee("Play the computer", "learner")
	})
}

func TestComputerChoices(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.come(keyed("ann"))
		p.press("2 right right down 5 right down right")
		p.mustSee("steady", "3 of 6: slips on 3 moves in 10.", "6 boards", "me")
		p.press("enter")
		table := tableOf(p.screen)
		if table == nil || table.Variant.Boards() != 6 || table.Side != rules.First ||
			table.Seat(rules.Second).Player.Level != strategy.Steady {
			t.Fatalf("not what was chosen:\n%s", p.sees())
		}
		p.mustSee("steady (computer)", "Your turn")
	})
}

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

// The terminal here has no attributes, and must still show the player's turn.
func TestRematchWithComputer(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.comeTo(keyed("ann"), start.Start{At: start.Computer, Side: rules.First})
		p.env.setTheme(draw.NewTheme(draw.Auto, colorprofile.NoTTY, draw.ASCII))
		p.mustSee("| ann (you)", ">> Your turn <<")
		p.press("r y enter")
		p.mustSee("ann (you) |", ">> Your turn <<")
		testkit.Equal(t, len(tableOf(p.screen).Moves), 1)
	})
}

func TestLeavingBeforeTheFirstMove(t *testing.T) {
	inBubbleWith(t, manager.Config{FirstMove: 30 * time.Second}, func(b *harness) {
		first, _ := b.pair("notakto/3")
		first.press("q")
		first.mustSee("Your seat is kept; you have 30 s")
	})
}

func TestLeaveAndReturn(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		b.play(first, second, "A5", "B5")
		first.press("q")
		first.mustSee("Your seat is kept; you have 60 s")
		first.press("y")
		first.mustSee("Match in progress. Enter to return", "3 boards against "+second.Player().Name+", your turn",
			"Your move against bob")
		second.mustSee("(away)", "60 s to come back")
		b.advance(20 * time.Second)
		second.mustSee("40 s to come back")
		first.press("enter")
		first.mustSee("Your turn", "B5")
		second.mustSee(first.Player().Name + " is back.")
		second.mustNotSee("(away)")
	})
}

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

func TestTableCloses(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, _ := b.pair("notakto/3")
		b.manager.Close()
		b.rest()
		first.mustSee("The table closed", "Play someone")
	})
}

func TestBellIsForBackgroundTables(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		first.press("5")
		rings := first.Bell()
		b.advance(attentiveFor - time.Second)
		second.press("B 5")
		testkit.Equal(t, first.Bell(), rings, "it rings for who has just pressed a key")
		first.press("C 5")
		b.advance(attentiveFor)
		second.press("A 1")
		testkit.Equal(t, first.Bell(), rings+1, "it does not ring for who has pressed no key for a while")
	})
}

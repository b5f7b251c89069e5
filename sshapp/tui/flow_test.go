package tui

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
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
		first.press("q")
		first.mustSee("Your seat is kept; you have 60 s")
		first.press("y")
		first.mustSee("Match in progress. Enter to return", "1 board against "+second.Player().Name+", your turn")
		first.press("enter r")
		first.mustSee("Your turn", "A7", "Resign this match?")
		first.press("5 n")
		first.mustNotSee("Resign this match?")
		testkit.Equal(t, len(tableOf(first.screen).Moves), 1, "a key that was for the question placed a mark")
		first.press("r y")
		first.mustSee("You resigned")
		second.mustSee(first.Player().Name + " resigned")
	})
}

func TestAnOfferOfARematchEndsWithAnotherMatch(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/1", "A5", "A1", "A2", "A8")
		first.press("enter")
		first.mustSee("You want a rematch.")
		_, err := b.manager.PlayComputer(b.Context(), first.Player(), match.DefaultTerms(), strategy.Novice,
			rules.First)
		testkit.OK(t, err)
		b.rest()
		second.mustSee(first.Player().Name + " has begun another match: no rematch for now.")
		for _, width := range []int{40, 80} {
			first.resize(width, width*3/10+4)
			second.resize(width, width*3/10+4)
			first.mustSee("our rematch offer has ended.")
			second.mustSee("o rematch")
		}
	})
}

// The terminal here has no attributes, and must still show the player's turn.
func TestAgainstTheComputer(t *testing.T) {
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
		p.env.setTheme(draw.NewTheme(draw.Auto, colorprofile.NoTTY, draw.ASCII))
		p.mustSee("steady (computer)", "| ann (you)", ">> Your turn <<")
		p.press("r y enter")
		p.mustSee("ann (you) |", ">> Your turn <<")
		b.manager.Close()
		b.rest()
		p.mustSee("The table closed", "Play someone")
	})
}

func TestEnterAfterAWinPlaysTheNextLevel(t *testing.T) {
	inBubbleWithHistory(t, func(b *harness, restart func()) {
		rng := rand.New(rand.NewPCG(1, 2))
		one, _ := rules.Notakto(1)
		p := b.come(keyed("ann"))
		p.press("2 1 down down right")
		p.mustSee("◂      me       ▸")
		p.press("enter")
		for table := tableOf(p.screen); table.IsPlaying(); table = tableOf(p.screen) {
			p.press(strategy.Perfect.Choose(table.Position, rng).Cell.String())
			b.advance(time.Second)
		}
		p.mustSee("Enter next: learner")
		p.press("enter enter")
		table := tableOf(p.screen)
		if table == nil || table.IsOver() || table.Side != rules.First || table.Variant != one ||
			table.Seat(rules.Second).Player.Level != strategy.Learner ||
			len(b.manager.PlayerMatches(p.env.player.ID)) != 1 {
			t.Fatalf("not at the next level:\n%s", p.sees())
		}
		p.press("r y")
		p.mustSee("Enter try again")
		p.press("enter")
		table = tableOf(p.screen)
		if table == nil || table.IsOver() || table.Seat(rules.First).Player.Level != strategy.Learner {
			t.Fatalf("not at the same level:\n%s", p.sees())
		}
		p.press("r y esc")
		p.mustSee("Play the computer", "learner")
		restart()
		p = b.come(keyed("ann"))
		p.mustSee("Play the computer", "learner")
		p.press("2 left")
		p.mustSee("novice", "✓")
	})
}

package tui

import (
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/history"
	"notakto/rules"
	"notakto/sshapp/start"
)

func TestWhoIsElsewhereIsCalledBack(t *testing.T) {
	for name, elsewhere := range map[string]struct{ keys, says string }{
		"a code":        {"3", "Your move against bob! Esc, then o to play within "},
		"another table": {"2 enter", "Your move at the other table! Press o to play within "},
		"the queue":     {"right 1", "Your move against bob! Press o to play within "},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(b *harness) {
				first, second := b.pair("notakto/3", "A5")
				first.press("q y " + elsewhere.keys)
				first.mustNotSee("Press o")
				rings := first.Bell()
				second.press("1 2s")
				first.mustSee(elsewhere.says + "58 s, or you lose.")
				first.mustBeTitled(alertTitle)
				testkit.Equal(t, first.Bell()-rings, 1)
				if name == "a code" {
					first.press("o")
					first.mustSee("│ O │")
					first.press("esc")
				}
				first.press("o")
				first.mustSee(second.Player().Name, "Your turn")
				first.mustNotSee("Press o")
			})
		})
	}
}

// A second press of the key before the other table came up once left two seats at the first table. A failure to read
// a rating, for example, must not close the table that stays open.
func TestGoingOverTwiceParksOnce(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3", "A5")
		first.press("q y 2 enter")
		computer := tableOf(first.screen).ID
		second.press("1 2s")
		first.take(keyPress("o"))
		first.take(keyPress("o"))
		first.take(failedMsg{nil, match.ErrTooMany})
		first.rest()
		first.mustSee(second.Player().Name, "Your turn")
		testkit.Equal(t, len(first.matches.parked), 1)
		first.run(first.goTo(computer))
		first.rest()
		testkit.Equal(t, len(first.matches.parked), 0)
		first.press("q y 62s")
		first.mustSee("You lost to bob (3 boards)")
	})
}

func TestWhatIsMoreUrgentIsRead(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3", "A5")
		first.press("q y")
		first.send(failedMsg{nil, match.ErrTooMany})
		first.mustSee("Too many matches")
		second.press("1 2s")
		first.mustSee("to play within 58 s, or you lose.")
		first.press("5 56s")
		first.send(Notice("Still there?"))
		b.advance(4 * time.Second)
		first.mustSee("Still there?")
	})
}

// The result of a match that ended in the player's absence stays through all keys, logins and a restart of the
// server.
func TestAnUnseenResultStaysUntilItIsSeen(t *testing.T) {
	inBubbleWithHistory(t, func(b *harness, restart func()) {
		first, second := b.pair("notakto/3")
		ann, bob := first.Player(), second.Player()
		first.Close()
		b.advance(2 * time.Minute)
		again := b.come(ann)
		again.mustSee("While you were away", "✗ lost to bob", "3 boards, you stayed away")
		again.press("esc t t t 5 esc")
		again.mustSee("You lost to bob (3 boards)", "r see")
		again.press("2 enter")
		again.Close()
		again = b.come(ann) // with a live match, which comes first
		again.mustSee("Play someone", "r see")
		again.press("enter r y esc")
		again.Close()
		restart()
		again = b.come(ann)
		again.mustSee("While you were away")
		again.press("enter")
		again.mustSee("You stayed away too long.")
		again.press("esc")
		again.mustSee("Play someone")
		again.mustNotSee("You lost to")
		b.come(ann).mustNotSee("While you were away", "You lost to")
		b.come(bob).mustNotSee("While you were away", "You won")
	})
}

// correspondence lets ann begin n matches of three days a move, each against another player.
func (b *harness) correspondence(n int) (ann *person, others []*person) {
	b.Helper()
	for _, name := range []string{"ivy", "dan", "gus"}[:n] {
		from := start.Start{At: start.Queue, Terms: match.DefaultTerms()}
		from.Clock, _ = match.Correspondence(3)
		first, second := b.comeTo(keyed("ann"), from), b.comeTo(keyed(name), from)
		if tableOf(first.screen).IsMyTurn() {
			first.press("5")
		}
		second.press("B 5 q y")
		first.Close()
		others = append(others, second)
		b.advance(time.Hour)
	}
	return b.come(keyed("ann")), others
}

func TestAKeyLeadsThroughTheMatchesThatWait(t *testing.T) {
	inBubble(t, func(b *harness) {
		ann, _ := b.correspondence(3)
		ann.mustSee("Your move in 3 matches", "n go")
		moveIn := func(opponent, then string) {
			ann.press("n")
			ann.mustSee(opponent, "Your turn")
			ann.press("1s C 5 1s")
			ann.mustSee(then)
		}
		ann.press("n")
		ann.mustSee("ivy", "Your turn", "you have 2 d 21 h + bank 3 d")
		ann.press("n")
		ann.mustSee("dan", "Your turn")
		ann.press("n")
		ann.mustSee("gus", "Your turn")
		moveIn("ivy", "n next of your 2 matches")
		moveIn("dan", "n your other match")
		ann.press("n")
		ann.mustNotSee("n next match")
		moveIn("gus", "gus")
		ann.press("n")
		ann.mustSee("gus")
	})
}

func TestAMatchWithoutAMoveIsOnlySeen(t *testing.T) {
	inBubble(t, func(b *harness) {
		ann := b.come(keyed("ann"))
		abandoned := rules.ReasonAbandoned.String()
		ann.send(ownRecord{unseen: []history.Entry{
			{Match: "A", Opponent: keyed("joe"), Reason: abandoned},
			{Match: "B", Opponent: keyed("kim"), Reason: abandoned, Plies: 1},
		}})
		ann.mustSee("▸ · cancelled: joe", "Enter seen")
		ann.press("enter")
		ann.mustSee("▸ · cancelled: kim", "Enter review")
		ann.press("a")
		ann.mustSee("Play someone")
		ann.mustNotSee("Cancelled", "r see")
	})
}

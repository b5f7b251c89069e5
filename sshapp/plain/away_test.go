package plain

import (
	"strings"
	"testing"
	"time"

	"notakto/rules"
)

// Who has left a match and reads the rules was not told that the time to come back had begun, and not that the match was lost.
func TestWhoIsAwayIsToldOfTheTimeAndOfTheEnd(t *testing.T) {
	inBubble(t, func(b *bed) {
		a, _ := b.pair(2)
		a.types("leave", "rules")
		a.ignores()
		pass(time.Second)
		a.hears("You are away from 2 boards against bob, your turn. Type go within 59 seconds, or you lose that match.")
		pass(58 * time.Second)
		a.hears()
		pass(2 * time.Second)
		told := a.out.Take()
		const way = "Your match is over that you were away from: 2 boards against bob, your turn. To hear how it ended, type watch "
		if !strings.HasPrefix(told, way) {
			t.Fatalf("hears %q", told)
		}
		a.types("watch " + strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(told, way)), "."))
		pass(time.Hour)
	})
}

// Who comes back in time is not told so again, until the time runs anew.
func TestWhoComesBackIsNotToldOn(t *testing.T) {
	inBubble(t, func(b *bed) {
		a, _ := b.pair(2)
		a.types("leave")
		a.ignores()
		for range 2 {
			pass(10 * time.Second)
			a.hears("You are away from 2 boards against bob, your turn. Type go within 59 seconds, or you lose that match.")
			a.types("go 1")
			a.ignores()
			pass(time.Minute)
			a.hears()
			a.types("leave")
			a.ignores()
		}
	})
}

// A guest's code leads to another player's seat: that the matches of the one before are no longer one's own is not their end.
func TestWhoBecomesAnotherHearsOfNoEnd(t *testing.T) {
	inBubble(t, func(b *bed) {
		g := b.open(Door{Player: guy()})
		g.types("computer club 2 first")
		id := b.manager.Of(guy().ID)[0]
		seat, err := b.manager.Sit(b.Context(), id, guy().ID)
		if err != nil {
			t.Fatal(err)
		}
		code := (<-seat.Snapshots()).Chair(rules.First).Code
		seat.Close()
		g.types("quit")
		a := b.come(ann())
		a.types("computer club 3 first", "leave")
		pass(2 * time.Second)
		a.ignores().types("join " + string(code))
		pass(2 * time.Second)
		if told := a.out.Take(); strings.Contains(told, "is over") {
			t.Errorf("hears %q", told)
		}
	})
}

// Who was away from the computer for a minute had lost.
func TestComputerWaitsForWhoIsAway(t *testing.T) {
	inBubble(t, func(b *bed) {
		a := b.come(ann())
		a.types("computer club 2 first", "leave")
		a.hears("2 boards, against the computer, level club. You move first. Your turn.",
			"You have left the table. The match is kept for a day: type go to come back.")
		pass(time.Hour)
		a.asked("go", "2 boards, against the computer, level club. You move first. Your turn.")
		a.types("leave", "computer club 3 first")
		a.ignores()
		a.asked("quit", "Your matches are kept for a day. Goodbye.")
		g := b.come(guy())
		g.types("computer club 2 first", "leave")
		g.ignores()
		g.types("quit")
		if told := g.out.Take(); !strings.Contains(told, "Your match is kept for a day.") {
			t.Errorf("a guest who left the table and quits hears %q", told)
		}
	})
}

// A match that ended while its player was away was never mentioned to the player again.
func TestMatchThatEndedMeanwhileIsToldAtTheNextLogin(t *testing.T) {
	inBubble(t, func(b *bed) {
		first, _ := b.pair(2)
		first.types("quit")
		first.ended()
		pass(time.Minute)
		again := b.open(Door{Player: ann()})
		told := again.out.Take()
		const want = "A match ended while you were away: 2 boards, against bob. You stayed away too long. You lost. To hear it again, type watch "
		if !strings.Contains(told, want) {
			t.Errorf("hears %q", told)
		}
		if told := b.open(Door{Player: ann()}).out.Take(); strings.Contains(told, "ended while") {
			t.Errorf("hears it twice: %q", told)
		}
	})
}

// With two matches on, "type go" led to the other one while the time of this one ran.
func TestTheWayBackToOneOfSeveralMatches(t *testing.T) {
	inBubble(t, func(b *bed) {
		a, _ := b.pair(2)
		a.types("leave")
		pass(2 * time.Second)
		a.types("computer 1 board first")
		a.ignores()
		a.asked("mine",
			"1: 2 boards against bob, your turn, 58 seconds left to go there.",
			"2: 1 board against the computer, your turn, where you are.", "Type go and a number to go there.")
		a.asked("leave", "You have left the table. The match is kept for a day: type go 2 to come back.")
	})
}

// How long an opponent may stay away was told once, and by no command.
func TestTheTimeOfAnAbsentOpponentIsToldOnRequest(t *testing.T) {
	inBubble(t, func(b *bed) {
		first, second := b.pair(2)
		first.types("leave")
		pass(10 * time.Second)
		second.ignores()
		for _, command := range []string{"turn", "who"} {
			second.types(command)
			if told := second.out.Take(); !strings.Contains(told, "is away, and loses the match unless back in 50 seconds.") {
				t.Errorf("%s tells %q", command, told)
			}
		}
	})
}

// In tic-tac-toe a player was never told the own mark.
func TestTheOwnMarkIsTold(t *testing.T) {
	inBubble(t, func(b *bed) {
		a := b.come(ann())
		a.types("computer tictactoe second")
		if told := a.out.Take(); !strings.Contains(told, "You move second with X.") {
			t.Errorf("the table tells %q", told)
		}
		a.types("turn")
		if told := a.out.Take(); !strings.Contains(told, "You play with X.") {
			t.Errorf("turn tells %q", told)
		}
	})
}

package plain

import (
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/rules"
)

// A player who left a match used to hear of no time limit, and of no loss, while reading the rules.
func TestAnAwayPlayerIsShownTheTimeAndTheEnd(t *testing.T) {
	inBubble(t, func(b *harness) {
		a, _ := b.pair(2)
		a.types("leave", "rules")
		a.skips()
		pass(time.Second)
		a.expects("You are away from 2 boards against bob, your turn. " +
			"Type go within 59 seconds, or that match ends.")
		pass(58 * time.Second)
		a.expects()
		pass(2 * time.Second)
		shown := a.out.Take()
		const way = "You lost to bob (2 boards) while you were away. Type watch "
		if !strings.HasPrefix(shown, way) {
			t.Fatalf("hears %q", shown)
		}
		a.types("watch " +
			strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(shown, way)), " to hear how it ended."))
		pass(time.Hour)
	})
}

// The player returns in time and is reported only after leaving again.
func TestAReturningPlayerIsNotReported(t *testing.T) {
	inBubble(t, func(b *harness) {
		a, _ := b.pair(2)
		a.types("leave")
		a.skips()
		for range 2 {
			pass(10 * time.Second)
			a.expects(
				"You are away from 2 boards against bob, your turn. Type go within 59 seconds, or that match ends.")
			a.types("go 1")
			a.skips()
			pass(time.Minute)
			a.expects()
			a.types("leave")
			a.skips()
		}
	})
}

// A player used to lose a match against the computer after a minute of absence.
func TestComputerWaitsForWhoIsAway(t *testing.T) {
	inBubble(t, func(b *harness) {
		a := b.come(ann())
		a.types("computer club 2 first", "leave")
		a.expects("2 boards, against the computer, level club. You move first. Your turn.",
			"You have left the table. The match is saved for a month: type go to come back.")
		pass(time.Hour)
		a.asked("go", "2 boards, against the computer, level club. You move first. Your turn.")
		a.types("leave", "computer club 3 first")
		a.skips()
		a.asked("quit", "Your matches are kept for a month. Goodbye.")
		g := b.come(guy())
		g.types("computer club 2 first", "leave")
		g.skips()
		g.types("quit")
		testkit.Contains(t, g.out.Take(), "Your match is kept for a day.")
	})
}

// Each login tells the result until the player types a line, also after a restart of the server.
func TestAnUnseenResultIsToldUntilItIsHeard(t *testing.T) {
	inBubbleWithHistory(t, func(b *harness, restart func(time.Duration)) {
		first, _ := b.pair(2)
		first.types("quit")
		first.ended()
		pass(time.Minute)
		const told = "You lost to bob (2 boards) while you were away. Type watch "
		hears := func(want bool) (again *person) {
			t.Helper()
			again = b.open(Config{Player: ann()})
			if shown := again.out.Take(); strings.Contains(shown, told) != want ||
				strings.Contains(shown, " to hear how it ended.") != want {
				t.Errorf("hears %q, want the result: %v", shown, want)
			}
			return again
		}
		_ = hears(true).in.Close() // the connection is lost
		restart(0)
		hears(true).types("")
		hears(false)
		restart(0)
		hears(false)
	})
}

// A player who was away hears the result of a rated pair with the change of the rating, in the session and at the next
// login.
func TestThePairThatEndsWithoutThePlayerHasItsRating(t *testing.T) {
	inBubbleWithHistory(t, func(b *harness, _ func(time.Duration)) {
		first, second := b.rated()
		first.types("resign", "yes")
		pass(match.SecondGameDelay)
		first.types("leave")
		second.skips()
		pass(2 * time.Second)
		first.skips()
		second.types("a1")
		if shown := second.skipsTo(); !strings.Contains(shown, "at 1.") {
			second.types("b1", "c1", "d1")
		}
		pass(time.Hour)
		const told = " (rated, 1500? to 1338?) while you were away."
		first.receives("You lost to ", told)
		first.stop(nil)
		first.ended()
		b.open(Config{Player: ann()}).receives(told)
	})
}

// waiting opens matches of ann and bob with clocks of days, an hour apart, that wait for ann's move.
func (b *harness) waiting(clocks ...string) {
	b.Helper()
	for _, text := range clocks {
		clock, err := match.ParseClock(text)
		testkit.OK(b, err)
		id, code, err := b.manager.OpenPrivate(b.Context(), ann(), match.Terms{Variant: boards(b.T, 2), Clock: clock})
		if err == nil {
			_, _, err = b.manager.Join(b.Context(), bob(), code)
		}
		testkit.OK(b, err)
		if b.manager.Summaries([]match.ID{id})[0].ToMove() != ann() {
			seat, err := b.manager.Sit(b.Context(), id, bob().ID)
			testkit.OK(b, err)
			testkit.OK(b, seat.Play(b.Context(), rules.Move{Cell: 5}))
			seat.Close()
		}
		pass(time.Hour)
	}
}

func TestNextGoesThroughTheMatchesThatWait(t *testing.T) {
	inBubble(t, func(b *harness) {
		b.waiting("7d", "1d", "2d")
		a := b.open(Config{Player: ann()})
		a.receives("You have 3 matches in progress: type mine to hear them. Your move in 3 matches: type next.")
		for _, i := range []int{1, 2, 0, 1} {
			a.types("next")
			a.skips().types("mine")
			if line := strings.Split(a.out.Take(), "\n")[i]; !strings.Contains(line, "where you are") {
				b.Errorf("next does not lead to match %d: %s", i, line)
			}
		}
		a.skips().types("b1")
		a.receives("Board B: you at 1. bob has until ", " UTC, with 3 d of the bank. "+
			"Type next for your 2 other matches.")
		a.types("n", "b1")
		a.receives("Type next for your other match.")
		a.types("next", "b1")
		if shown := a.out.Take(); strings.Contains(shown, "Type next") {
			b.Errorf("with no match left ann hears %q", shown)
		}
		a.asked("next", "No other match waits for your move.")
	})
}

func TestNextKeepsTheTableOfALiveMatch(t *testing.T) {
	inBubble(t, func(b *harness) {
		b.waiting("1d", "2d")
		a := b.come(ann())
		a.types("next", "leave", "play 3 5+0")
		b.come(bob()).types("play 3 5+0")
		a.receives("Opponent found.")
		a.types("next", "next")
		if shown := a.out.Take(); strings.Contains(shown, "Two of your matches") {
			b.Errorf("ann hears %q", shown)
		}
		a.types("go")
		a.receives("3 boards, 5+0, against bob.")
	})
}

// The command go used to prefer a match against the computer while the time of another match ran out.
func TestGoLeadsToTheMatchThatIsLostFirst(t *testing.T) {
	inBubble(t, func(b *harness) {
		early := b.open(Config{Player: ann()})
		early.types("computer 1 board first", "quit")
		early.ended()
		c, a := b.pair(2) // ann moves second
		a.types("quit")
		a.ended()
		c.types("a5")
		again := b.open(Config{Player: ann()}).skips()
		again.asked("go", "2 boards, against bob. You move second. 1 move so far, the last A5 by bob. Your turn.")
	})
}

// With two matches in progress, the hint to type go used to lead to the wrong one.
func TestGoNamesOneOfSeveralMatches(t *testing.T) {
	inBubble(t, func(b *harness) {
		a, _ := b.pair(2)
		a.types("leave")
		pass(2 * time.Second)
		a.types("computer 1 board first")
		a.skips()
		a.asked("mine",
			"1: 2 boards against bob, your turn, 58 seconds left to go there.",
			"2: 1 board against the computer, your turn, where you are.", "Type go and a number to go there.")
		a.asked("leave", "You have left the table. The match is saved for a month: type go 2 to come back.")
	})
}

// The time that an opponent may stay away used to be printed only when the opponent left.
func TestQueriesGiveTheTimeOfAnAbsentOpponent(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair(2)
		first.types("leave")
		pass(10 * time.Second)
		second.skips()
		for _, command := range []string{"turn", "who"} {
			second.types(command)
			if shown := second.out.Take(); !strings.Contains(shown,
				"is away, and loses the match unless back in 50 seconds.") {
				t.Errorf("%s tells %q", command, shown)
			}
		}
	})
}

// In tic-tac-toe the players used to hear nothing of their marks.
func TestQueriesGiveTheOwnMark(t *testing.T) {
	inBubble(t, func(b *harness) {
		a := b.come(ann())
		a.types("computer tictactoe second")
		testkit.Contains(t, a.out.Take(), "You move second with X.")
		a.types("turn")
		testkit.Contains(t, a.out.Take(), "You play with X.")
	})
}

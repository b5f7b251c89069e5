package plain

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
)

// Who has left a match and reads the rules was not told that the time to come back had begun, and not that the match
// was lost.
func TestAnAwayPlayerIsShownTheTimeAndTheEnd(t *testing.T) {
	inBubble(t, func(b *harness) {
		a, _ := b.pair(2)
		a.types("leave", "rules")
		a.skips()
		pass(time.Second)
		a.expects("You are away from 2 boards against bob, your turn. Type go within 59 seconds, or that match ends.")
		pass(58 * time.Second)
		a.expects()
		pass(2 * time.Second)
		shown := a.out.Take()
		const way = "While you were away: You lost to bob (2 boards). To hear how it ended, type watch "
		if !strings.HasPrefix(shown, way) {
			t.Fatalf("hears %q", shown)
		}
		a.types("watch " + strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(shown, way)), "."))
		pass(time.Hour)
	})
}

// Who comes back in time is not told so again, until the time runs anew.
func TestAReturningPlayerIsNotReported(t *testing.T) {
	inBubble(t, func(b *harness) {
		a, _ := b.pair(2)
		a.types("leave")
		a.skips()
		for range 2 {
			pass(10 * time.Second)
			a.expects("You are away from 2 boards against bob, your turn. Type go within 59 seconds, or that match ends.")
			a.types("go 1")
			a.skips()
			pass(time.Minute)
			a.expects()
			a.types("leave")
			a.skips()
		}
	})
}

// A guest's code leads to another player's seat: that the matches of the one before are no longer one's own is not
// their end.
func TestASwitchedPlayerIsShownNoEnd(t *testing.T) {
	inBubble(t, func(b *harness) {
		g := b.open(Config{Player: guy()})
		g.types("computer club 2 first")
		id := b.manager.MatchesOf(guy().ID)[0]
		seat, err := b.manager.Sit(b.Context(), id, guy().ID)
		if err != nil {
			t.Fatal(err)
		}
		code := (<-seat.Snapshots()).SeatState(rules.First).Code
		seat.Close()
		g.types("quit")
		a := b.come(ann())
		a.types("computer club 3 first", "leave")
		pass(2 * time.Second)
		a.skips().types("join " + string(code))
		pass(2 * time.Second)
		if shown := a.out.Take(); strings.Contains(shown, "is over") {
			t.Errorf("hears %q", shown)
		}
	})
}

// Who was away from the computer for a minute had lost.
func TestComputerWaitsForWhoIsAway(t *testing.T) {
	inBubble(t, func(b *harness) {
		a := b.come(ann())
		a.types("computer club 2 first", "leave")
		a.expects("2 boards, against the computer, level club. You move first. Your turn.",
			"You have left the table. The match is kept for a month: type go to come back.")
		pass(time.Hour)
		a.asked("go", "2 boards, against the computer, level club. You move first. Your turn.")
		a.types("leave", "computer club 3 first")
		a.skips()
		a.asked("quit", "Your matches are kept for a month. Goodbye.")
		g := b.come(guy())
		g.types("computer club 2 first", "leave")
		g.skips()
		g.types("quit")
		if shown := g.out.Take(); !strings.Contains(shown, "Your match is kept for a day.") {
			t.Errorf("a guest who left the table and quits hears %q", shown)
		}
	})
}

// The result of a match that ended while its player was away is told at each login until the player has typed a line,
// also after a restart of the server.
func TestAnUnseenResultIsToldUntilItIsHeard(t *testing.T) {
	inBubbleWithHistory(t, func(b *harness, restart func()) {
		first, _ := b.pair(2)
		first.types("quit")
		first.ended()
		pass(time.Minute)
		const told = "While you were away: You lost to bob (2 boards). To hear how it ended, type watch "
		hears := func(want bool) (again *person) {
			t.Helper()
			again = b.open(Config{Player: ann()})
			if shown := again.out.Take(); strings.Contains(shown, told) != want {
				t.Errorf("hears %q, want the result: %v", shown, want)
			}
			return again
		}
		_ = hears(true).in.Close() // the line has dropped
		restart()
		hears(true).types("")
		hears(false)
		restart()
		hears(false)
	})
}

// With more results than are told, the cancelled matches were taken for heard, which no history lists, and so were
// those that the history no longer lists.
func TestOnlyAResultThatCanBeHeardIsHeard(t *testing.T) {
	inBubbleWithHistory(t, func(b *harness, _ func()) {
		add := func(id string, end match.Event) {
			b.Helper()
			events := []match.Event{
				{Kind: match.Opened, Terms: match.DefaultTerms(), Origin: match.PrivateOrigin},
				{Kind: match.Seated, Seat: rules.First, Player: ann()},
				{Kind: match.Seated, Seat: rules.Second, Player: bob()},
				{Kind: match.Left, Seat: rules.First},
				end,
			}
			for i := range events {
				events[i].Match, events[i].Seq = match.ID(id), uint64(i+1)
			}
			if _, err := b.store.Append(b.Context(), events...); err != nil {
				b.Fatal(err)
			}
			pass(time.Second)
		}
		add("void", match.Event{Kind: match.Adjudicated})
		for i := range mostTold + mostFinished {
			add(fmt.Sprint("lost", i), match.Event{Kind: match.Forfeited, Seat: rules.First})
		}
		unseen := func() (text string) {
			b.Helper()
			all, err := b.history.Unseen(b.Context(), ann().ID)
			if err != nil {
				b.Fatal(err)
			}
			for _, e := range all {
				text += string(e.Match) + " "
			}
			return text
		}
		const listed = "And 7 other matches: type history to hear them."
		a := b.open(Config{Player: ann()})
		if a.types(""); !strings.Contains(a.out.Take(), listed) {
			b.Errorf("without %q", listed)
		}
		if got, want := unseen(), "lost2 lost1 lost0 void "; got != want {
			b.Errorf("then %q is unseen, want %q", got, want)
		}
		a = b.open(Config{Player: ann()})
		if a.types(""); strings.Contains(a.out.Take(), "other match") {
			b.Error("the history is said to list a cancelled match")
		}
		if got, want := unseen(), "void "; got != want {
			b.Errorf("then %q is unseen, want %q", got, want)
		}
	})
}

// After a lost connection "go" led to a match against the computer, while the time of another ran out.
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

// With two matches on, "type go" led to the other one while the time of this one ran.
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
		a.asked("leave", "You have left the table. The match is kept for a month: type go 2 to come back.")
	})
}

// How long an opponent may stay away was told once, and by no command.
func TestQueriesGiveTheTimeOfAnAbsentOpponent(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair(2)
		first.types("leave")
		pass(10 * time.Second)
		second.skips()
		for _, command := range []string{"turn", "who"} {
			second.types(command)
			if shown := second.out.Take(); !strings.Contains(shown, "is away, and loses the match unless back in 50 seconds.") {
				t.Errorf("%s tells %q", command, shown)
			}
		}
	})
}

// In tic-tac-toe a player was never told the own mark.
func TestQueriesGiveTheOwnMark(t *testing.T) {
	inBubble(t, func(b *harness) {
		a := b.come(ann())
		a.types("computer tictactoe second")
		if shown := a.out.Take(); !strings.Contains(shown, "You move second with X.") {
			t.Errorf("the table tells %q", shown)
		}
		a.types("turn")
		if shown := a.out.Take(); !strings.Contains(shown, "You play with X.") {
			t.Errorf("turn tells %q", shown)
		}
	})
}

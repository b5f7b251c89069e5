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

func TestMatchesThatAreKept(t *testing.T) {
	inBubble(t, func(b *harness) {
		a := b.come(ann())
		a.types("computer club 2 first", "leave")
		a.expects("2 boards, against the computer, level club. You move first. Your turn.",
			"You have left the table. The match is saved for a month: type go to come back.")
		pass(time.Hour)
		a.asked("go", "2 boards, against the computer, level club. You move first. Your turn.")
		a.types("leave", "computer club 3 first")
		a.asked("quit", "Your matches are kept for a month. Goodbye.")
		g := b.come(guy())
		g.types("computer club 2 first", "leave")
		g.asksFor("quit", "Your match is kept for a day.")
	})
}

// Each login tells the end of a challenge until the player types a line. An end that a session has told is not told
// again.
func TestTheEndOfAChallengeIsToldUntilItIsHeard(t *testing.T) {
	inBubbleWithStore(t, func(b *harness) {
		accounts := testkit.Accounts(b)
		ann, bob := b.claimed(accounts, "ann"), b.claimed(accounts, "bob")
		hears := func(cfg Config, want string) *person {
			t.Helper()
			again := b.open(cfg)
			if heard := again.out.Take(); strings.Contains(heard, "challenge") != (want != "") ||
				!strings.Contains(heard, want) {
				t.Errorf("%s hears %q, want %q", cfg.Player.Name, heard, want)
			}
			return again
		}
		b.open(ann).types("challenge bob", "quit")
		b.open(bob).types("decline ann")
		b.restart(time.Minute)
		const declined = "bob declined your challenge while you were away.\n"
		_ = hears(ann, declined).in.Close() // the connection is lost
		hears(ann, declined).types("challenge bob 1")
		b.open(bob).types("decline ann")
		b.restart(0) // ann has heard the end, and types no line

		hears(ann, "").types("challenge bob")
		b.restart(match.ChallengeLife)
		pass(time.Minute)
		hears(ann, "Your challenge to bob expired while you were away.\n").types("challenge bob", "withdraw bob")
		hears(bob, "ann withdrew a challenge while you were away.\n").types("")
		hears(bob, "")
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
		b.open(Config{Player: bob()}).hears("You have 3 matches in progress: type mine to hear them, and go to " +
			"return to one.")
		a.hears("You have 3 matches in progress: type mine to hear them. Your move in 3 matches: type next.")
		for _, i := range []int{1, 2, 0, 1} {
			a.types("next")
			a.skips().types("mine")
			testkit.Contains(t, strings.Split(a.out.Take(), "\n")[i], "where you are")
		}
		a.asksFor("b1", "Board B: you at 1. bob has until ", " UTC, with 3 d of the bank. "+
			"Type next for your 2 other matches.")
		a.types("n")
		a.asksFor("b1", "Type next for your other match.")
		a.types("next")
		a.skips().types("b1")
		if shown := a.out.Take(); strings.Contains(shown, "Type next") {
			t.Errorf("with no match left ann hears %q", shown)
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
		a.hears("Opponent found.")
		a.types("next", "next")
		if shown := a.out.Take(); strings.Contains(shown, "Two of your matches") {
			b.Errorf("ann hears %q", shown)
		}
		a.asksFor("go", "3 boards, 5+0, against bob.")
	})
}

// The command go used to prefer a match against the computer while the time of another match ran out. With two
// matches in progress, the hint to type go used to lead to the wrong one.
func TestGoLeadsToTheMatchThatIsLostFirst(t *testing.T) {
	inBubble(t, func(b *harness) {
		b.come(ann()).types("computer 1 board first", "quit")
		c, a := b.pair(2) // ann moves second
		a.types("quit")
		c.types("a5")
		again := b.come(ann())
		again.asked("go", "2 boards, against bob. You move second. 1 move so far, the last A5 by bob. Your turn.")
		again.types("leave")
		pass(2 * time.Second)
		again.asked("go 1", "1 board, against the computer, level novice. You move first. Your turn.")
		again.asked("mine",
			"1: 1 board against the computer, your turn, where you are.",
			"2: 2 boards against bob, 1 move, your turn, 58 seconds left to go there.",
			"Type go and a number to go there.")
		again.asked("leave", "You have left the table. The match is saved for a month: type go 1 to come back.")
	})
}

package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/sshapp/start"
)

func TestABandWithoutALeaderSaysSo(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("tictactoe")
		cleo := b.comeTo(keyed("cleo"), start.Start{At: start.Match})
		first.resize(120, 40)
		first.press("5")
		second.press("7")
		first.press("r y")
		first.mustSee("You resigned.", "Drawn after every move")
		first.mustNotSee("Who was winning")
		cleo.press("s")
		testkit.Equal(t, cleo.Shared(), "")
	})
}

func TestAKeyThatWasOnItsWayIsNoAnswer(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.comeTo(keyed("ann"), start.Start{At: start.Computer, Side: rules.First})
		p.env.roundTrip = func() time.Duration { return 200 * time.Millisecond }
		p.send(keyPress("r"))
		b.advance(300 * time.Millisecond)
		p.send(keyPress("y"))
		p.mustSee("Resign this match?")
		b.advance(200 * time.Millisecond)
		p.send(keyPress("y"))
		p.mustSee("You resigned.")
		b.advance(300 * time.Millisecond)
		p.send(keyPress("enter"))
		p.mustSee("Enter try again")
		b.advance(200 * time.Millisecond)
		p.send(keyPress("enter"))
		p.mustSee("ann (you) ▐")
	})
}

func TestAMoveThatWasOnItsWayIsNotMade(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		second.env.roundTrip = func() time.Duration { return 200 * time.Millisecond }
		second.press("m")
		b.advance(second.env.answerDelay())
		first.press("5")
		b.advance(100 * time.Millisecond)
		second.press("1")
		second.mustSee("It is your turn now: look, then press the key again.")
		second.resize(40, 16)
		second.press("1")
		second.mustSee("It is your turn now: press again.")
		second.click("7")
		second.mustNotSee("press again")
		first.press("4 1s")
		second.press("1")
		first.mustSee("Your turn")
		testkit.Equal(t, len(tableOf(first.screen).Moves), 4)
	})
}

func TestAMatchIsShared(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3", "B4", "A5", "A9", "A1", "B2", "B5", "B3", "B6", "C3", "C5", "C2", "C7")
		id := string(tableOf(first.screen).ID)
		first.press("s")
		first.mustSee("Copied if your terminal allows it. It is printed when you quit.")
		want := "Notakto ▦▦▦ beat bob in 12 moves  ✓✓✗✓✗✗  match " + id
		testkit.Equal(t, first.Shared(), want)
		testkit.Equal(t, first.QuitText(), want+"\nNotakto  ann  won 1")
		second.env.host = "-p 2222 a-server-with-a-long-name.example.org"
		second.mustSee("Notakto ▦▦▦ lost to ann", "  match "+id)
		second.mustNotSee("ssh -t", "…")
		second.env.host = "play.example"
		second.press("s")
		want = "Notakto ▦▦▦ lost to ann in 12 moves  ··✗·✗✗  ssh -t play.example watch " + id
		testkit.Equal(t, second.Shared(), want)
		left := strings.Split(second.QuitText(), "\n")
		if !slices.Contains(left, "ssh -t play.example watch "+id) || left[len(left)-1] != "ssh play.example" {
			t.Errorf("no command stands on a line of its own in %q", left)
		}
	})
}

func TestMatchWithoutAFirstMoveHasNoResult(t *testing.T) {
	inBubbleWith(t, manager.Config{FirstMove: manager.DefaultFirstMove}, func(b *harness) {
		ann, bob := b.pair("notakto/3")
		b.advance(manager.DefaultFirstMove)
		ann.mustSee("Cancelled", "You did not make a first move.")
		bob.mustSee("Cancelled", "ann did not make a first move.")
		for _, p := range []*person{ann, bob} {
			p.mustNotSee("rematch", "share", "review", "0 moves")
			p.press("s v")
			p.mustNotSee("Copied", "Review")
			testkit.Equal(t, p.Shared(), "")
			p.resize(40, 16)
			p.mustSee("Cancelled", "No first move.", "Enter new opponent")
		}
		bob.press("enter")
		bob.mustSee("Waiting for an opponent")
	})
}

func TestTheBoardsOfAMatchThatWasGivenUpAreDimmed(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/1")
		first.press("5")
		before := colorOf(second, "██▄")
		first.press("r y")
		second.mustSee("ann resigned")
		if colorOf(second, "██▄") == before {
			t.Errorf("the cross has the color %q before and after the end:\n%s", before, second.sees())
		}
	})
}

// All names that the server gives begin alike, and a cut one keeps its end. In tall windows with one large board, the
// headline was once drawn over the names.
func TestNamesAtTheEndOfAMatch(t *testing.T) {
	inBubble(t, func(b *harness) {
		from := start.Start{At: start.Queue, Untimed: true}
		from.Variant, _ = rules.Notakto(1)
		first, second := b.inOrder(b.comeTo(keyed("player-vipg"), from), b.comeTo(keyed("player-5dr3"), from))
		b.play(first, second, "A5", "A1", "A9", "1m")
		for _, size := range [][2]int{{80, 24}, {100, 30}, {120, 40}, {160, 50}, {200, 60}} {
			first.resize(size[0], size[1])
			first.mustSee(first.Player().Name+" (you)", second.Player().Name+" ", "…vipg", "…5dr3")
		}
		first.resize(40, 16)
		first.mustSee(first.Player().Name+" (you)", second.Player().Name+" ")
		second.press("v").mustSee("Who was winning  v  5")
		small := b.come(keyed("player-wxyz"))
		small.resize(40, 16)
		small.mustSee("…wxyz")
	})
}

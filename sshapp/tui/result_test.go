package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"notakto/match"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/start"
	"notakto/sshapp/tui/draw"
)

// Where no side was ever winning, the band was empty beside "Who was winning".
func TestABandWithoutALeaderSaysSo(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("tictactoe")
		first.resize(120, 40)
		first.press("5")
		second.press("7")
		first.press("r y")
		first.mustSee("You resigned.", "Drawn after every move")
		first.mustNotSee("Who was winning")
	})
}

// Each way to end a match has its words, for the winner, the loser and someone who looked on.
func TestOutcomeWords(t *testing.T) {
	state := stateOf(t, middle(rules.DefaultVariant()))
	for _, c := range []struct {
		outcome           rules.Outcome
		side              rules.Side
		headline, because string
	}{
		{rules.Outcome{Winner: rules.First, Reason: rules.Boards}, rules.First, "You won", "棋棋棋棋棋棋棋棋 killed the last board."},
		{rules.Outcome{Winner: rules.Second, Reason: rules.Boards}, rules.First, "You lost", "You killed the last board."},
		{rules.Outcome{Winner: rules.First, Reason: rules.Boards}, rules.Nobody, "ann won",
			"棋棋棋棋棋棋棋棋 killed the last board."},
		{rules.Outcome{Winner: rules.First, Reason: rules.Resign}, rules.Second, "You lost", "You resigned."},
		{rules.Outcome{Winner: rules.First, Reason: rules.Abandoned}, rules.Second, "You lost", "You stayed away too long."},
		{rules.Outcome{Winner: rules.Second, Reason: rules.Time}, rules.Second, "You won", "ann ran out of time."},
		{rules.Outcome{Winner: rules.First, Reason: rules.Line}, rules.First, "You won", "You made three in a row."},
		{rules.Outcome{Reason: rules.Draw}, rules.First, "A draw", "No cell is left."},
	} {
		state.Outcome = c.outcome
		at := &client.Table{Side: c.side, Snapshot: &match.Snapshot{State: &state}}
		if headline(at) != c.headline || reasonText(at) != c.because {
			t.Errorf("%v for %d: %q, %q", c.outcome, c.side, headline(at), reasonText(at))
		}
	}
}

// An Enter that was pressed at the table, and came after the end, began another match before the result was seen.
func TestAKeyPressedAtTheTableBeginsNoMatch(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.comeTo(keyed("ann"), start.Start{At: start.Computer, Side: rules.First})
		p.press("r y")
		for _, name := range []string{"enter", "5", "enter"} {
			p.send(keyPress(name))
			p.mustSee("You resigned.", "Enter try again")
		}
		b.advance(p.env.answerDelay())
		p.send(keyPress("enter"))
		p.mustSee("ann (you) ▐")
	})
}

// On a slow link a key is an answer once it was pressed after the result stood there long enough to be read.
func TestTheResultIsReadOnASlowLinkToo(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.comeTo(keyed("ann"), start.Start{At: start.Computer, Side: rules.First})
		p.env.roundTrip = func() time.Duration { return 200 * time.Millisecond }
		p.press("r y")
		b.advance(200*time.Millisecond + reaction - time.Millisecond)
		p.send(keyPress("enter"))
		p.mustSee("You resigned.", "Enter try again")
		b.advance(time.Millisecond)
		p.send(keyPress("enter"))
		p.mustSee("ann (you) ▐")
	})
}

// On a slow link a key that was pressed before the result, or the question, could be seen was taken for an answer.
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

// On a slow link a move that was typed before the opponent's could be seen was made.
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
		second.mustSee("Your turn has come: press again.")
		second.click("7")
		second.mustNotSee("press again")
		first.press("4")
		b.advance(time.Second)
		second.press("1")
		first.mustSee("Your turn")
		if n := len(tableOf(first.screen).Moves); n != 4 {
			t.Errorf("%d moves were made", n)
		}
	})
}

// The line that can be shared was shown nowhere before it was copied.
func TestTheResultShowsTheLineToShare(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.play2("notakto/2", "A5", "B5", "A1", "B1", "A9", "B9")
		for _, size := range [][2]int{{80, 24}, {120, 40}} {
			p.resize(size[0], size[1])
			p.mustSee("Notakto ▦▦ beat bob in 6 moves", "s share")
		}
		p.press("enter")
		p.mustSee("You want a rematch.", "s share")
		p.resize(40, 16)
		p.mustSee("v review", "Esc back")
	})
}

// A small window told neither the slip nor what would have won, and at 80x24 the band had no moves.
func TestTheResultTellsWhatWouldHaveWon(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.play2("notakto/3", "B4", "A5", "A9", "A1", "B2", "B5", "B3", "B6", "C3", "C5", "C2", "C7")
		p.mustSee("Who was winning", "B4   A5   A9   A1", "C7. C6 would have won for bob.")
		p.resize(40, 16)
		p.mustSee("bob slipped: C6 would have won.")
	})
}

// With a long name the end of the sentence was cut, which says what would have won.
func TestTheResultWithLongNames(t *testing.T) {
	inBubble(t, func(b *harness) {
		from := start.Start{At: start.Queue, Terms: match.Terms{Variant: rules.DefaultVariant()}, Untimed: true}
		first, second := b.comeTo(keyed("ann of long name"), from), b.comeTo(keyed("bob of long name"), from)
		if !tableOf(first.screen).IsMyTurn() {
			first, second = second, first
		}
		b.play(first, second, "B4", "A5", "A9", "A1", "B2", "B5", "B3", "B6", "C3", "C5", "C2", "C7")
		first.mustSee(" of long name killed the last board.  Last slip: C7. C6 would have won.")
		second.mustSee("You killed the last board.  Last slip: C7. C6 would have won.")
		first.resize(40, 16)
		first.mustSee("Last slip: C7. C6 would have won.")
		first.resize(120, 40)
		first.mustSee(" of long name's last slip was move 12, C7. C6 would have won.")
	})
}

// In a small window the row below the boards was empty after a resignation: it says who was winning. All keys that a
// player needs are in the last row.
func TestASmallWindowUsesItsLastRows(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/2")
		first.resize(40, 16)
		second.resize(40, 16)
		first.mustSee("1-9 place  Tab board  q leave   ? help")
		b.play(first, second, "A5", "B5", "A1", "B1")
		first.press("r y")
		first.mustSee("bob was winning.")
		second.mustSee("You were winning.")
		first.press("v")
		first.mustSee("4 B1 ✓ bob", "←→ move  n slip  g theory  Esc back")
	})
}

// A tall window has room for what is to be learnt: the rule of thumb on the result, and the theory in the review, which
// a key hides.
func TestATallWindowTeaches(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.play2("notakto/3", "B4", "A5", "A9", "A1", "B2", "B5", "B3", "B6", "C3", "C5", "C2", "C7")
		const rule = "Rule of thumb: on the last board, count the safe cells and leave none."
		p.mustNotSee(rule)
		p.resize(120, 40)
		p.mustSee(rule)
		p.press("v")
		p.mustSee("Give each board its letters", "A slip.")
		p.press("g")
		p.mustNotSee("Give each board its letters")
	})
}

// A small result has room for the large headline only where the boards can stand side by side.
func TestASmallResultHasTheHeadline(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.play2("notakto/3", "B4", "A5", "A9", "A1", "B2", "B5", "B3", "B6", "C3", "C5", "C2", "C7")
		p.resize(40, 16)
		p.mustSee("▀█▀ █▄█ █▄█", "bob killed the last board.", "Who was winning", "·   ·   X")
		p.env.use(draw.NewTheme(draw.Auto, colorprofile.ANSI, draw.ASCII))
		p.mustSee("You won", "C dead")
	})
}

// What was shared stays in the shell of who shared it, as each of the two saw the match.
func TestAMatchIsShared(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		b.play(first, second, "B4", "A5", "A9", "A1", "B2", "B5", "B3", "B6", "C3", "C5", "C2", "C7")
		second.env.host = "play.example"
		first.press("s")
		first.mustSee("Copied if your terminal allows it. It is printed when you quit.")
		want := "Notakto ▦▦▦ beat bob in 12 moves  ✓✓✗✓✗✗  match " + string(tableOf(first.screen).ID)
		if got := first.Shared(); got != want || first.QuitText() != want+"\nNotakto  ann  won 1" {
			t.Errorf("%q, and %q in the shell, want %q", got, first.QuitText(), want)
		}
		second.press("s")
		got, want := second.Shared(), "Notakto ▦▦▦ lost to ann in 12 moves  ··✗·✗✗  ssh -t play.example watch "
		if !strings.HasPrefix(got, want) || !strings.HasSuffix(got, string(tableOf(second.screen).ID)) {
			t.Errorf("%q, want %q", got, want)
		}
		left := strings.Split(second.QuitText(), "\n")
		command := "ssh -t play.example watch " + string(tableOf(second.screen).ID)
		if !slices.Contains(left, command) || left[len(left)-1] != "ssh play.example" {
			t.Errorf("no command stands on a line of its own in %q", left)
		}
	})
}

// A match that ended without a move has no marks, and a spectator has none to share.
func TestLittleIsShared(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, _ := b.pair("notakto/1")
		cleo := b.comeTo(keyed("cleo"), start.Start{At: start.Match})
		first.press("r y s")
		want := "Notakto ▦ lost to bob in 0 moves  match " + string(tableOf(first.screen).ID)
		if got := first.Shared(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		cleo.press("s")
		if got := cleo.Shared(); got != "" {
			t.Errorf("a spectator shared %q", got)
		}
	})
}

func TestMatchWithoutAFirstMoveHasNoResult(t *testing.T) {
	inBubbleWith(t, manager.Config{FirstMove: manager.DefaultFirstMove}, func(b *harness) {
		ann, bob := b.pair("notakto/3")
		b.advance(manager.DefaultFirstMove)
		ann.mustSee("Cancelled", "You did not make a first move.", "Enter find another opponent")
		bob.mustSee("Cancelled", "ann did not make a first move.", "Enter find another opponent")
		for _, p := range []*person{ann, bob} {
			p.mustNotSee("rematch", "share", "review", "0 moves")
			p.press("s v")
			p.mustNotSee("Copied", "Review")
			if p.Shared() != "" {
				t.Errorf("shared %q", p.Shared())
			}
		}
		bob.resize(40, 16)
		bob.mustSee("Cancelled", "No first move.", "Enter new opponent")
		bob.press("enter")
		bob.mustSee("Waiting for an opponent")
	})
}

// "Who was winning" stood right of the bars, or above them, as they left room.
func TestWhoWasWinningStandsAboveTheBars(t *testing.T) {
	for _, name := range []string{"result", "result_three", "result_clock"} {
		inBubble(t, func(b *harness) {
			p := pictures()[name](b)
			for _, size := range [][2]int{{40, 16}, {80, 24}, {120, 40}, {200, 60}} {
				if p.resize(size[0], size[1]); !strings.Contains(p.sees(), "Who was winning") {
					continue // no room for the bars
				}
				x, y := p.place("Who was winning")
				bars := p.line(y+1) + p.line(y+2)
				if strings.TrimSpace(p.line(y)) != "Who was winning" || !strings.Contains(bars, "you ") ||
					[]rune(p.line(y + 1))[x-1] != ' ' || !strings.Contains(bars, "██") {
					t.Errorf("%s at %v:\n%s", name, size, p.sees())
				}
			}
		})
	}
}

// Of the line that can be shared a window of 80 columns showed the command without its last word.
func TestTheLineToShareIsCutBeforeItsCommand(t *testing.T) {
	inBubble(t, func(b *harness) {
		p, other := b.pair("notakto/1")
		at := tableOf(p.screen)
		p.env.host = "-p 2222 a-server-with-a-long-name.example.org"
		b.play(p, other, "A5", "A1", "A2", "A8")
		p.mustSee("Notakto ▦ beat bob in 4 moves", "  match "+string(at.ID))
		p.mustNotSee("ssh -t", "…")
		p.resize(120, 40)
		p.mustSee("ssh -t -p 2222 a-server-with-a-long-name.example.org watch " + string(at.ID))
	})
}

// A match that was given up looked as if it went on: its live boards were as bright as before.
func TestTheBoardsOfAMatchThatWasGivenUpAreDimmed(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/1")
		first.press("5")
		cross := func() string {
			sent := second.drawn()
			return colorAt(sent, strings.Index(sent, "██▄"))
		}
		before := cross()
		first.press("r y")
		second.mustSee("ann resigned")
		if after := cross(); after == before {
			t.Errorf("the cross has the color %q before and after the end:\n%s", before, second.sees())
		}
	})
}

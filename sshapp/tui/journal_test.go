package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"notakto/match/manager"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/journaltest"
	"notakto/rules"
	"notakto/sshapp/start"
)

// A place in the queue may take a while to be given up. Nothing waits for it, and who asks for another gets it as soon
// as it is gone.
func TestPlayAgainAtOnce(t *testing.T) {
	inBubbleWith(t, manager.Config{Journal: journaltest.NewFaulty(3 * time.Second)}, func(b *harness) {
		ann := b.comeTo(keyed("ann"), start.Start{At: start.Queue})
		ann.press("esc")
		ann.mustSee("Play someone")
		ann.press("1")
		ann.mustNotSee("in another window")
		b.advance(4 * time.Second)
		ann.mustSee("No one else is waiting.")
	})
}

// A move that cannot be recorded just now is told in the words of the journal; the cursor stays, and the same key
// places it afterwards.
func TestNothingCanBeRecorded(t *testing.T) {
	j := journaltest.NewFaulty(0)
	inBubbleWith(t, manager.Config{Journal: j}, func(b *harness) {
		first, second := b.pair("notakto/3")
		first.press("B left")
		at := first.screen.(*tableScreen).cursor
		full := fmt.Errorf("%w: the disk is full; try again soon", match.ErrUnavailable)
		for fault, words := range map[error]string{
			full:                     "Nothing can be recorded just now: the disk is full; try again soon.",
			context.DeadlineExceeded: "No answer yet: the board will tell.",
		} {
			j.Fail(fault)
			first.press("space")
			first.mustSee(words, "Your turn")
			if now := first.screen.(*tableScreen).cursor; now != at {
				t.Errorf("the cursor went from %v to %v", at, now)
			}
		}
		first.resize(40, 16)
		j.Fail(fmt.Errorf("%w: the disk is full", match.ErrUnavailable))
		first.press("space")
		first.mustSee("Nothing can be recorded just now", "disk is full")
		j.Fail(nil)
		first.press("space")
		b.advance(turnBannerDelay)
		first.mustSee("B4")
		second.mustSee("Your turn")
	})
}

// At a stop a player reads what becomes of the matches and of the place in the queue, and a guest the resume code.
func TestExitText(t *testing.T) {
	const kept = " Your match is kept, and goes on where it stands."
	const queue = " You were removed from the queue: join it again when you have come back."
	inBubble(t, func(b *harness) {
		lobby := b.come(keyed("eve"))
		waiting := b.comeTo(keyed("dan"), start.Start{At: start.Queue, Terms: match.Terms{Variant: rules.TicTacToe()}})
		first, _ := b.pair("notakto/3")
		guest := b.comeTo(guest("gail"), start.Start{At: start.Computer})
		code := tableOf(guest.screen).SeatState(tableOf(guest.screen).Side).Code
		guest.press("q y")
		first.press("q y 2 enter")
		for p, want := range map[*person]string{
			lobby: "", waiting: queue, first: " Your 2 matches are kept, and go on where they stand.",
			guest: kept + "\nYour way back: log in with the command join " + string(code),
		} {
			goodbye := "Goodbye, " + p.Player().Name + "."
			if _, way, isGuest := strings.Cut(want, "\n"); isGuest {
				goodbye += "\n" + way
			}
			if p.QuitText() != goodbye {
				t.Errorf("%s reads %q at quitting, want %q", p.Player().Name, p.QuitText(), goodbye)
			}
			if got := p.ExitText("Stop."); got != "Stop."+want || strings.HasSuffix(got, " ") {
				t.Errorf("%s reads %q, want %q", p.Player().Name, got, "Stop."+want)
			}
		}
		b.manager.Drain() // a moment before
		b.rest()
		if got := waiting.ExitText("Stop."); got != "Stop."+queue {
			t.Errorf("it reads %q", got)
		}
	})
}

// Players of a server that cannot record see so, for as long as it lasts.
func TestCutOffServerSaysSo(t *testing.T) {
	j := journaltest.NewFaulty(0)
	inBubbleWith(t, manager.Config{Journal: j}, func(b *harness) {
		first, _ := b.pair("notakto/3")
		waiting := b.comeTo(keyed("cleo"), start.Start{At: start.Queue})
		j.Fail(match.ErrUnavailable)
		b.advance(10 * time.Second)
		for _, p := range []*person{first, waiting} {
			p.mustSee("Nothing can be recorded just now: wait, or connect again.")
			p.send(tea.WindowSizeMsg{Width: minWidth, Height: minHeight})
			p.mustSee("Nothing is recorded: wait.")
		}
		j.Fail(nil)
		b.advance(3 * time.Second)
		for _, p := range []*person{first, waiting} {
			p.mustNotSee("recorded")
		}
	})
}

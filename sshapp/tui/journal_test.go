package tui

import (
	"context"
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match/manager"

	"notakto/match"
	"notakto/match/journaltest"
	"notakto/rules"
	"notakto/sshapp/start"
)

func TestNothingCanBeRecorded(t *testing.T) {
	j := journaltest.NewFaulty(0)
	inBubbleWith(t, manager.Config{Journal: j}, func(b *harness) {
		first, second := b.pair("notakto/3")
		waiting := b.comeTo(keyed("cleo"), start.Start{At: start.Queue})
		j.Fail(match.ErrUnavailable)
		b.advance(10 * time.Second)
		for _, p := range []*person{first, waiting} {
			p.mustSee("The server cannot save moves now: wait, or connect again.")
			p.resize(minWidth, minHeight)
			p.mustSee("Moves are not saved: wait.")
		}
		j.Fail(nil)
		b.advance(3 * time.Second)
		waiting.mustNotSee("not saved")
		first.mustNotSee("not saved")
		first.resize(80, 24)
		first.press("B left")
		at := first.screen.(*tableScreen).cursor
		j.Fail(context.DeadlineExceeded)
		first.press("space").mustSee("No answer yet: watch the board.", "Your turn")
		testkit.Equal(t, first.screen.(*tableScreen).cursor, at)
		j.Fail(nil)
		first.press("space 1s").mustSee("B4")
		second.mustSee("Your turn")
	})
}

func TestExitText(t *testing.T) {
	const kept = " Your match is kept as it stands."
	const queue = " You were removed from the queue: join it again when you are back."
	inBubble(t, func(b *harness) {
		lobby := b.come(keyed("eve"))
		waiting := b.comeTo(keyed("dan"), start.Start{At: start.Queue, Terms: match.Terms{Variant: rules.TicTacToe()}})
		first, _ := b.pair("notakto/3")
		guest := b.comeTo(guest("gail"), start.Start{At: start.Computer})
		code := tableOf(guest.screen).Seat(tableOf(guest.screen).Side).Code
		guest.press("q y")
		first.press("q y 2 enter")
		for p, want := range map[*person]string{
			lobby: "", waiting: queue, first: " Your 2 matches are kept as they stand.",
			guest: kept + "\nTo come back, log in with the command join " + string(code),
		} {
			goodbye := "Goodbye, " + p.Player().Name + "."
			if _, way, isGuest := strings.Cut(want, "\n"); isGuest {
				goodbye += "\n" + way
			}
			testkit.Equal(t, p.QuitText(), goodbye, p.Player().Name)
			if got := p.ExitText("Stop."); got != "Stop."+want || strings.HasSuffix(got, " ") {
				t.Errorf("%s reads %q, want %q", p.Player().Name, got, "Stop."+want)
			}
		}
		b.manager.Drain() // the server stops a moment later
		b.rest()
		testkit.Equal(t, waiting.ExitText("Stop."), "Stop."+queue)
	})
}

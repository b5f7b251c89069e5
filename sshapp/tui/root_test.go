package tui

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/journaltest"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/sshapp/start"
)

func TestCut(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, _ := b.pair("notakto/3")
		first.press("ctrl+c")
		first.mustSee("Quit Notakto?", "Your seat is kept; you have 60 s")
		first.press("n")
		first.mustNotSee("Quit Notakto?")
		small := b.come(keyed("gus"))
		small.resize(20, 5)
		for p, keys := range map[*person]string{
			first: "ctrl+c ctrl+c", b.come(keyed("cleo")): "q y", b.come(keyed("eve")): "3 down ctrl+c y",
			small: "ctrl+c ctrl+c",
		} {
			if p.press(keys); !p.quit {
				t.Errorf("%s is still there after %s", p.Player().Name, keys)
			}
		}
	})
}

func TestAwaitsOpponent(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		invite := b.comeTo(keyed("cleo"), start.Start{At: start.Private})
		queue := b.comeTo(keyed("dan"), start.Start{At: start.Queue})
		check := func() {
			for _, p := range []*person{first, second, invite, queue, b.come(keyed("eve"))} {
				testkit.Equal(t, p.AwaitsOpponent(), p == second, p.Player().Name, p.sees())
			}
		}
		check()
		first.press("q y")
		second.press("q y 2s")
		check() // from the lobby
	})
}

func TestHostileName(t *testing.T) {
	inBubble(t, func(b *harness) {
		player := keyed("x")
		player.Name = "a\x1b]52;c;aGk=\x07\u202e\u0085" + strings.Repeat("棋", 60)
		p := b.comeTo(player, start.Start{At: start.Computer})
		for _, size := range sizes() {
			p.resize(size[0], size[1])
			p.sees()
			if content := p.View().Content; strings.Contains(content, "\x1b]") ||
				strings.ContainsAny(content, "\u0085\x07") {
				t.Fatalf("a control character in a frame: %q", content)
			}
			if title := p.View().WindowTitle; strings.Contains(title, "a") && strings.Contains(title, "棋") ||
				ansi.Strip(title) != title {
				t.Fatalf("title %q", title)
			}
		}
	})
}

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

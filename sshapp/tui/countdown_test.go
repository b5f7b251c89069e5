package tui

import (
	"context"
	"slices"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/manager"
)

// A screen without a countdown schedules no message, and a thousand idle sessions cost no time.
func TestStillScreens(t *testing.T) {
	for name, picture := range pictures() {
		inBubble(t, func(b *harness) {
			p := picture(b)
			b.advance(2 * time.Second) // the last tick of the waiting screen passes
			before := p.taken
			b.advance(10 * time.Second)
			want := 0
			if slices.Contains([]string{"rush", "waiting", "waiting_clock", "waiting_offer", "table_last_seconds"},
				name) {
				want = 10
			}
			switch name {
			case "demonstration":
				want = 5 // moves
			case "lobby_moves", "table_days":
				want = 2 // a look at the other matches
			}
			testkit.Equal(t, p.taken-before, want, name)
		})
	}
}

func TestAwayCountdown(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		// taken returns the number of messages that the second player's session takes in ten seconds.
		taken := func() int {
			before := second.taken
			b.advance(10 * time.Second)
			return second.taken - before
		}
		first.press("q y 1s").mustSee("within 59 s, or the match ends")
		second.mustSee("59 s to come back")
		first.press("enter 5 q y 2s")
		testkit.Equal(t, taken(), 0)
		second.press("1").mustSee("60 s to come back")
		second.press("2").mustSee("It is not your turn yet.")
		second.press("2s").mustNotSee("It is not your turn yet.")
		second.mustSee("58 s to come back")
		testkit.Equal(t, taken() <= 11, true)
		second.mustSee("48 s to come back")
		first.press("enter")
		second.mustSee("ann is back.")
		second.mustNotSee("(away)")
		b.advance(2 * time.Second)
		testkit.Equal(t, taken(), 0)
	})
}

// ahead is a journal with a clock ahead of this process's clock, like the clock of another machine.
type ahead struct{ *match.Memory }

const ahead5 = 5 * time.Second

func (j ahead) Now() time.Time { return j.Memory.Now().Add(ahead5) }

func (j ahead) Append(ctx context.Context, events ...match.Event) (match.Event, error) {
	e, err := j.Memory.Append(ctx, events...)
	e.At = e.At.Add(ahead5)
	return e, err
}

func (j ahead) Subscribe(fn func(match.Event)) (stop func()) {
	return j.Memory.Subscribe(func(e match.Event) {
		e.At = e.At.Add(ahead5)
		fn(e)
	})
}

// The grace begins again after a restart of the server.
func TestCountdownsGoByTheJournalsClock(t *testing.T) {
	cfg := manager.Config{Journal: ahead{match.NewMemory()}, FirstMove: noLimit}
	inBubbleWith(t, cfg, func(b *harness) {
		first, second := b.pair("notakto/3", "A5")
		second.press("q y 20s")
		first.mustSee("40 s to come back")
		b.end()
		b.manager = manager.New(cfg)
		again := b.come(first.env.player)
		again.press("enter")
		again.mustSee("60 s to come back")
		b.advance(10 * time.Second)
		again.mustSee("50 s to come back")
	})
}

func TestLimitOfAMoveIsCounted(t *testing.T) {
	cfg := manager.Config{FirstMove: manager.DefaultFirstMove, LaterMove: manager.DefaultLaterMove}
	inBubbleWith(t, cfg, func(b *harness) {
		ann, bob := b.pair("notakto/3")
		ann.mustSee("Make your first move: 30 s left, or the match is cancelled.")
		bob.mustSee("ann has 30 s to make the first move.")
		b.advance(5 * time.Second)
		ann.mustSee("Make your first move: 25 s left")
		ann.press("5")
		bob.press("tab 5")
		bob.mustNotSee("left")
		before := ann.taken
		b.advance(manager.DefaultLaterMove - time.Minute - time.Second)
		if n := ann.taken - before; n > 3 {
			t.Errorf("%d messages while there is time enough", n)
		}
		b.advance(time.Second)
		ann.mustSee("Move within 60 s, or you lose.")
		bob.mustSee("ann has 60 s left to move.")
		b.advance(time.Minute)
		ann.mustSee("You ran out of time.")
		bob.mustSee("ann ran out of time.")
	})
}

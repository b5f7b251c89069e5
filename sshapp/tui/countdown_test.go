package tui

import (
	"context"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/start"
)

// A screen on which nothing happens schedules nothing: a thousand of them cost nothing. Only those that count seconds
// move, once a second.
func TestStillScreens(t *testing.T) {
	for name, picture := range pictures() {
		inBubble(t, func(b *harness) {
			p := picture(b)
			b.advance(2 * time.Second) // the last second that the waiting screen asked for goes by
			before := p.taken
			b.advance(10 * time.Second)
			want := 0
			if name == "waiting" || name == "waiting_clock" || name == "waiting_offer" || name == "table_last_seconds" {
				want = 10
			}
			if got := p.taken - before; got != want {
				t.Errorf("%s: %d messages in 10 s, want %d", name, got, want)
			}
		})
	}
}

// The time to come back is counted once a second while it runs, and not a second longer.
func TestAwayCountdown(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		b.play(first, second, "A5")
		first.press("q y")
		b.advance(2 * time.Second)
		before := second.taken
		b.advance(10 * time.Second)
		if got := second.taken - before; got != 0 {
			t.Errorf("%d messages while the opponent is away on one's own turn", got)
		}
		second.press("1")
		second.mustSee("60 s to come back")
		before = second.taken
		b.advance(10 * time.Second)
		second.mustSee("50 s to come back")
		if got := second.taken - before; got != 11 { // one of them after the first second: whose turn it is
			t.Errorf("%d messages in 10 s of the countdown", got)
		}
		first.press("enter")
		b.advance(2 * time.Second)
		before = second.taken
		b.advance(10 * time.Second)
		if got := second.taken - before; got != 0 {
			t.Errorf("%d messages after the opponent came back", got)
		}
	})
}

// ahead is a journal with a clock of its own, like another machine's.
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

// The seconds were counted by the server's own clock, and were wrong by as much as that differs from the one that
// decides.
func TestCountdownsGoByTheJournalsClock(t *testing.T) {
	inBubbleWith(t, manager.Config{Journal: ahead{match.NewMemory()}}, func(b *harness) {
		first, second := b.pair("notakto/3")
		b.play(first, second, "A5")
		first.press("q y")
		second.press("1")
		second.mustSee("60 s to come back")
		b.advance(10 * time.Second)
		second.mustSee("50 s to come back")
	})
}

// After a restart the grace begins anew. The seconds went on from where the player had gone, and stood at 0 for as long
// as the restart had given.
func TestCountdownsKnowOfARestart(t *testing.T) {
	cfg := manager.Config{Journal: match.NewMemory(), FirstMove: noLimit}
	inBubbleWith(t, cfg, func(b *harness) {
		first, second := b.pair("notakto/3")
		b.play(first, second, "A5")
		second.press("q y")
		b.advance(20 * time.Second)
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

// The lobby said for how long one may be away from a match, and went on to say so until it was lost.
func TestTheLobbyCountsDown(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		first.press("q y")
		b.advance(time.Second)
		first.mustSee("within 59 s, or the match ends")
		b.advance(9 * time.Second)
		first.mustSee("within 50 s")
		second.mustSee("50 s to come back")
	})
}

// The time for a move is counted where it is short, and costs nothing before.
func TestLimitOfAMoveIsCounted(t *testing.T) {
	cfg := manager.Config{FirstMove: manager.DefaultFirstMove, LaterMove: manager.DefaultLaterMove}
	inBubbleWith(t, cfg, func(b *harness) {
		ann, bob := b.pair("notakto/3")
		ann.mustSee("Your first move: 30 s left, then the match is void.")
		bob.mustSee("ann has 30 s for the first move.")
		b.advance(5 * time.Second)
		ann.mustSee("Your first move: 25 s left")
		ann.press("5")
		bob.press("tab 5")
		bob.mustNotSee("left")
		before := ann.taken
		b.advance(manager.DefaultLaterMove - time.Minute - time.Second)
		if n := ann.taken - before; n > 3 {
			t.Errorf("%d messages while there is time enough", n)
		}
		b.advance(time.Second)
		ann.mustSee("60 s left for your move, or you lose.")
		bob.mustSee("ann has 60 s left to move.")
		b.advance(time.Minute)
		ann.mustSee("You ran out of time.")
		bob.mustSee("ann ran out of time.")
	})
}

// A table with a running clock costs nothing before its last 20 seconds.
func TestClockIsCountedAtItsEnd(t *testing.T) {
	inBubble(t, func(b *harness) {
		from := start.Start{At: start.Computer, Terms: match.DefaultTerms(), Level: strategy.Perfect, Side: rules.First}
		if err := from.Clock.UnmarshalText([]byte("3+0")); err != nil {
			b.Fatal(err)
		}
		ann := b.comeTo(keyed("ann"), from)
		b.rest()
		ann.press("5")
		b.advance(10 * time.Second)
		ann.press("tab tab 5")
		b.advance(time.Second)
		for _, size := range [][2]int{{120, 40}, {40, 16}, {80, 24}} {
			ann.resize(size[0], size[1])
			ann.mustSee("2:50", "3:00")
		}
		before, shown := ann.taken, ann.sees()
		b.advance(140 * time.Second)
		if n := ann.taken - before; n > 1 || ann.sees() != shown { // the timer of the first move
			t.Errorf("%d messages while the clock has more than 20 s, and\n%s\nis now\n%s", n, shown, ann.sees())
		}
		b.advance(15 * time.Second)
		ann.mustSee("14 s left for your move, or you lose.", "0:14", "3:00")
		b.advance(20 * time.Second)
		ann.mustSee("You ran out of time.")
	})
}

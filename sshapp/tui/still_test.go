package tui

import (
	"testing"
	"time"
)

// A screen on which nothing happens schedules nothing: a thousand of them cost nothing. Only the two that count seconds move, once a second.
func TestStillScreens(t *testing.T) {
	for name, picture := range pictures() {
		inBubble(t, func(b *bed) {
			p := picture(b)
			b.pass(2 * time.Second) // the last second that the waiting screen asked for goes by
			before := p.taken
			b.pass(10 * time.Second)
			want := 0
			if name == "waiting" || name == "waiting_offer" {
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
	inBubble(t, func(b *bed) {
		first, second := b.pair("notakto/3")
		b.play(first, second, "A5")
		first.press("q y")
		b.pass(2 * time.Second)
		before := second.taken
		b.pass(10 * time.Second)
		if got := second.taken - before; got != 0 {
			t.Errorf("%d messages while the opponent is away on one's own turn", got)
		}
		second.press("1")
		second.mustSee("60 s to come back")
		before = second.taken
		b.pass(10 * time.Second)
		second.mustSee("50 s to come back")
		if got := second.taken - before; got != 11 { // one of them after the first second: whose turn it is
			t.Errorf("%d messages in 10 s of the countdown", got)
		}
		first.press("enter")
		b.pass(2 * time.Second)
		before = second.taken
		b.pass(10 * time.Second)
		if got := second.taken - before; got != 0 {
			t.Errorf("%d messages after the opponent came back", got)
		}
	})
}

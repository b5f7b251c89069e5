package tui

import (
	"testing"
	"time"

	"notakto/internal/testkit"
)

const (
	alertTitle = "● Your turn — Notakto"
	idle       = "Notakto"
)

func (p *person) mustBeTitled(title string) {
	p.Helper()
	testkit.Equal(p, p.View().WindowTitle, title)
}

func TestTurnThatLasts(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		turn := second.Player().Name + "'s turn"
		for _, size := range [][2]int{{80, 24}, {40, 16}, {100, 36}} {
			first.resize(size[0], size[1])
			first.mustSee("Your turn")
			first.mustBeTitled(alertTitle)
			cell := []string{"5", "6", "1"}[len(tableOf(first.screen).Moves)/2]
			first.press(cell)
			first.mustNotSee("A"+cell, turn)
			first.mustBeTitled(alertTitle)
			b.advance(turnBannerDelay)
			first.mustSee("A"+cell, turn)
			first.mustNotSee("Your turn")
			first.mustBeTitled(idle)
			second.press("B " + []string{"5", "6", "1"}[len(tableOf(first.screen).Moves)/2])
		}
	})
}

// An answer that comes at once rings, but changes neither the banner nor the title. The timer of the banner that
// began with the earlier move must not count for a later turn.
func TestTurnThatIsShort(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		turn := second.Player().Name + "'s turn"
		first.press("5")
		rings := first.Bell()
		second.press("B 5")
		first.mustSee("Your turn")
		first.mustBeTitled(alertTitle)
		testkit.Equal(t, first.Bell(), rings)
		<-time.After(turnBannerDelay * 6 / 10)
		first.press("1")
		<-time.After(turnBannerDelay * 6 / 10)
		b.rest()
		first.mustNotSee(turn)
		first.mustBeTitled(alertTitle)
		b.advance(turnBannerDelay)
		first.mustSee(turn)
		first.mustBeTitled(idle)
	})
}

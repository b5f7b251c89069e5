package tui

import (
	"testing"
	"time"

	"notakto/match"
	"notakto/sshapp/start"
)

const (
	alertTitle = "● Your turn — Notakto"
	idle       = "Notakto"
)

func (p *person) mustBeTitled(title string) {
	p.Helper()
	if got := p.View().WindowTitle; got != title {
		p.Errorf("the title is %q, want %q", got, title)
	}
}

// After one's own move the banner and the list of moves stay for a moment. Only a turn of the other's that lasts is
// worth words, and the title.
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

// An answer that comes at once changes neither the title nor says whose turn it has been, and rings. The second that
// began with the move before means nothing then, not even for the next turn.
func TestTurnThatIsShort(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		turn := second.Player().Name + "'s turn"
		first.press("5")
		rings := first.Bell()
		second.press("B 5")
		first.mustSee("Your turn")
		first.mustBeTitled(alertTitle)
		if first.Bell() != rings {
			t.Errorf("%d bells for the answer to a key", first.Bell()-rings)
		}
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

// Who comes to a table, and who only looks on, is told at once whose turn it is.
func TestTurnIsShownToAReturningPlayer(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		second.mustSee(first.Player().Name + "'s turn")
		third := b.comeTo(keyed("cleo"), start.Start{At: start.Match, Match: tableOf(first.screen).ID})
		first.press("5")
		third.mustSee(second.Player().Name + "'s turn")
		first.press("q y enter")
		first.mustSee(second.Player().Name + "'s turn")
		first.mustBeTitled(idle)
	})
}

// A slow session may be shown its own move together with the answer to it: then its turn has begun again all the same.
func TestBellForAnAnswerThatCameWithTheMove(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		b.play(first, second, "A5", "B5")
		at := tableOf(first.screen)
		newest, rings := at.Snapshot, first.Bell()
		at.Snapshot = &match.Snapshot{State: new(stateBefore(*newest.State))}
		b.advance(watchedFor)
		first.take(&snapshotMsg{table: at, snapshot: newest})
		if first.Bell() != rings+1 {
			t.Errorf("%d bells", first.Bell()-rings)
		}
	})
}

// stateBefore is a match as it was two moves ago.
func stateBefore(s match.State) match.State {
	s.Moves = s.Moves[:len(s.Moves)-2]
	s.Position = s.Variant.Start()
	for _, m := range s.Moves {
		s.Position, _ = s.Position.Play(m)
	}
	return s
}

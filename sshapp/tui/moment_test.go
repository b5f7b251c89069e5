package tui

import (
	"strings"
	"testing"
	"time"

	"notakto/sshapp/start"
)

// inMotion is inBubble for sessions that show moments.
func inMotion(t *testing.T, test func(*harness)) {
	t.Helper()
	inBubble(t, func(b *harness) {
		b.moving = true
		test(b)
	})
}

// shows checks which moment a session shows.
func (p *person) shows(want momentKind) {
	p.Helper()
	if got := p.env.moment.kind; got != want {
		p.Fatalf("moment %d, want %d:\n%s", got, want, p.sees())
	}
}

func TestABoardDiesInAMoment(t *testing.T) {
	inMotion(t, func(b *harness) {
		first, second := b.pair("notakto/2")
		b.play(first, second, "A5", "B5", "A1", "B1", "A9")
		for _, p := range []*person{first, second} {
			p.shows(momentDeath)
			if sees := p.sees(); strings.Contains(sees, "A dead") {
				t.Errorf("the board is settled:\n%s", sees)
			}
		}
		b.advance(momentDeath.duration())
		cleo := b.comeTo(keyed("cleo"), start.Start{At: start.Match})
		for _, p := range []*person{first, second, cleo} {
			p.shows(noMoment)
			p.mustSee("A dead")
		}
	})
}

// The frames are the flash of the last board, the first word of the headline, and the whole result.
func TestAMatchEndsInThreeFrames(t *testing.T) {
	inMotion(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		moves := []string{"B4", "A5", "A9", "A1", "B2", "B5", "B3", "B6", "C3", "C5", "C2", "C7"}
		b.play(first, second, moves...)
		const you, won = "█ █ █▀█ █ █", "█ ▄ █ █▀█ █▄ █"
		first.shows(momentEnd)
		if sees := first.sees(); strings.Contains(sees, you) || strings.Contains(sees, "C dead") {
			t.Errorf("the first frame:\n%s", sees)
		}
		b.advance(momentEnd.duration())
		first.shows(momentHeadline)
		first.mustSee(you, "C dead")
		if sees := first.sees(); strings.Contains(sees, won) {
			t.Errorf("the second frame:\n%s", sees)
		}
		b.advance(momentHeadline.duration())
		first.shows(noMoment)
		first.mustSee(you, won)
	})
}

func TestAnOpponentIsFoundInAMoment(t *testing.T) {
	inMotion(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		for _, p := range []*person{first, second} {
			p.shows(momentFound)
			p.mustSee("ann - bob")
		}
		first.mustSee("You move first.")
		second.mustSee("ann moves first.")
		b.advance(momentFound.duration())
		first.shows(noMoment)
		if sees := first.sees(); strings.Contains(sees, "ann - bob") {
			t.Errorf("the moment does not end:\n%s", sees)
		}
	})
}

func TestAKeyEndsAMoment(t *testing.T) {
	inMotion(t, func(b *harness) {
		first, second := b.pair("notakto/2")
		first.send(keyPress("5"))
		first.shows(noMoment)
		first.mustSee("look, then press the key again")
		b.advance(time.Second)
		first.press("5")
		second.mustSee("A5")
		b.play(second, first, "B5", "A1", "B1", "A9")
		second.shows(momentDeath)
		second.press("B 9")
		second.shows(momentEnd)
		second.press("v")
		second.mustSee("Review: ann – bob, 2 boards, you lost")
		b.advance(momentEnd.duration() + momentHeadline.duration())
		second.mustSee("Review: ann – bob, 2 boards, you lost")
		second.shows(noMoment)
	})
}

func TestEnterWaitsForTheHeadline(t *testing.T) {
	inMotion(t, func(b *harness) {
		first, second := b.pair("notakto/1")
		b.advance(momentFound.duration())
		b.play(first, second, "A5", "A1", "A2", "A8")
		b.advance(momentEnd.totalDuration() + first.env.answerDelay() - time.Millisecond)
		first.send(keyPress("enter"))
		first.mustSee("Enter rematch")
		b.advance(time.Millisecond)
		first.send(keyPress("enter"))
		first.mustSee("You want a rematch.")
	})
}

func TestNoMoments(t *testing.T) {
	far := func() time.Duration { return 300 * time.Millisecond }
	for name, calm := range map[string]func(p *person){
		"switched off": func(p *person) { p.press("z") },
		"a slow link":  func(p *person) { p.env.roundTrip = far },
	} {
		t.Run(name, func(t *testing.T) {
			inMotion(t, func(b *harness) {
				first, second := b.pair("notakto/2")
				b.advance(momentFound.duration())
				b.play(first, second, "A5", "B5", "A1", "B1")
				calm(first)
				b.advance(time.Second)
				b.play(first, second, "A9")
				first.shows(noMoment)
				first.mustSee("A dead")
				second.shows(momentDeath)
				b.play(second, first, "B9")
				first.shows(noMoment)
				first.mustSee("bob killed the last board.")
			})
		})
	}
}

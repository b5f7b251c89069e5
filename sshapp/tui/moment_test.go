package tui

import (
	"testing"
	"time"

	"notakto/internal/testkit"
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

func TestAKeyEndsAMoment(t *testing.T) {
	inMotion(t, func(b *harness) {
		first, second := b.pair("notakto/2")
		first.send(keyPress("5"))
		first.shows(noMoment)
		first.mustSee("look, then press the key again")
		first.press("1s 5")
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

func TestNoMoments(t *testing.T) {
	far := func() time.Duration { return 300 * time.Millisecond }
	for name, calm := range map[string]func(p *person){
		"switched off": func(p *person) { p.press("z") },
		"a slow link":  func(p *person) { p.env.roundTrip = far },
	} {
		inMotion(t, func(b *harness) {
			first, second := b.pair("notakto/2", "1s", "A5", "B5", "A1", "B1")
			calm(first)
			b.play(first, second, "1s", "A9")
			second.shows(momentDeath)
			testkit.Equal(t, first.env.moment.kind, noMoment, name)
			first.mustSee("A dead")
			b.play(second, first, "B9")
			testkit.Equal(t, first.env.moment.kind, noMoment, name)
			first.mustSee("bob killed the last board.")
		})
	}
}

// The end has three frames: the flash of the last board, the first word of the headline, and the whole result.
func TestMoments(t *testing.T) {
	inMotion(t, func(b *harness) {
		first, second := b.pair("notakto/2")
		for _, p := range []*person{first, second} {
			p.shows(momentFound)
			p.mustSee("ann - bob", map[bool]string{true: "You move first.", false: "ann moves first."}[p == first])
		}
		b.advance(momentFound.duration())
		first.shows(noMoment)
		first.mustNotSee("ann - bob")
		first.send(keyPress("5")) // pressed during the moment
		first.mustSee("look, then press the key again")

		b.play(first, second, "A5", "B5", "A1", "B1", "A9")
		for _, p := range []*person{first, second} {
			p.shows(momentDeath)
			p.mustNotSee("A dead")
		}
		b.advance(momentDeath.duration())
		cleo := b.comeTo(keyed("cleo"), start.Start{At: start.Match})
		for _, p := range []*person{first, second, cleo} {
			p.shows(noMoment)
			p.mustSee("A dead")
		}

		b.play(second, first, "B9")
		const you, won = "█ █ █▀█ █ █", "█ ▄ █ █▀█ █▄ █"
		first.shows(momentEnd)
		first.mustNotSee(you, "B dead")
		b.advance(momentEnd.duration())
		first.shows(momentHeadline)
		first.mustSee(you, "B dead")
		first.mustNotSee(won)
		b.advance(momentHeadline.duration() + first.env.answerDelay() - time.Millisecond)
		first.shows(noMoment)
		first.send(keyPress("enter")) // too soon after the headline
		first.mustSee(you, won, "Enter rematch")
		b.advance(time.Millisecond)
		first.send(keyPress("enter"))
		first.mustSee("You want a rematch.")
	})
}

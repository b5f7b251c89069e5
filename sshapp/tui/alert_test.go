package tui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/internal/testkit"
	"notakto/sshapp/render"
)

func (p *person) alertIs(number uint, text string) {
	p.Helper()
	testkit.Equal(p, p.Alert(), render.Alert{Number: number, Text: text})
}

func TestAPlayerWhoDoesNotLookGetsOneAlertForEachTurn(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		begin := second.Alert().Number
		first.press("5")
		second.alertIs(begin, "")
		second.press("B 5")
		b.advance(lookedFor)
		testkit.Equal(t, [2]render.Status{first.Status(), second.Status()},
			[2]render.Status{render.Blocked, render.Working})
		first.press("C 5")
		text := "Your turn against " + first.Player().Name
		second.alertIs(1, text)
		second.send(tea.FocusMsg{})
		b.advance(time.Minute)
		second.alertIs(1, text)
		second.press("A 1")
		b.advance(lookedFor - time.Second)
		second.send(tea.FocusMsg{}) // without a key
		b.advance(lookedFor - time.Second)
		first.press("A 2")
		second.alertIs(1, text)
		second.press("B 1 q") // the match is not shown
		b.advance(lookedFor)
		first.press("C 1 10s")
		second.alertIs(2, text)
	})
}

func TestTheBellIsForPlayersWhoPressNoKey(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3", "A5")
		rings := first.Bell()
		b.advance(attentiveFor - time.Second)
		second.press("B 5")
		testkit.Equal(t, first.Bell(), rings, "it rings for who has just pressed a key")
		first.press("C 5")
		second.press("!") // neither alerts nor a bell
		b.advance(attentiveFor)
		second.press("A 1")
		testkit.Equal(t, first.Bell(), rings+1, "it does not ring for who has pressed no key for a while")
		b.advance(lookedFor)
		rings = second.Bell()
		first.press("B 1")
		second.alertIs(0, "")
		testkit.Equal(t, second.Status(), render.NoStatus)
		testkit.Equal(t, second.Bell(), rings)
		second.press("! C 1") // the bell only
		b.advance(lookedFor)
		first.press("A 9")
		second.alertIs(0, "")
		testkit.Equal(t, second.Bell(), rings+1)
	})
}

func TestAnAlertTellsOfAnOpponent(t *testing.T) {
	inBubble(t, func(b *harness) {
		ann, bob := b.come(keyed("ann")), b.come(keyed("bob"))
		ann.press("enter 1 enter")
		testkit.Equal(t, [2]render.Status{ann.Status(), bob.Status()}, [2]render.Status{render.Working, render.Idle})
		b.advance(lookedFor)
		bob.press("right 1 enter")
		text := "Your match against bob begins"
		if tableOf(ann.screen).IsMyTurn() {
			text = "Your turn against bob"
		}
		ann.alertIs(1, text)
	})
}

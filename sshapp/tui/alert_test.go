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
		if first.Status() != render.Blocked || second.Status() != render.Working {
			t.Errorf("the statuses are %d and %d", first.Status(), second.Status())
		}
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
	})
}

func TestAnAlertTellsOfAMatchThatIsNotShown(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		first.press("5")
		second.press("B 5 q")
		b.advance(lookedFor)
		first.press("C 5")
		b.advance(10 * time.Second)
		second.alertIs(1, "Your turn against "+first.Player().Name)
	})
}

func TestAnAlertTellsOfAnOpponent(t *testing.T) {
	inBubble(t, func(b *harness) {
		ann, bob := b.come(keyed("ann")), b.come(keyed("bob"))
		ann.press("enter 1 enter")
		if ann.Status() != render.Working || bob.Status() != render.Idle {
			t.Errorf("the statuses are %d and %d", ann.Status(), bob.Status())
		}
		b.advance(lookedFor)
		bob.press("right 1 enter")
		text := "Your match against bob begins"
		if tableOf(ann.screen).IsMyTurn() {
			text = "Your turn against bob"
		}
		ann.alertIs(1, text)
	})
}

func TestAlertsCanBeOff(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		second.press("!")
		b.advance(lookedFor)
		rings := second.Bell()
		first.press("5")
		second.alertIs(0, "")
		if second.Status() != render.NoStatus || second.Bell() != rings {
			t.Errorf("status %d, %d bells", second.Status(), second.Bell()-rings)
		}
		second.press("! B 5") // the bell only
		b.advance(lookedFor)
		first.press("C 5")
		second.alertIs(0, "")
		testkit.Equal(t, second.Bell(), rings+1)
	})
}

package tui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/internal/testkit"
	"notakto/sshapp/start"
)

// holds holds a key down for three seconds and fails if the key places a mark. Pressed again after a pause, the key
// must place a mark.
func (p *person) holds(key string) {
	p.Helper()
	const pause = 50 * time.Millisecond
	table := tableOf(p.screen)
	before := len(table.Moves)
	for range 3 * time.Second / pause {
		p.send(keyPress(key))
		p.mustSee("look, then press the key again")
		if len(table.Moves) != before || tableOf(p.screen) != table {
			p.Fatalf("%q has moved:\n%s", key, p.sees())
		}
		p.advance(pause)
	}
	p.advance(time.Second)
	if p.send(keyPress(key)); len(table.Moves) == before {
		p.Fatalf("%q does not move:\n%s", key, p.sees())
	}
}

func TestAKeyForTheScreenBeforeIsNoMove(t *testing.T) {
	afterAMinute := func(b *harness) *person {
		first, _ := b.pair("notakto/3")
		b.advance(time.Minute)
		return first
	}
	mover := func(b *harness, one, two *person) *person {
		first, _ := b.inOrder(one, two)
		return first
	}
	for name, scene := range map[string]func(b *harness, key string) *person{
		"a rematch": func(b *harness, key string) *person {
			first, second := b.pair("notakto/1", "A5", "A1", "A9")
			first.press("enter")
			first.send(keyPress(key))
			second.press("enter")
			return mover(b, first, second)
		},
		"a friend": func(b *harness, key string) *person {
			ann := b.comeTo(keyed("ann"), start.Start{At: start.Private})
			ann.send(keyPress(key))
			return mover(b, ann, b.comeTo(keyed("bob"), start.Start{At: start.Code, Code: tableOf(ann.screen).Code}))
		},
		"an opponent": func(b *harness, key string) *person {
			from := start.Start{At: start.Queue}
			ann := b.comeTo(keyed("ann"), from)
			if key != "enter" { // Enter starts the computer's match while the player waits
				ann.send(keyPress(key))
			}
			return mover(b, ann, b.comeTo(keyed("bob"), from))
		},
		"the help goes": func(b *harness, key string) *person {
			p := afterAMinute(b)
			p.press("?")
			p.send(keyPress(key))
			return p
		},
		"the window grows": func(b *harness, key string) *person {
			p := afterAMinute(b)
			p.resize(20, 5)
			p.send(keyPress(key))
			p.resize(80, 24)
			return p
		},
	} {
		for _, key := range []string{"5", "enter", "space"} {
			t.Run(name+", "+key, func(t *testing.T) {
				inBubble(t, func(b *harness) { scene(b, key).holds(key) })
			})
		}
	}
}

func TestAKeyHeldDownIsNoAnswer(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		b.advance(time.Minute)
		second.send(keyPress("B"), keyPress("9"))
		second.mustSee("It is not your turn yet.")
		b.advance(300 * time.Millisecond)
		first.press("5")
		b.advance(350 * time.Millisecond) // so long keyboards wait before they repeat a key
		second.holds("9")
	})
}

// After a board has died, the program moves the cursor to the next board. A digit for the dead board must not go
// there.
func TestADigitForABoardThatHasDiedIsNoMove(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		second.press("m")
		b.play(first, second, "A1", "A2", "A3")
		second.send(keyPress("7"))
		second.mustSee("look, then press the key again")
		x, y := second.place(" 5 ") // a click neither
		second.send(tea.MouseClickMsg{X: x + 1, Y: y, Button: tea.MouseLeft})
		testkit.Equal(t, len(tableOf(second.screen).Moves), 3)
		second.press("7")
		if m := tableOf(second.screen).Moves; len(m) != 4 || m[3].String() != "B7" {
			t.Errorf("moves %v", m)
		}
	})
}

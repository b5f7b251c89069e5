package tui

import (
	"testing"
	"time"

	"notakto/rules"
	"notakto/sshapp/start"
)

// mover is which of two players is to move.
func (b *harness) mover(one, two *person) *person {
	b.Helper()
	for _, p := range []*person{one, two} {
		if at := tableOf(p.screen); at != nil && at.IsMyTurn() {
			return p
		}
	}
	b.Fatalf("nobody is to move:\n%s", one.sees())
	return nil
}

// holds holds a key down for a while, which must place nothing. Pressed anew after a pause it must.
func (p *person) holds(key string) {
	p.Helper()
	const pause = 50 * time.Millisecond
	at := tableOf(p.screen)
	before := len(at.Moves)
	for range 3 * time.Second / pause {
		p.send(keyPress(key))
		if len(at.Moves) != before || tableOf(p.screen) != at {
			p.Fatalf("%q has moved:\n%s", key, p.sees())
		}
		p.advance(pause)
	}
	p.advance(time.Second)
	if p.send(keyPress(key)); len(at.Moves) == before {
		p.Fatalf("%q does not move:\n%s", key, p.sees())
	}
}

// A digit or an Enter that was meant for the screen before placed a mark on boards that the player had not seen: one
// that was pressed when they came up, and one that was held down.
func TestAKeyForTheScreenBeforeIsNoMove(t *testing.T) {
	afterAMinute := func(b *harness) *person {
		first, _ := b.pair("notakto/3")
		b.advance(time.Minute)
		return first
	}
	for name, scene := range map[string]func(b *harness, key string) *person{
		"a rematch": func(b *harness, key string) *person {
			first, second := b.pair("notakto/1")
			b.play(first, second, "A5", "A1", "A9")
			first.press("enter")
			first.send(keyPress(key))
			second.press("enter")
			return b.mover(first, second)
		},
		"a friend": func(b *harness, key string) *person {
			ann := b.comeTo(keyed("ann"), start.Start{At: start.Private})
			ann.send(keyPress(key))
			return b.mover(ann, b.comeTo(keyed("bob"), start.Start{At: start.Code, Code: tableOf(ann.screen).Code}))
		},
		"an opponent": func(b *harness, key string) *person {
			from := start.Start{At: start.Queue}
			ann := b.comeTo(keyed("ann"), from)
			if key != "enter" { // which plays the computer meanwhile
				ann.send(keyPress(key))
			}
			return b.mover(ann, b.comeTo(keyed("bob"), from))
		},
		"the computer": func(b *harness, _ string) *person {
			return b.comeTo(keyed("ann"), start.Start{At: start.Computer, Side: rules.First})
		},
		"the help goes": func(b *harness, key string) *person {
			p := afterAMinute(b)
			p.press("?")
			p.send(keyPress(key))
			return p
		},
		"a question goes": func(b *harness, _ string) *person { return b.after(afterAMinute(b), "q n") },
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
		t.Run(name+", keys just after", func(t *testing.T) {
			inBubble(t, func(b *harness) {
				p := scene(b, "z")
				at := tableOf(p.screen)
				for _, key := range []string{"1", "enter", "9", "space", "2", "3"} {
					p.send(keyPress(key))
					p.mustSee("look, then press the key again")
					b.advance(45 * time.Millisecond)
				}
				b.advance(time.Second)
				if p.send(keyPress("7")); len(at.Moves) == 0 {
					t.Errorf("no move:\n%s", p.sees())
				}
			})
		})
	}
}

// Boards that a moment covers have not been seen.
func TestAKeyBehindAMomentIsNoMove(t *testing.T) {
	inMotion(t, func(b *harness) {
		first, _ := b.pair("notakto/3")
		b.advance(momentFound.duration() - 10*time.Millisecond)
		for range 5 {
			b.advance(50 * time.Millisecond)
			first.send(keyPress("5"))
			first.mustSee("look, then press the key again")
		}
	})
}

// A digit that was held down while the opponent thought was the answer to a move that the player had not seen.
func TestAKeyHeldDownIsNoAnswer(t *testing.T) {
	for _, key := range []string{"9", "enter"} {
		t.Run(key, func(t *testing.T) {
			inBubble(t, func(b *harness) {
				first, second := b.pair("notakto/3")
				b.advance(time.Minute)
				second.send(keyPress("B"), keyPress(key))
				second.mustSee("It is not your turn yet.")
				b.advance(300 * time.Millisecond)
				first.press("5")
				b.advance(350 * time.Millisecond) // as keyboards wait before they repeat a key
				second.holds(key)
			})
		})
	}
}

// A digit for a board that had just died was placed on the next one, to which the cursor had gone by itself.
func TestADigitForABoardThatHasDiedIsNoMove(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		b.play(first, second, "A1", "A2", "A3")
		second.send(keyPress("7"))
		second.mustSee("look, then press the key again")
		if n := len(tableOf(second.screen).Moves); n != 3 {
			t.Fatalf("%d moves", n)
		}
		second.press("7")
		if m := tableOf(second.screen).Moves; len(m) != 4 || m[3].String() != "B7" {
			t.Errorf("moves %v", m)
		}
	})
}

// A click on boards that have just come up was meant for what was shown before.
func TestAClickOnBoardsThatHaveJustComeUpIsNoMove(t *testing.T) {
	inBubble(t, func(b *harness) {
		ann := b.withMouse("ann", start.Start{At: start.Private}, 80, 24)
		b.advance(time.Minute)
		p := b.mover(ann, b.withMouse("bob", start.Start{At: start.Code, Code: tableOf(ann.screen).Code}, 80, 24))
		at := tableOf(p.screen)
		x, y := p.place(" 5 ")
		for range 2 {
			p.clickAt(x+1, y)
			b.advance(time.Second)
		}
		if len(at.Moves) != 1 {
			t.Errorf("moves %v", at.Moves)
		}
	})
}

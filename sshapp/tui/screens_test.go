package tui

import (
	"fmt"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/start"
)

// pictures leads a session to each of the screens.
func pictures() map[string]func(b *bed) *person {
	computer := start.Place{At: start.Computer, Level: strategy.Perfect, Side: rules.First}
	return map[string]func(b *bed) *person{
		"lobby":    func(b *bed) *person { return b.come(keyed("ann")) },
		"computer": func(b *bed) *person { return b.after(b.come(keyed("ann")), "2 down right") },
		"private":  func(b *bed) *person { return b.after(b.come(keyed("ann")), "3") },
		"join":     func(b *bed) *person { return b.after(b.come(keyed("ann")), "3 down k 7 q") },
		"join_guest": func(b *bed) *person {
			return b.after(b.come(keyed("ann")), "3 down k 7 q 4 r t x 9")
		},
		"invite": func(b *bed) *person { return b.comeTo(keyed("ann"), start.Place{At: start.Private}) },
		"howto":  func(b *bed) *person { return b.after(b.come(keyed("ann")), "5 5 9") },
		"howto_dead": func(b *bed) *person {
			return b.after(b.come(keyed("ann")), "5 1 5 9")
		},
		"watch_empty": func(b *bed) *person { return b.after(b.come(keyed("ann")), "4") },
		"watch": func(b *bed) *person {
			b.play2("notakto/3", "A5", "B5")
			return b.after(b.come(keyed("cleo")), "4")
		},
		"waiting": func(b *bed) *person { return b.comeTo(keyed("ann"), start.Place{At: start.Queue}) },
		"waiting_offer": func(b *bed) *person {
			p := b.comeTo(keyed("ann"), start.Place{At: start.Queue})
			b.pass(75 * time.Second)
			return p
		},
		"table": func(b *bed) *person { return b.play2("notakto/3", "A5", "B5", "A1", "B1", "A9", "C2") },
		"table_six": func(b *bed) *person {
			return b.play2("notakto/6", "A5", "B5", "A1", "E1", "A9", "E5", "F3", "E9")
		},
		"table_nine": func(b *bed) *person {
			return b.play2("notakto/9", "A5", "B5", "A1", "E1", "A9", "E5", "I3", "E9")
		},
		"table_tictactoe": func(b *bed) *person {
			return b.after(b.comeTo(keyed("ann"), computerOn(computer, rules.TicTacToe())), "5")
		},
		"spectator": func(b *bed) *person {
			b.play2("notakto/3", "A5", "B5")
			return b.comeTo(keyed("cleo"), start.Place{At: start.Match})
		},
		"resign": func(b *bed) *person { return b.after(b.play2("notakto/3", "A5", "B5"), "r") },
		"help":   func(b *bed) *person { return b.after(b.play2("notakto/3", "A5", "B5"), "?") },
		"result": func(b *bed) *person { return b.play2("notakto/2", "A5", "B5", "A1", "B1", "A9", "B9") },
		"review": func(b *bed) *person {
			return b.after(b.play2("notakto/2", "A5", "B5", "A1", "B1", "A9", "B9"), "v up up")
		},
	}
}

// after is a person after some keys.
func (b *bed) after(p *person, keys string) *person {
	p.press(keys)
	return p
}

// play2 is the first of two people who have played some moves.
func (b *bed) play2(variant string, moves ...string) *person {
	first, second := b.pair(variant)
	b.play(first, second, moves...)
	return first
}

func computerOn(p start.Place, v rules.Variant) start.Place {
	p.Variant = v
	return p
}

// The text of every screen, at the smallest window, the usual one and the largest canvas. Run with -update after a wanted change.
func TestScreens(t *testing.T) {
	for name, picture := range pictures() {
		t.Run(name, func(t *testing.T) {
			texts := make(map[string]string)
			inBubble(t, func(b *bed) {
				p := picture(b)
				for _, size := range [][2]int{{40, 16}, {80, 24}, {100, 36}} {
					p.resize(size[0], size[1])
					texts[fmt.Sprintf("%dx%d", size[0], size[1])] = p.sees() + "\n"
				}
			})
			for size, text := range texts {
				t.Run(size, func(t *testing.T) { golden.RequireEqual(t, text) })
			}
		})
	}
}

package tui

import (
	"fmt"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"notakto/match"
	"notakto/match/history"
	"notakto/match/rating"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/start"
)

// pictures leads a session to each of the screens.
func pictures() map[string]func(b *harness) *person {
	computer := start.Start{At: start.Computer, Level: strategy.Perfect, Side: rules.First}
	return map[string]func(b *harness) *person{
		"lobby": func(b *harness) *person { return b.come(keyed("ann")) },
		"lobby_live": func(b *harness) *person {
			b.play2("notakto/3", "A5", "B5", "A1", "B1", "A9", "C2")
			return b.come(keyed("cleo"))
		},
		"lobby_nine": func(b *harness) *person { // for whose boards a small window has no room
			b.play2("notakto/9", "A5", "B5", "A1")
			return b.come(keyed("cleo"))
		},
		"computer": func(b *harness) *person { return b.after(b.come(keyed("ann")), "2 down right") },
		"opponent": func(b *harness) *person { return b.after(b.come(keyed("ann")), "enter") },
		"opponent_rated": func(b *harness) *person {
			b.comeTo(keyed("bob"), start.Start{At: start.Queue})
			b.comeTo(keyed("cleo"), computerOn(start.Start{At: start.Queue}, rules.TicTacToe()))
			b.advance(listEvery)
			return b.after(b.come(keyed("ann")), "enter down right")
		},
		"private": func(b *harness) *person { return b.after(b.come(keyed("ann")), "3") },
		"join":    func(b *harness) *person { return b.after(b.come(keyed("ann")), "3 down k 7 q") },
		"join_guest": func(b *harness) *person {
			return b.after(b.come(keyed("ann")), "3 down k 7 q 4 r t x 9")
		},
		"invite": func(b *harness) *person { return b.comeTo(keyed("ann"), start.Start{At: start.Private}) },
		"howto":  func(b *harness) *person { return b.after(b.come(keyed("ann")), "5 5 9") },
		"howto_dead": func(b *harness) *person {
			return b.after(b.come(keyed("ann")), "5 1 5 9")
		},
		"watch_clock": func(b *harness) *person {
			first, second := b.pair("notakto/3 3+2")
			b.play(first, second, "A5", "B5")
			return b.after(b.come(keyed("cleo")), "4")
		},
		"waiting_clock": func(b *harness) *person {
			b.comeTo(keyed("bob"), start.Start{At: start.Queue})
			from := start.Start{At: start.Queue}
			if err := from.Clock.UnmarshalText([]byte("3+2")); err != nil {
				b.Fatal(err)
			}
			return b.comeTo(keyed("ann"), from)
		},
		"watch_empty": func(b *harness) *person { return b.after(b.come(keyed("ann")), "4") },
		"watch": func(b *harness) *person {
			b.play2("notakto/3", "A5", "B5")
			return b.after(b.come(keyed("cleo")), "4")
		},
		"you": func(b *harness) *person {
			p := b.come(keyed("ann"))
			you := newYou(p.env)
			you.take(finishedMatches())
			you.row, p.screen = 2, you
			return p
		},
		"you_empty": func(b *harness) *person { return b.after(b.come(keyed("ann")), "7") },
		"ladder": func(b *harness) *person {
			p := b.come(keyed("ann"))
			best := ladderOf()
			ladder := newLadder(p.env)
			ladder.take(best, best[6])
			ladder.row, p.screen = 6, ladder
			return p
		},
		"ladder_empty": func(b *harness) *person { return b.after(b.come(keyed("ann")), "6") },
		"waiting":      func(b *harness) *person { return b.comeTo(keyed("ann"), start.Start{At: start.Queue}) },
		"waiting_offer": func(b *harness) *person {
			p := b.comeTo(keyed("ann"), start.Start{At: start.Queue})
			b.advance(75 * time.Second)
			return p
		},
		"table": func(b *harness) *person { return b.play2("notakto/3", "A5", "B5", "A1", "B1", "A9", "C2") },
		"table_six": func(b *harness) *person {
			return b.play2("notakto/6", "A5", "B5", "A1", "E1", "A9", "E5", "F3", "E9")
		},
		"table_nine": func(b *harness) *person {
			return b.play2("notakto/9", "A5", "B5", "A1", "E1", "A9", "E5", "I3", "E9")
		},
		"table_tictactoe": func(b *harness) *person {
			return b.after(b.comeTo(keyed("ann"), computerOn(computer, rules.TicTacToe())), "5")
		},
		"table_clock": func(b *harness) *person {
			first, second := b.pair("notakto/3 5+0")
			b.play(first, second, "A5", "B5")
			b.advance(47 * time.Second)
			b.play(first, second, "A1", "B1")
			return first
		},
		"table_last_seconds": func(b *harness) *person {
			first, second := b.pair("notakto/3 5+0")
			b.play(first, second, "A5", "B5")
			b.advance(286 * time.Second)
			return first
		},
		"result_clock": func(b *harness) *person {
			first, second := b.pair("notakto/3 5+0")
			b.play(first, second, "A5", "B5", "A1")
			b.advance(301 * time.Second)
			return second
		},
		"spectator": func(b *harness) *person {
			b.play2("notakto/3", "A5", "B5")
			return b.comeTo(keyed("cleo"), start.Start{At: start.Match})
		},
		"resign": func(b *harness) *person { return b.after(b.play2("notakto/3", "A5", "B5"), "r") },
		"help":   func(b *harness) *person { return b.after(b.play2("notakto/3", "A5", "B5"), "?") },
		"result": func(b *harness) *person { return b.play2("notakto/2", "A5", "B5", "A1", "B1", "A9", "B9") },
		"result_three": func(b *harness) *person {
			return b.play2("notakto/3", "B4", "A5", "A9", "A1", "B2", "B5", "B3", "B6", "C3", "C5", "C2", "C7")
		},
		"result_pair": func(b *harness) *person {
			first, second := b.rated()
			first.press("r y")
			b.advance(match.SecondGameDelay)
			first.press("r y")
			second.send(rated{tableOf(second.screen), firstPair(), history.Standing{}})
			return second
		},
		"review": func(b *harness) *person {
			return b.after(b.play2("notakto/2", "A5", "B5", "A1", "B1", "A9", "B9"), "v up up")
		},
	}
}

// firstPair is the first rated pair of a player, who has won it.
func firstPair() history.RatedPair {
	after := rating.New()
	after.Points, after.Deviation, after.Pairs = 1_662_000, 290_000, 1
	return history.RatedPair{Match: "last", Counts: true, Before: rating.New(), After: after}
}

// after is a person after some keys.
func (b *harness) after(p *person, keys string) *person {
	p.press(keys)
	return p
}

// play2 is the first of two people who have played some moves.
func (b *harness) play2(variant string, moves ...string) *person {
	first, second := b.pair(variant)
	b.play(first, second, moves...)
	return first
}

func computerOn(p start.Start, v rules.Variant) start.Start {
	p.Variant = v
	return p
}

// The text of every screen, at the smallest window, the usual one, a large one and the largest canvas. Run with -update
// after a wanted change.
func TestScreens(t *testing.T) {
	for name, picture := range pictures() {
		t.Run(name, func(t *testing.T) {
			texts := make(map[string]string)
			inBubble(t, func(b *harness) {
				p := picture(b)
				for _, size := range [][2]int{{40, 16}, {80, 24}, {120, 40}, {200, 60}} {
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

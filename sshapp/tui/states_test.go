package tui

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/journaltest"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/start"
	"notakto/sshapp/wording"
)

// states returns functions that lead a session to the states that pictures lack, such as notices, alerts and
// questions. [person.mustBeWhole] checks the screen after each message.
func states() map[string]func(b *harness) {
	computer := start.Start{At: start.Computer, Level: strategy.Perfect, Side: rules.First}
	queue := start.Start{At: start.Queue}
	return map[string]func(b *harness){
		"lobby": func(b *harness) {
			p := b.come(keyed("ann"))
			for range 9 {
				p.press("down")
			}
			for range 14 {
				p.press("right")
			}
			p.press("q n esc n ctrl+c n ?")
		},
		"lobby, others wait": func(b *harness) {
			b.comeTo(keyed("bob"), queue)
			b.after(b.come(keyed("ann")), "g")
		},
		"lobby, own matches": func(b *harness) {
			for _, v := range []rules.Variant{rules.TicTacToe(), rules.DefaultVariant()} {
				b.after(b.comeTo(keyed("ann"), computerOn(computer, v)), "5 q y")
			}
			b.comeTo(keyed("ann"), start.Start{At: start.Private})
			b.after(b.come(keyed("ann")), "down down down up")
			b.advance(2 * time.Minute)
		},
		"settings": func(b *harness) {
			p := b.come(keyed("ann"))
			p.press("t t t t p p m m b b z z")
			for _, key := range []string{"2", "3", "4", "5", "6", "7"} {
				p.press(key + " ? x esc")
			}
		},
		"computer": func(b *harness) {
			p := b.after(b.come(keyed("ann")), "2")
			for range 5 {
				for range 12 {
					p.press("right")
				}
				p.press("down")
			}
		},
		"private": func(b *harness) {
			p := b.after(b.come(keyed("ann")), "3")
			for range 5 {
				for range 12 {
					p.press("right")
				}
				p.press("down")
			}
			p.press("k 7 enter q x enter 4 r t x 9 enter backspace enter")
		},
		"private, invitation": func(b *harness) {
			for _, clock := range []string{"3+2", "1d"} {
				from := start.Start{At: start.Private}
				testkit.OK(b, from.Clock.UnmarshalText([]byte(clock)))
				b.after(b.comeTo(keyed("ann"), from), "? x q n q y")
			}
		},
		"queue": func(b *harness) {
			ann := b.after(b.comeTo(keyed("ann"), queue), "?")
			ann.press("x")
			b.advance(80 * time.Second)
			ann.press("c")
			ann.press("q")
			b.comeTo(keyed("ann"), queue)
			b.manager.Drain()
			b.rest()
		},
		"queue, others": func(b *harness) {
			b.comeTo(keyed("bob"), start.Start{At: start.Queue, Terms: match.Terms{Variant: rules.TicTacToe()}})
			b.comeTo(keyed("ann"), start.Start{At: start.Queue, Terms: match.RatedTerms(match.PeoplePool)})
			b.advance(80 * time.Second)
		},
		"table": func(b *harness) {
			first, second := b.pair("notakto/3")
			second.press("5")
			first.press("D A ? x r n q n ctrl+c n x n x y x 5 5 5")
			second.press("1")
			b.advance(time.Second)
			for _, p := range []*person{first, second} {
				p.press("A tab 5 ?")
			}
			cleo := b.comeTo(keyed("cleo"), start.Start{At: start.Match})
			b.comeTo(keyed("dan"), start.Start{At: start.Match})
			cleo.press("? x")
			first.press("?")
			first.press("x")
			first.Close()
			b.advance(time.Minute)
		},
		"table, computer": func(b *harness) {
			for _, v := range []rules.Variant{rules.TicTacToe(), rules.DefaultVariant()} {
				p := b.comeTo(keyed("ann"), computerOn(computer, v))
				p.press("x x 5 5 B r n q n ctrl+c n ? x r y")
				b.advance(time.Second)
				p.press("? x v g g n n ? x left p")
				p.press("q y")
			}
		},
		"table, guest": func(b *harness) {
			p := b.comeTo(guest("gail"), start.Start{At: start.Computer, Side: rules.First})
			p.press("? x q n ctrl+c n 5 q y 7 esc 6 esc 1 right right right")
			b.comeTo(guest("gail"), queue)
		},
		"table, 3+2":  func(b *harness) { b.useUpTime("3+2") },
		"table, 5+0":  func(b *harness) { b.useUpTime("5+0") },
		"table, days": func(b *harness) { b.useUpTime("1d") },
		"table, elsewhere": func(b *harness) {
			first, second := b.pair("notakto/3")
			first.press("q y 2 enter")
			b.advance(3 * time.Second)
			first.press("q y")
			second.press("q y 1")
			b.advance(40 * time.Second)
			b.comeTo(keyed("cleo"), queue)
			b.advance(10 * time.Second)
			second.press("o q y")
			b.advance(2 * time.Minute)
			for _, p := range []*person{first, second} {
				p.press("enter")
				p.Close()
				b.comeTo(p.Player(), start.Start{})
			}
		},
		"rated pair": func(b *harness) {
			first, second := b.rated()
			cleo := b.comeTo(keyed("cleo"), start.Start{At: start.Match})
			for _, p := range []*person{first, second} {
				p.press("x ? x r n q n ctrl+c n")
			}
			first.press("r y")
			first.press("v ? x s")
			b.advance(match.SecondGameDelay)
			second.press("? x q n")
			second.press("r y")
			b.advance(time.Second)
			for _, p := range []*person{first, second, cleo} {
				p.press("? x s v g n n g left left ? x p")
			}
		},
		"result": func(b *harness) {
			for _, moves := range [][]string{
				{"A5", "B5", "A1", "B1", "A9", "B9"}, {"A5", "B5", "A1", "B1", "A9", "B2", "B8"},
			} {
				first, second := b.pair("notakto/2")
				cleo := b.comeTo(keyed("cleo"), start.Start{At: start.Match})
				b.play(first, second, moves...)
				for _, p := range []*person{first, second, cleo} {
					p.press("? x s")
				}
				for _, p := range []*person{cleo, first, second} {
					p.press("v ? x home n n n g g end p")
					p.press("q")
				}
				first.press("q")
				first.press("esc esc")
				second.press("enter")
				first.Close()
				b.advance(time.Second)
			}
		},
		"result, rematch": func(b *harness) {
			first, second := b.pair("notakto/1")
			cleo := b.comeTo(keyed("cleo"), start.Start{At: start.Match})
			b.play(first, second, "A5", "A1", "A9")
			first.press("enter v")
			second.press("v")
			cleo.press("v")
			second.press("enter")
			cleo.press("enter")
		},
		"result, time": func(b *harness) {
			first, second := b.pair("notakto/3 3+2")
			b.play(first, second, "A5", "B5")
			b.advance(200 * time.Second)
			for _, p := range []*person{first, second} {
				p.press("v g ? x esc ? x")
			}
		},
		"result, away": func(b *harness) {
			first, second := b.pair("notakto/3")
			cleo := b.comeTo(keyed("cleo"), start.Start{At: start.Match})
			b.play(first, second, "A5", "B5")
			first.Close()
			b.advance(90 * time.Second)
			second.press("v ? x")
			cleo.press("v")
			b.come(first.Player())
			b.comeTo(keyed("dan"), start.Start{})
		},
		"result, draw": func(b *harness) {
			p := b.comeTo(keyed("ann"), computerOn(computer, rules.TicTacToe()))
			for _, key := range []string{"5", "1", "2", "3", "4", "6", "7", "8", "9"} {
				p.press(key)
				b.advance(time.Second)
			}
			p.press("v g n up up up g")
		},
		"messages": func(b *harness) {
			p := b.come(keyed("ann"))
			for _, text := range []string{
				"Maintenance begins at 2026-11-25 08:00:00 UTC: no new matches begin then.",
				"The server stops in ten minutes. Please finish your matches; they are kept and go on after the " +
					"next start.",
			} {
				p.send(Notice(text))
				p.press("down")
				p.send(Announcement(text))
				b.advance(10 * time.Second)
				p.press("down")
			}
			b.comeAs(Config{Player: keyed("ann-2"), Renamed: true})
			b.comeAs(Config{Player: keyed("ann"), Renamed: true, Host: "games.example.org"})
			b.comeAs(Config{Player: keyed("ann"), DeletedAt: time.Now().Add(48 * time.Hour)})
		},
	}
}

// useUpTime makes two people play with a clock until one of them leaves.
func (b *harness) useUpTime(clock string) {
	first, second := b.pair("notakto/3 " + clock)
	b.play(first, second, "A5")
	first.press("q n r n ctrl+c n")
	second.press("q n r n")
	b.advance(20 * time.Second)
	b.play(second, first, "B5")
	b.advance(100 * time.Second)
	first.Close()
	b.advance(80 * time.Second)
}

// longName is a suffix that makes names as long as allowed.
const longName = "-of-long-name#k7"

func TestSentencesFitIntoTheSmallestWindow(t *testing.T) {
	all := states()
	for name, picture := range pictures() {
		all["picture, "+name] = func(b *harness) { b.after(picture(b), "?") }
	}
	for name, state := range all {
		for _, suffix := range []string{"", longName} {
			t.Run(fmt.Sprintf("%s, %d", name, len(suffix)), func(t *testing.T) {
				cfg := manager.Config{FirstMove: 30 * time.Second, LaterMove: 5 * time.Minute}
				inBubbleWith(t, cfg, func(b *harness) {
					b.suffix = suffix
					state(b)
				})
			})
		}
	}
}

func TestErrorsFitIntoTheSmallestWindow(t *testing.T) {
	j := journaltest.NewFaulty(0)
	inBubbleWith(t, manager.Config{Journal: j}, func(b *harness) {
		first, _ := b.pair("notakto/3")
		for _, err := range []error{
			match.ErrAddressFull, match.ErrTooMany, match.ErrDraining, match.ErrNewer, match.ErrDamaged,
			match.ErrRatedTable,
			match.ErrSeatInUse, match.ErrTooManyLookups, match.ErrTooManyCodes, match.ErrGuestRated, errors.New("x"),
		} {
			first.send(failedMsg{nil, err})
			first.mustSee(wording.Explain(err).Short)
		}
		for _, why := range []string{
			"the disk is full; try again soon", "the database does not answer",
		} {
			j.Fail(fmt.Errorf("%w: %s", match.ErrUnavailable, why))
			first.press("5")
		}
		b.advance(20 * time.Second)
	})
}

package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/history"
	"notakto/match/progress"
	"notakto/match/rating"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/start"
)

// pictures returns functions that lead a session to each of the screens.
func pictures() map[string]func(b *harness) *person {
	computer := start.Start{At: start.Computer, Level: strategy.Perfect, Side: rules.First}
	return map[string]func(b *harness) *person{
		"lobby": func(b *harness) *person { return b.come(keyed("ann")) },
		"lobby_live": func(b *harness) *person {
			b.play2("notakto/3", "A5", "B5", "A1", "B1", "A9", "C2")
			return b.come(keyed("cleo"))
		},
		"lobby_nine": func(b *harness) *person { // a small window has no room for nine boards
			b.play2("notakto/9", "A5", "B5", "A1")
			return b.come(keyed("cleo"))
		},
		"computer": func(b *harness) *person { return b.come(keyed("ann")).press("2 down right") },
		"opponent": func(b *harness) *person { return b.come(keyed("ann")).press("enter") },
		"opponent_rated": func(b *harness) *person {
			b.comeTo(keyed("bob"), start.Start{At: start.Queue})
			b.comeTo(keyed("cleo"), computerOn(start.Start{At: start.Queue}, rules.TicTacToe()))
			b.advance(pollInterval)
			return b.come(keyed("ann")).press("enter down right")
		},
		"private":    func(b *harness) *person { return b.come(keyed("ann")).press("3") },
		"join":       func(b *harness) *person { return b.come(keyed("ann")).press("3 down k 7 q") },
		"join_guest": func(b *harness) *person { return b.come(keyed("ann")).press("3 down k 7 q 4 r t x 9") },
		"invite":     func(b *harness) *person { return b.comeTo(keyed("ann"), start.Start{At: start.Private}) },
		"watch_clock": func(b *harness) *person {
			b.pair("notakto/3 3+2", "A5", "B5")
			return b.come(keyed("cleo")).press("4")
		},
		"waiting_clock": func(b *harness) *person {
			b.comeTo(keyed("bob"), start.Start{At: start.Queue})
			from := start.Start{At: start.Queue}
			testkit.OK(b, from.Clock.UnmarshalText([]byte("3+2")))
			return b.comeTo(keyed("ann"), from)
		},
		"watch_empty": func(b *harness) *person {
			p := b.come(keyed("ann"))
			p.run(p.show(newWatch(p.env)))
			b.rest()
			return p
		},
		"demonstration": func(b *harness) *person { return b.come(keyed("ann")).press("4 6s") },
		"watch": func(b *harness) *person {
			b.play2("notakto/3", "A5", "B5")
			return b.come(keyed("cleo")).press("4")
		},
		"you": func(b *harness) *person {
			p := b.come(keyed("ann"))
			you := newYou(p.env)
			you.take(finishedMatches())
			you.row, p.screen = 2, you
			return p
		},
		"you_empty": func(b *harness) *person { return b.come(keyed("ann")).press("7") },
		"ladder": func(b *harness) *person {
			p := b.come(keyed("ann"))
			best := ladderOf()
			ladder := newLadder(p.env)
			ladder.take(best, best[6])
			ladder.row, p.screen = 6, ladder
			return p
		},
		"ladder_empty": func(b *harness) *person { return b.come(keyed("ann")).press("6") },
		"waiting":      func(b *harness) *person { return b.comeTo(keyed("ann"), start.Start{At: start.Queue}) },
		"waiting_offer": func(b *harness) *person {
			return b.comeTo(keyed("ann"), start.Start{At: start.Queue}).press("75s")
		},
		"table": func(b *harness) *person { return b.play2("notakto/3", "A5", "B5", "A1", "B1", "A9", "C2") },
		"table_six": func(b *harness) *person {
			return b.play2("notakto/6", "A5", "B5", "A1", "E1", "A9", "E5", "F3", "E9")
		},
		"table_nine": func(b *harness) *person {
			return b.play2("notakto/9", "A5", "B5", "A1", "E1", "A9", "E5", "I3", "E9")
		},
		"table_tictactoe": func(b *harness) *person {
			return b.comeTo(keyed("ann"), computerOn(computer, rules.TicTacToe())).press("5")
		},
		"table_clock": func(b *harness) *person {
			return b.play2("notakto/3 5+0", "A5", "B5", "47s", "A1", "B1")
		},
		"table_last_seconds": func(b *harness) *person { return b.play2("notakto/3 5+0", "A5", "B5", "286s") },
		"result_clock": func(b *harness) *person {
			_, second := b.pair("notakto/3 5+0", "A5", "B5", "A1", "301s")
			return second
		},
		"spectator": func(b *harness) *person {
			b.play2("notakto/3", "A5", "B5")
			return b.comeTo(keyed("cleo"), start.Start{At: start.Match})
		},
		"resign": func(b *harness) *person { return b.play2("notakto/3", "A5", "B5").press("r") },
		"help":   func(b *harness) *person { return b.play2("notakto/3", "A5", "B5").press("?") },
		"takeback_asked": func(b *harness) *person {
			first, second := b.pair("notakto/3", "A5", "B5", "A1")
			first.press("u")
			return second
		},
		"takeback_done": func(b *harness) *person {
			first, second := b.pair("notakto/3", "A5", "B5", "A1")
			first.press("u 1s")
			return second.press("u")
		},
		"hint":     func(b *harness) *person { return b.comeTo(keyed("ann"), computer).press("i") },
		"hint_why": func(b *harness) *person { return b.comeTo(keyed("ann"), computer).press("i i i") },
		"review_takeback": func(b *harness) *person {
			first, second := b.pair("notakto/2", "A5", "B5")
			second.press("u 1s")
			first.press("u")
			b.play(second, first, "B1", "A1")
			first.press("r y 5s")
			return first.press("v up")
		},
		"result": func(b *harness) *person { return b.play2("notakto/2", "A5", "B5", "A1", "B1", "A9", "B9") },
		"result_three": func(b *harness) *person {
			return b.play2("notakto/3", "B4", "A5", "A9", "A1", "B2", "B5", "B3", "B6", "C3", "C5", "C2", "C7")
		},
		"result_pair": func(b *harness) *person {
			first, second := b.rated()
			first.press("r y")
			b.advance(match.SecondGameDelay)
			first.press("r y")
			second.send(ratedPairMsg{tableOf(second.screen), firstPair(), history.Standing{}})
			return second
		},
		"lessons": func(b *harness) *person {
			p := b.come(keyed("ann"))
			p.press("l")
			rows := p.screen.(*learnScreen).rows
			rows[1].done, rows[2].done = rows[1].Size(), 3
			p.press("down")
			return p
		},
		"lesson":       func(b *harness) *person { return b.lesson(4) },
		"lesson_wrong": func(b *harness) *person { return b.lesson(4).press("B 1") },
		"lesson_right": func(b *harness) *person { return b.lesson(4).press("6") },
		"lesson_end":   func(b *harness) *person { return b.lesson(1).solveAll() },
		"visit":        func(b *harness) *person { return b.comeAs(Config{Player: keyed("ann"), FirstVisit: true}) },
		"visit_kills": func(b *harness) *person {
			return b.comeAs(Config{Player: keyed("ann"), FirstVisit: true}).press("5 1 9 3 4 6 7 8 2")
		},
		"visit_end": func(b *harness) *person {
			return b.comeAs(Config{Player: keyed("ann"), FirstVisit: true}).finishVisit()
		},
		"visit_second": func(b *harness) *person {
			return b.comeAs(Config{Player: keyed("ann"), FirstVisit: true}).finishVisit().press("1s enter")
		},
		"daily":       func(b *harness) *person { return b.daily() },
		"daily_right": func(b *harness) *person { return b.answered(false, true) },
		"daily_wrong": func(b *harness) *person { return b.answered(false, true, false) },
		"daily_end":   func(b *harness) *person { return b.answered(true, true, false, true) },
		"daily_reason": func(b *harness) *person {
			return b.answered(true, true, false, true).press("2")
		},
		"rush":     func(b *harness) *person { return b.rush(true, true, false, true, false) },
		"rush_end": func(b *harness) *person { return b.rush(true, false, false, true, false) },
		"slip":     func(b *harness) *person { return b.slip("notakto/3", "A5", "B5", "A1", "B1") },
		"slip_nine": func(b *harness) *person { // a small window has room for no more than the boards
			return b.slip("notakto/9", "A1", "A2", "B5")
		},
		"lobby_reasons": func(b *harness) *person {
			p := b.come(keyed("ann"))
			today := p.screen.(*lobbyScreen).today
			today.Streak, today.Slips = progress.Streak{Days: 12, HasFreeze: true}, 2
			p.send(ownRecord{matches: 31}, today)
			return p
		},
		"lobby_today": func(b *harness) *person {
			p := b.come(keyed("ann"))
			today := p.screen.(*lobbyScreen).today
			today.Answered = 3
			today.Day = progress.Day{Matches: 12, Solved: 3, Best: progress.BestRun{
				Player: keyed("ivy"), Run: progress.Run{Solved: 22},
			}}
			p.send(ownRecord{matches: 31}, today)
			return p
		},
		"challenges": func(b *harness) *person {
			p := b.come(keyed("ann"))
			b.names = append(b.names, "maximilian-the-great")
			p.press("c")
			p.send(offersMsg{all: offersTo(p.env.player)})
			return p.press("down")
		},
		"challenges_empty": func(b *harness) *person { return b.come(keyed("ann")).press("c") },
		"challenge": func(b *harness) *person {
			p := b.come(keyed("ann"))
			p.env.accounts = testkit.Accounts(b)
			return p.press("c c g u s")
		},
		"challenge_rated": func(b *harness) *person {
			p := b.come(keyed("ann"))
			p.env.accounts = testkit.Accounts(b)
			return p.press("c c right down right down")
		},
		"challenged": func(b *harness) *person {
			p := b.come(keyed("ann"))
			n := client.ChallengeNews{Offer: offersTo(p.env.player)[0], Opponent: keyed("gus")}
			p.run(p.onNews(newsMsg{player: p.env.player.ID, news: []client.ChallengeNews{n}}))
			b.rest()
			return p
		},
		"lobby_moves": func(b *harness) *person {
			p, _ := b.correspondence(3)
			p.send(ownRecord{matches: 31, unseen: unseenResults()})
			return p.press("esc")
		},
		"table_days": func(b *harness) *person {
			p, _ := b.correspondence(3)
			p.press("n 1s C 5 1s")
			return p
		},
		"away": func(b *harness) *person {
			p := b.come(keyed("ann"))
			p.send(ownRecord{matches: 31, unseen: unseenResults()})
			return p.press("down")
		},
		"review": func(b *harness) *person {
			return b.play2("notakto/2", "A5", "B5", "A1", "B1", "A9", "B9").press("v up up")
		},
	}
}

// offersTo returns challenges of all kinds for p.
func offersTo(p match.Player) []client.Offer {
	offer := func(
		kind client.OfferKind, name string, points int, back time.Duration, text string, pool match.Pool,
	) client.Offer {
		o := client.Offer{Kind: kind}
		variant, clock, _ := strings.Cut(text, " ")
		o.ID, o.Maker, o.Since = match.ID(name+text), keyed(name), begin.Add(-back)
		o.Variant, _ = rules.ParseVariant(variant)
		o.Clock, _ = match.ParseClock(clock)
		o.Pool = pool
		if o.Standing.Rating = rating.New(); points > 0 {
			o.Standing.Rating.Points, o.Standing.Ended = points*1000, begin
		}
		if kind == client.OwnOffer {
			o.Maker, o.Invited, o.Expires = p, keyed(name), o.Since.Add(match.ChallengeLife)
		}
		return o
	}
	return []client.Offer{
		offer(client.OfferToYou, "gus", 1498, 0, "notakto/4 6+0", match.PeoplePool),
		offer(client.OfferToYou, "ivy", 0, 2*time.Hour, "notakto/2 3d", match.Casual),
		offer(client.OfferToAnyone, "maximilian-the-great", 1541, 50*time.Hour, "notakto/4 14d", match.PeoplePool),
		offer(client.OfferWaiting, "tarn", 1720, 3*time.Minute, "notakto/9 5+0", match.Casual),
		offer(client.OwnOffer, "joe", 0, 47*time.Hour, "tictactoe 3d", match.Casual),
	}
}

// unseenResults returns results of several kinds, the newest first.
func unseenResults() []history.Entry {
	pair := firstPair()
	pair.Before, pair.After, pair.Result = pair.After, rating.New(), rating.Lost
	after := func(back int, e history.Entry) history.Entry {
		e.Match, e.Side, e.Ended = match.ID(fmt.Sprint(back)), rules.First, begin.Add(time.Duration(-back)*9*time.Hour)
		if e.Variant == (rules.Variant{}) {
			e.Terms = match.DefaultTerms()
		}
		return e
	}
	return []history.Entry{
		after(1, history.Entry{
			Terms: match.RatedTerms(match.PeoplePool), Opponent: keyed("cyd"), Winner: rules.Second, Reason: "boards",
			Pair: pair,
		}),
		after(2, history.Entry{Opponent: keyed("gus"), Winner: rules.First, Reason: "time"}),
		after(3, history.Entry{Opponent: keyed("maximilian-the-great"), Winner: rules.Second, Reason: "abandoned"}),
		after(4, history.Entry{Opponent: keyed("joe"), Reason: "abandoned"}),
		after(5, history.Entry{Opponent: keyed("kim"), Reason: "draw", Terms: match.Terms{Variant: rules.TicTacToe()}}),
		after(6, history.Entry{
			Opponent: keyed("joe"), Reason: history.Withdrawn, Terms: match.RatedTerms(match.PeoplePool),
		}),
		after(7, history.Entry{Opponent: keyed("maximilian-the-great"), Reason: history.Declined}),
		after(8, history.Entry{Reason: history.Expired, Terms: match.Terms{Variant: rules.TicTacToe()}}),
		after(9, history.Entry{Opponent: keyed("maximilian-the-great"), Reason: history.Expired}),
	}
}

// firstPair returns a player after the won first rated pair.
func firstPair() history.RatedPair {
	after := rating.New()
	after.Points, after.Deviation, after.Pairs = 1_662_000, 290_000, 1
	return history.RatedPair{Match: "last", Counts: true, Before: rating.New(), After: after}
}

// play2 returns the first of two people after some moves.
func (b *harness) play2(text string, moves ...string) *person {
	first, _ := b.pair(text, moves...)
	return first
}

func computerOn(p start.Start, v rules.Variant) start.Start {
	p.Variant = v
	return p
}

// The test compares the text of every screen in windows of several sizes. Run with -update after a wanted change.
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

package bot

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/rules/opening"
	"notakto/sshapp/bot/botproto"
)

// seekRated pairs two bots for a rated pair. It returns them in the order of their seats, with the first match.
func (h *harness) seekRated() (first, second *peer, one botproto.Match) {
	h.Helper()
	a, c := h.enter(ann()), h.enter(bob())
	a.says(`{"do":"seek","rated":true,"variant":"chess","clock":"7"}`)
	c.says(`{"do":"seek","rated":true}`)
	mine, theirs := a.match(), c.match()
	if mine.Match == "" || mine.Match != theirs.Match {
		h.Fatalf("they got %+v and %+v", mine, theirs)
	}
	if mine.Seat == 1 {
		return a, c, mine
	}
	return c, a, theirs
}

// match returns the match event among the received events, and drops the others.
func (p *peer) match() (m botproto.Match) {
	p.Helper()
	for _, e := range p.received() {
		if e.str("event") == "match" {
			testkit.OK(p, json.Unmarshal([]byte(e.text), &m))
		}
	}
	return m
}

func TestTheEndOfAPairHasTheRating(t *testing.T) {
	inBubbleWithHistory(t, func(b *harness) {
		first, second, one := b.seekRated()
		first.says(`{"do":"resign","match":"` + string(one.Match) + `"}`)
		first.expects("end rating=nothing")
		second.expects("end rating=nothing")
		pass(match.SecondGameDelay)
		two := second.match()
		first.match()
		first.says(`{"do":"resign","match":"` + string(two.Match) + `"}`)
		for bot, change := range map[*peer]string{
			first:  `"before":1500,"value":1338,"change":-162`,
			second: `"before":1500,"value":1662,"change":162`,
		} {
			want := `,"rating":{` + change + `,"deviation":290,"provisional":true,"pairs":1,"counts":true}}`
			if all := bot.received(); len(all) != 1 || !strings.HasSuffix(all[0].text, want) {
				t.Errorf("received %v, want %s", all, want)
			}
		}
	})
}

// The second game arrives as a match without another seek. The seed arrives at the end of the pair, and yields both
// openings.
func TestRatedPair(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second, one := b.seekRated()
		if !one.Rated || one.Pair == nil || *one.Pair != (botproto.Pair{ID: one.Match, Game: 1}) ||
			one.Clock != "6+0" || len(one.Moves) != 0 || one.Turn != 1 {
			t.Fatalf("the first game: %+v", one)
		}
		if one.Opening == nil || one.Opening.Hash == "" || one.Opening.Seed != "" {
			t.Fatalf("its opening: %+v", one.Opening)
		}
		first.says(`{"do":"rematch","match":"` + string(one.Match) + `"}`)
		first.expects("error code=not_your_turn")
		first.says(`{"do":"resign","match":"` + string(one.Match) + `"}`)
		first.expects("end winner=2 pair_result=nothing")
		second.expects("end winner=2 pair_result=nothing")
		first.says(`{"do":"rematch","match":"` + string(one.Match) + `"}`)
		first.expects("error code=not_your_turn")
		first.says(`{"do":"seek","rated":true}`)
		first.expects("error code=rated")
		pass(match.SecondGameDelay)
		two := second.match()
		if two.Seat != 1 || two.Pair == nil || *two.Pair != (botproto.Pair{ID: one.Match, Game: 2}) ||
			two.Opening.Seed != "" || *two.Opening != *one.Opening {
			t.Fatalf("the second game: %+v", two)
		}
		first.match()
		second.says(`{"do":"resign","match":"` + string(two.Match) + `"}`)
		second.expects("end winner=2 pair_result=1")
		first.expects("end winner=2 pair_result=1")
		first.says(`{"do":"state","match":"` + string(two.Match) + `"}`)
		over := first.match()
		openings := opening.Draw(over.Opening.Seed)
		if opening.Commitment(over.Opening.Seed) != one.Opening.Hash ||
			openings[0].String() != one.Position || openings[1].String() != two.Position {
			t.Errorf("the seed %q does not lead to the openings", over.Opening.Seed)
		}
		first.says(`{"do":"rematch","match":"` + string(two.Match) + `"}`)
		second.says(`{"do":"rematch","match":"` + string(two.Match) + `"}`)
		if again := first.match(); again.Pair == nil || again.Pair.Game != 1 || again.Opening.Hash == one.Opening.Hash {
			t.Errorf("the rematch: %+v", again)
		}
	})
}

// comesBackBetweenTheGames lets the second player of a pair's first game leave, and connect again after that game.
func (h *harness) comesBackBetweenTheGames() (again *peer, one botproto.Match) {
	h.Helper()
	first, second, one := h.seekRated()
	first.says(`{"do":"resign","match":"` + string(one.Match) + `"}`)
	second.leaves()
	p := ann()
	if one.Players[0].ID == p.ID {
		p = bob()
	}
	return h.connect(p), one
}

// The new session's welcome names the first game. From there the bot is taken to the second one.
func TestComingBackBetweenTheGames(t *testing.T) {
	inBubble(t, func(b *harness) {
		again, one := b.comesBackBetweenTheGames()
		again.expects(`welcome matches=["` + string(one.Match) + `"]`)
		again.says(`{"do":"state","match":"` + string(one.Match) + `"}`)
		if m := again.match(); !m.Over || m.Match != one.Match {
			t.Errorf("the state is %+v", m)
		}
		pass(match.SecondGameDelay)
		if two := again.match(); two.Pair == nil || two.Pair.Game != 2 || two.Seat != 1 {
			t.Errorf("the second game: %+v", two)
		}
	})
}

// The second game may begin before the answer to a request for the first. The bot used to wait at the finished game,
// and lost the second on time.
func TestAskingForTheFirstGameWhenTheSecondHasBegun(t *testing.T) {
	inBubble(t, func(b *harness) {
		again, one := b.comesBackBetweenTheGames()
		pass(match.SecondGameDelay)
		again.received()
		again.says(`{"do":"state","match":"` + string(one.Match) + `"}`)
		if two := again.match(); two.Pair == nil || two.Pair.Game != 2 || two.Seat != 1 || two.Over {
			t.Errorf("the second game: %+v", two)
		}
	})
}

// A bot keeps the first game open and finishes many other matches before the second one.
func TestSecondGameIsNotDropped(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second, one := b.seekRated()
		first.says(`{"do":"resign","match":"` + string(one.Match) + `"}`)
		for range maxEnded + 1 {
			second.says(`{"do":"computer","level":"novice"}`)
			second.says(`{"do":"resign","match":"` + string(second.match().Match) + `"}`)
		}
		pass(match.SecondGameDelay)
		if two := second.match(); two.Pair == nil || two.Pair.Game != 2 {
			t.Errorf("the second game: %+v", two)
		}
	})
}

func TestGuestsPlayNoRatedPairs(t *testing.T) {
	inBubble(t, func(b *harness) {
		c := b.enter(guy())
		c.says(`{"do":"seek","rated":true}`)
		c.expects("error code=rated do=seek")
	})
}

// A seek with "rated":false and without a clock has the default clock.
func TestCasualSeekHasTheDefaultClock(t *testing.T) {
	inBubble(t, func(b *harness) {
		c := b.enter(ann())
		c.says(`{"do":"seek","variants":["notakto/3","notakto/5"],"rated":false}`)
		c.expects("seeking variant=notakto/3 clock=5+0")
		waiting := b.manager.Lobby().Waiting("").First[0].Accepts
		clocks := []string{waiting[0].Clock.String(), waiting[1].Clock.String()}
		if !slices.Equal(clocks, []string{"5+0", "7+0"}) {
			t.Errorf("the clocks are %v", clocks)
		}
	})
}

package bot

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/rules/opening"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/wire"
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

// The second game arrives as a match without another seek. The seed arrives at the end of the pair, and yields both
// openings. The last end has the change of the rating.
func TestRatedPair(t *testing.T) {
	inBubbleWithHistory(t, func(b *harness) {
		first, second, one := b.seekRated()
		id := string(one.Match)
		hash := one.Opening.Hash
		want := botproto.Match{
			Match: one.Match, Variant: "notakto/4", Seat: 1, Players: one.Players, Moves: []string{}, Turn: 1,
			Position: one.Position, Clock: "6+0", Clocks: &wire.Clocks{360_000, 360_000}, Rated: true,
			Pair: &botproto.Pair{ID: one.Match, Game: 1}, Opening: &wire.Opening{Hash: hash},
		}
		if !reflect.DeepEqual(one, want) {
			t.Fatalf("the first game: %+v\nwant %+v", one, want)
		}
		first.asked(about(id, "rematch"), "error code=not_your_turn")
		first.asked(about(id, "resign"), "end winner=2 pair_result=nothing rating=nothing")
		second.expects("end winner=2 pair_result=nothing rating=nothing")
		first.asked(about(id, "rematch"), "error code=not_your_turn")
		first.asked(`{"do":"seek","rated":true}`, "error code=rated")
		pass(match.SecondGameDelay)
		two := second.match()
		want.Match, want.Players, want.Position = two.Match, two.Players, two.Position
		want.Pair = &botproto.Pair{ID: one.Match, Game: 2}
		if !reflect.DeepEqual(two, want) || two.Players[0] != one.Players[1] {
			t.Fatalf("the second game: %+v\nwant %+v", two, want)
		}
		id = string(two.Match)
		first.match()
		first.says(about(id, "resign"))
		for bot, change := range map[*peer]string{
			first:  `"pair_result":2,"rating":{"before":1500,"value":1338,"change":-162`,
			second: `"pair_result":2,"rating":{"before":1500,"value":1662,"change":162`,
		} {
			testkit.Contains(t, bot.expects("end")[0].text,
				change+`,"deviation":290,"provisional":true,"pairs":1,"counts":true}}`)
		}
		first.says(about(id, "state"))
		seed := first.match().Opening.Seed
		openings := opening.Draw(seed)
		if opening.Commitment(seed) != hash ||
			openings[0].String() != one.Position || openings[1].String() != two.Position {
			t.Errorf("the seed %q does not lead to the openings", seed)
		}
		first.says(about(id, "rematch"))
		second.says(about(id, "rematch"))
		if again := first.match(); again.Pair == nil || again.Pair.Game != 1 || again.Opening.Hash == hash {
			t.Errorf("the rematch: %+v", again)
		}
	})
}

// The welcome of a bot that comes back between the games names the first one. From there the bot is taken to the second
// one, also if that has begun before the answer to a request for the first. The bot used to wait at the finished game,
// and lost the second on time.
func TestComingBackBetweenTheGames(t *testing.T) {
	for _, comes := range []time.Duration{0, match.SecondGameDelay} {
		inBubble(t, func(b *harness) {
			first, second, one := b.seekRated()
			first.says(about(string(one.Match), "resign"))
			second.leaves()
			again := b.connect(second.player)
			pass(comes)
			again.expects("welcome")
			again.says(about(string(one.Match), "state"))
			if comes == 0 {
				if m := again.match(); !m.Over || m.Match != one.Match {
					t.Errorf("the state is %+v", m)
				}
				pass(match.SecondGameDelay)
			}
			if two := again.match(); two.Pair == nil || two.Pair.Game != 2 || two.Seat != 1 || two.Over {
				t.Errorf("the second game: %+v", two)
			}
		})
	}
}

// A bot keeps the first game open and finishes many other matches before the second one.
func TestSecondGameIsNotDropped(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second, one := b.seekRated()
		first.says(about(string(one.Match), "resign"))
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

package manager

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"notakto/match"
	"notakto/match/lobby"
	"notakto/rules"
	"notakto/rules/opening"
)

func (h *harness) seekRated(p match.Player, pool match.Pool) *lobby.Seek {
	h.Helper()
	s, err := h.Lobby().Seek(h.Context(), p, match.RatedTerms(pool))
	h.must(err)
	return s
}

// rated seats two players at the first game of a rated pair, in the order of their sides.
func (h *harness) rated(one, other match.Player) (first, second *Seat) {
	h.Helper()
	mine, his := h.seekRated(one, match.PeoplePool), h.seekRated(other, match.PeoplePool)
	status, _ := h.status(mine)
	if again, _ := h.status(his); status.Match == "" || again.Match != status.Match {
		h.Fatalf("%s got %+v, %s %+v", one.Name, status, other.Name, again)
	}
	first, second = h.sit(status.Match, one), h.sit(status.Match, other)
	if first.Side() == rules.Second {
		first, second = second, first
	}
	return first, second
}

// who returns the player of a seat.
func (h *harness) who(seat *Seat) match.Player {
	h.Helper()
	state, err := h.tables.index.match(seat.ID())
	h.must(err)
	return state.SeatState(seat.Side()).Player
}

// pairEnds plays a pair to its end, and returns the seats of the second game in their order.
func (h *harness) pairEnds() (one, other *Seat) {
	h.Helper()
	one, other = h.rated(ann(), bob())
	first, second := h.who(one), h.who(other)
	h.must(one.Resign(h.Context()))
	pass(match.SecondGameDelay)
	next := h.sees(one).Next
	one, other = h.sit(next, second), h.sit(next, first)
	h.must(one.Resign(h.Context()))
	return one, other
}

// Two who seek rated terms play a pair: from the two openings of one seed, each of them first once.
func TestRatedPair(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, other := b.rated(ann(), bob())
		first, second := b.who(one), b.who(other)
		s := b.sees(one)
		state, err := b.tables.index.match(one.ID())
		b.must(err)
		openings := opening.Draw(state.Pair.Seed)
		if s.Terms != match.RatedTerms(match.PeoplePool) || s.Position != openings[0] || s.Game() != 1 ||
			s.Turn() != rules.First {
			b.Fatalf("the first game: %+v", s)
		}
		if s.Pair.Seed != "" || s.OpeningHash() != opening.Hash(state.Pair.Seed) || len(state.Pair.Seed) < 26 {
			b.Errorf("the first player sees the seed %q of %q", s.Pair.Seed, state.Pair.Seed)
		}
		b.must(one.Play(b.Context(), s.Position.Legal()[0]))
		b.must(other.Resign(b.Context()))
		pass(match.SecondGameDelay - 1)
		if s := b.sees(one); s.Next != "" || !s.AwaitsSecondGame() {
			b.Fatalf("early: %+v", s)
		}
		pass(1)
		next := b.sees(other).Next
		again, mine := b.sit(next, second), b.sit(next, first)
		s = b.sees(again)
		if again.Side() != rules.First || mine.Side() != rules.Second || s.Position != openings[1] ||
			s.Terms != match.RatedTerms(match.PeoplePool) {
			b.Errorf("the second game: %+v", s)
		}
		if s.Game() != 2 || s.PairID() != one.ID() || s.Pair.FirstWinner != rules.Second || s.Pair.Seed != "" {
			b.Errorf("the second game: %+v", s.Pair)
		}
		b.must(again.Resign(b.Context()))
		if s := b.sees(mine); s.PairPoints(rules.Second) != 2 || s.OpeningSeed() != state.Pair.Seed {
			b.Errorf("the pair ended %d with the seed %q", s.PairPoints(rules.Second), s.OpeningSeed())
		}
		checkKinds(b, one.ID(), match.Moved, match.Resigned, match.Rematched)
	})
}

// The second game begins without a player there, and no other match can have the players until then.
func TestSecondGameBeginsWithoutThePlayers(t *testing.T) {
	j := newUnruly()
	inBubble(t, Config{Journal: j}, func(b *harness) {
		one, other := b.rated(ann(), bob())
		first, second := b.who(one), b.who(other)
		b.must(one.Resign(b.Context()))
		one.Close()
		other.Close()
		pass(match.SecondGameDelay - time.Second)
		if !b.IsPlaying(ann().ID) || !b.IsPlaying(bob().ID) {
			b.Error("between the games the players are free")
		}
		on := b.Summaries(b.MatchesOf(ann().ID))
		if len(on) != 1 || on[0].ID != one.ID() || !on[0].IsBetween || len(b.List()) > 0 {
			b.Errorf("between the games ann has %+v, and on are %v", on, b.List())
		}
		if _, err := b.Lobby().Seek(b.Context(), ann(), match.RatedTerms(match.PeoplePool)); !isErr(err, match.ErrRated) {
			b.Errorf("another pair between the games: %v", err)
		}
		pass(time.Second)
		ids := b.MatchesOf(first.ID)
		if len(ids) != 1 || ids[0] == one.ID() {
			b.Fatalf("the first player has %v", ids)
		}
		pass(DefaultGrace + joinTimeout + time.Second) // without a move the game is lost, not void
		state := replay(t, j.Memory, ids[0])
		if !state.IsPairOver() || state.Outcome.Winner != rules.Second || state.PairPoints(state.Side(second.ID)) != 1 {
			b.Errorf("the second game ended %+v", state.Outcome)
		}
		pass(DefaultLinger)
		if !j.archived(one.ID()) || !j.archived(ids[0]) {
			b.Error("the pair is not put away")
		}
	})
}

// A player who leaves the first game forfeits the second too; one who makes no first move ends the pair without a
// result.
func TestPairWithoutASecondGame(t *testing.T) {
	for name, test := range map[string]struct {
		moves  int
		points int // of the player who stays
	}{"left": {2, 2}, "never moved": {0, 0}} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, Config{Grace: 20 * time.Second}, func(b *harness) {
				one, other := b.rated(ann(), bob())
				s := b.sees(one)
				for i := range test.moves {
					seat := []*Seat{one, other}[i%2]
					b.must(seat.Play(b.Context(), s.Position.Legal()[i]))
				}
				if test.moves > 0 {
					one.Close()
				}
				pass(DefaultFirstMove + joinTimeout)
				s = b.sees(other)
				if !s.Over() || s.AwaitsSecondGame() || s.PairPoints(rules.Second) != test.points {
					b.Fatalf("it ended %+v, with %d points", s.Outcome, s.PairPoints(rules.Second))
				}
				pass(2 * match.SecondGameDelay)
				if ids := b.MatchesOf(ann().ID); len(ids) > 0 {
					b.Errorf("ann plays %v", ids)
				}
			})
		})
	}
}

// After the pair a rematch is another pair, with another seed; after its first game there is none.
func TestRematchOfAPair(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, other := b.rated(ann(), bob())
		first, second := b.who(one), b.who(other)
		b.must(one.Resign(b.Context()))
		if err := one.OfferRematch(b.Context()); !isErr(err, match.ErrPairNotOver) {
			b.Errorf("a rematch after the first game: %v", err)
		}
		pass(match.SecondGameDelay)
		next := b.sees(one).Next
		one, other = b.sit(next, second), b.sit(next, first)
		b.must(one.Resign(b.Context()))
		seed := b.sees(one).OpeningSeed()
		b.must(one.OfferRematch(b.Context()))
		b.must(other.OfferRematch(b.Context()))
		again := b.sees(one).Next
		state, err := b.tables.index.match(again)
		b.must(err)
		if state.Game() != 1 || state.Pair.Seed == seed || state.PairID() == one.ID() ||
			state.SeatState(rules.First).Player.ID != first.ID {
			b.Errorf("the next pair: %+v", state.Pair)
		}
	})
}

// A player who wants a rematch, and seeks before it begins, plays one pair at a time whichever comes first.
func TestRematchOrAnotherPair(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, other := b.pairEnds()
		second := b.who(one)
		b.must(one.OfferRematch(b.Context()))
		seek := b.seekRated(second, match.PeoplePool)
		b.must(other.OfferRematch(b.Context()))
		again := b.sees(one).Next
		if again == "" {
			b.Fatal("the rematch does not begin")
		}
		b.seekRated(cleo(), match.PeoplePool)
		if status, _ := b.status(seek); status.Match != "" {
			b.Error("a player is paired for a second pair at once")
		}
	})
}

// A player who has offered a rematch, and plays another pair since, is not taken to the rematch.
func TestAnotherPairBeforeTheRematch(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, other := b.pairEnds()
		second, next := b.who(one), one.ID()
		b.must(one.OfferRematch(b.Context()))
		b.rated(second, cleo())
		late := b.sit(next, second)
		if err := late.OfferRematch(b.Context()); !isErr(err, match.ErrRated) {
			b.Errorf("the offer has ended, and is made again: %v", err)
		}
		b.must(other.OfferRematch(b.Context()))
		if s := b.sees(one); s.Next != "" {
			b.Error("the rematch begins during another pair")
		}
	})
}

// A node that fails between the games does not lose the pair, and two nodes open one second game.
func TestSecondGameSurvivesItsNode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := match.NewMemory()
		j := &mortal{Store: memory}
		b := newHarness(t, Config{Journal: j})
		other := b.sister()
		defer other.Close()
		one, two := b.rated(ann(), bob())
		first := b.who(one)
		other.sit(one.ID(), b.who(two))
		b.must(one.Resign(b.Context()))
		pass(match.SecondGameDelay / 2)
		b.perish()
		pass(match.SecondGameDelay)
		ids := other.MatchesOf(first.ID)
		if len(ids) != 1 {
			t.Fatalf("the first player has %v", ids)
		}
		other.sit(ids[0], first)
		if s := replay(t, memory, ids[0]); s.Game() != 2 || s.PairID() != one.ID() {
			t.Errorf("what follows is %+v", s.Pair)
		}
	})
}

// All nodes stop between the games: the second one begins after the next start.
func TestSecondGameSurvivesARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := match.NewMemory()
		j := &mortal{Store: memory}
		b := newHarness(t, Config{Journal: j})
		one, _ := b.rated(ann(), bob())
		first := b.who(one)
		b.must(one.Resign(b.Context()))
		b.Drain()
		pass(time.Minute)
		if ids := b.MatchesOf(first.ID); len(ids) != 1 || ids[0] != one.ID() {
			t.Errorf("a server that drains has opened %v", ids)
		}
		b.Close()
		pass(time.Hour)
		again := b.sister()
		defer again.Close()
		pass(match.EntryTTL + 2*heartbeatInterval)
		ids := again.MatchesOf(first.ID)
		if len(ids) != 1 {
			t.Fatalf("the first player has %v", ids)
		}
		if s := replay(t, memory, ids[0]); s.Game() != 2 {
			t.Errorf("what follows is %+v", s.Pair)
		}
	})
}

// Only players with a key play rated pairs, one at a time, against one of their pool, and only in the queue.
func TestWhoPlaysRatedPairs(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		rated := match.RatedTerms(match.PeoplePool)
		if _, err := b.Lobby().Seek(b.Context(), guy(), rated); !isErr(err, match.ErrGuestRated) {
			b.Errorf("a guest: %v", err)
		}
		if _, err := b.Play(b.Context(), ann(), rated, 1, rules.First); !isErr(err, match.ErrRatedTable) {
			b.Errorf("against the computer: %v", err)
		}
		if _, _, err := b.OpenPrivate(b.Context(), ann(), rated); !isErr(err, match.ErrRatedTable) {
			b.Errorf("at a private table: %v", err)
		}
		other := rated
		other.Variant = rules.DefaultVariant()
		if _, err := b.Lobby().Seek(b.Context(), ann(), other); !isErr(err, rules.ErrBadVariant) {
			b.Errorf("other terms: %v", err)
		}
		bot := b.seekRated(cleo(), match.BotPool)
		status, _ := b.status(b.seekRated(ann(), match.PeoplePool))
		if status.Match != "" || status.Waiting != 1 || len(status.Others) > 0 {
			b.Errorf("a person meets a bot, or is told of it: %+v", status)
		}
		if w := b.Lobby().Waiting(ann().ID); w.Count != 0 {
			b.Errorf("people are told of a bot: %+v", w)
		}
		if status, _ := b.status(bot); status.Match != "" {
			b.Error("a bot meets a person")
		}
		if status, _ := b.status(b.seekRated(bob(), match.PeoplePool)); status.Match == "" {
			b.Error("two people do not meet")
		}
		if _, err := b.Lobby().Seek(b.Context(), bob(), rated); !isErr(err, match.ErrRated) {
			b.Errorf("two pairs at once: %v", err)
		}
	})
}

// slowOpening is a journal that is slow to record the opening of a match.
type slowOpening struct{ match.Store }

func (s slowOpening) AppendWith(ctx context.Context, entries []match.Entry, events ...match.Event) (
	match.Event, error,
) {
	if events[0].Kind == match.Opened {
		<-time.After(time.Second)
	}
	return s.Store.AppendWith(ctx, entries, events...)
}

// Two nodes open the second game at once. The slower one has nothing to record, which is no trouble.
func TestTheSecondGameOpensAtTwoNodes(t *testing.T) {
	var log logBook
	inBubble(t, Config{Journal: &mortal{Store: newUnruly()}, Log: log.logger()}, func(here *harness) {
		one, other := here.rated(ann(), bob())
		here.cfg.Journal = &mortal{Store: slowOpening{here.cfg.Journal.(*mortal).Store}}
		there := here.sister()
		defer there.Close()
		there.sit(one.ID(), there.who(other))
		here.must(one.Resign(here.Context()))
		pass(match.SecondGameDelay + 2*time.Second)
		if next := there.sees(there.sit(one.ID(), there.who(other))).Next; next == "" {
			there.Error("the second game does not open")
		}
		if strings.Contains(log.String(), "recording-failed") {
			there.Errorf("a node complains:\n%s", &log)
		}
		if n := strings.Count(log.String(), "event=match-begin"); n != 2 {
			there.Errorf("two matches have begun %d times:\n%s", n, &log)
		}
	})
}

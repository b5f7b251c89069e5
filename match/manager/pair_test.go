package manager

import (
	"slices"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/lobby"
	"notakto/rules"
	"notakto/rules/opening"
)

// rated seats two players at the first game of a rated pair, in the order of their sides.
func (h *harness) rated(one, other match.Player) (first, second *Seat) {
	h.Helper()
	return h.meet(one, other, match.RatedTerms(match.PeoplePool))
}

func (h *harness) who(seat *Seat) match.Player {
	h.Helper()
	state, err := h.tables.index.match(seat.ID())
	h.must(err)
	return state.Seat(seat.Side()).Player
}

// pairEnds plays a pair of ann to its end, and returns the seats of the second game.
func (h *harness) pairEnds(opponent match.Player) (one, other *Seat) {
	h.Helper()
	one, other = h.rated(ann(), opponent)
	first, second := h.who(one), h.who(other)
	h.must(one.Resign(h.Context()))
	pass(match.SecondGameDelay)
	next := h.sees(one).Next
	one, other = h.sit(next, second), h.sit(next, first)
	h.must(one.Resign(h.Context()))
	return one, other
}

// A pair has the two openings of one seed, and each player begins once. A rematch of the pair is another pair, with
// another seed.
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
		if s.Pair.Seed != "" || s.OpeningHash() != opening.Commitment(state.Pair.Seed) || len(state.Pair.Seed) < 26 {
			b.Errorf("the first player sees the seed %q of %q", s.Pair.Seed, state.Pair.Seed)
		}
		b.must(one.Play(b.Context(), s.Position.LegalMoves()[0]))
		b.must(other.Resign(b.Context()))
		b.fails(one.OfferRematch(b.Context()), match.ErrPairNotOver)
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
		if s.Game() != 2 || s.PairID() != one.ID() || s.Pair.OtherWinner != rules.Second || s.Pair.Seed != "" {
			b.Errorf("the second game: %+v", s.Pair)
		}
		b.must(again.Resign(b.Context()))
		if s := b.sees(mine); s.PairPoints(rules.Second) != 2 || s.OpeningSeed() != state.Pair.Seed {
			b.Errorf("the pair ended %d with the seed %q", s.PairPoints(rules.Second), s.OpeningSeed())
		}
		checkKinds(b, one.ID(), match.Moved, match.Resigned, match.Rematched)
		rematch := b.logged(b.rematch(again, mine))
		if rematch.Game() != 1 || rematch.Pair.Seed == state.Pair.Seed || rematch.PairID() == one.ID() ||
			rematch.Seat(rules.First).Player.ID != first.ID {
			b.Errorf("the next pair: %+v", rematch.Pair)
		}
	})
}

// Until the second game begins, no other match can have the players. After all nodes have stopped, the next one opens
// it.
func TestSecondGameBeginsWithoutThePlayers(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, other := b.rated(ann(), bob())
		first, second := b.who(one), b.who(other)
		b.must(one.Resign(b.Context()))
		one.Close()
		other.Close()
		pass(match.SecondGameDelay - time.Second)
		if !b.IsPlaying(ann().ID) || !b.IsPlaying(bob().ID) || !b.IsPlayingOthers(bob().ID) {
			b.Error("between the games the players are free")
		}
		on := b.Summaries(b.PlayerMatches(ann().ID))
		if len(on) != 1 || on[0].ID != one.ID() || !on[0].AwaitsSecondGame || len(b.List()) > 0 {
			b.Errorf("between the games ann has %+v, and on are %v", on, b.List())
		}
		b.fails(errOf(b.Lobby().Seek(b.Context(), ann(), match.RatedTerms(match.PeoplePool))), match.ErrRated)
		b.Drain() // a draining server opens no second game
		pass(time.Minute)
		if ids := b.PlayerMatches(ann().ID); !slices.Equal(ids, []match.ID{one.ID()}) {
			b.Errorf("a draining server has opened %v", ids)
		}
		b.restart() // all nodes have stopped, and the next one opens the second game
		pass(match.EntryTTL + 2*heartbeatInterval)
		ids := b.PlayerMatches(first.ID)
		if len(ids) != 1 || ids[0] == one.ID() {
			b.Fatalf("the first player has %v", ids)
		}
		pass(DefaultGrace + joinTimeout + time.Second) // without a move the game is lost and not void
		state := b.logged(ids[0])
		if !state.IsPairOver() || state.Outcome.Winner != rules.Second || state.PairPoints(state.Side(second.ID)) != 1 {
			b.Errorf("the second game ended %+v", state.Outcome)
		}
		pass(DefaultLinger)
		if !b.disk.archived(one.ID()) || !b.disk.archived(ids[0]) {
			b.Error("the pair is not put away")
		}
	})
}

// A player wants a rematch, and seeks before it begins. Only one pair begins, by whichever comes first.
func TestRematchOrAnotherPair(t *testing.T) {
	rated := match.RatedTerms(match.PeoplePool)
	inBubble(t, Config{}, func(b *harness) {
		one, other := b.pairEnds(bob())
		b.must(one.OfferRematch(b.Context()))
		seek := b.seek(b.who(one), rated)
		b.must(other.OfferRematch(b.Context()))
		if b.sees(one).Next == "" {
			b.Fatal("the rematch does not begin")
		}
		b.waits(b.seek(cleo(), rated))
		if status, _ := b.status(seek); status.Match != "" {
			b.Error("a player is paired for a second pair at once")
		}
	})
	inBubble(t, Config{}, func(b *harness) {
		one, other := b.pairEnds(bob())
		b.must(one.OfferRematch(b.Context()))
		b.rated(b.who(one), cleo())
		b.fails(b.sit(one.ID(), b.who(one)).OfferRematch(b.Context()), match.ErrRated)
		b.must(other.OfferRematch(b.Context()))
		if s := b.sees(one); s.Next != "" {
			b.Error("the rematch begins during another pair")
		}
	})
}

// Rated pairs are for players with a key, one at a time, against a player of the pool, and only in the queue.
func TestWhoPlaysRatedPairs(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		rated := match.RatedTerms(match.PeoplePool)
		b.fails(errOf(b.Lobby().Seek(b.Context(), guy(), rated)), match.ErrGuestRated)
		b.fails(errOf(b.PlayComputer(b.Context(), ann(), rated, 1, rules.First)), match.ErrRatedTable)
		b.fails(errOf3(b.OpenPrivate(b.Context(), ann(), rated)), match.ErrRatedTable)
		other := rated
		other.Variant = rules.DefaultVariant()
		b.fails(errOf(b.Lobby().Seek(b.Context(), ann(), other)), rules.ErrBadVariant)
		b.fails(errOf(b.Lobby().Seek(b.Context(), ann(), ratedDays(b.T, 1))), rules.ErrBadVariant)
		bot, person := b.seek(cleo(), match.RatedTerms(match.BotPool)), b.seek(ann(), rated)
		b.waits(bot)
		if status, _ := b.status(person); status.Match != "" || status.Waiting != 1 || len(status.Others) > 0 {
			b.Errorf("a person meets a bot, or is told of it: %+v", status)
		}
		if w := b.Lobby().Waiting(ann().ID); w.Count != 0 {
			b.Errorf("people are told of a bot: %+v", w)
		}
		b.meets(person, b.seek(bob(), rated))
		b.fails(errOf(b.Lobby().Seek(b.Context(), bob(), rated)), match.ErrRated)
	})
}

// The event that seats the players says whether they share a network, and no event has an address. Both games of a pair
// and of its rematch have it, and those of a challenge whose maker has left.
func TestARatedPairRecordsWhetherThePlayersShareANetwork(t *testing.T) {
	for _, other := range []match.Player{bob(), cleo()} {
		networks := map[match.PlayerID][]string{
			ann().ID: {"home/64", "home/56", "home/48"}, bob().ID: {"other/64", "other/56", "home/48"},
			cleo().ID: {"away"},
		}
		inBubble(t, Config{Networks: func(p match.PlayerID) []string { return networks[p] }}, func(b *harness) {
			one, two := b.pairEnds(other)
			rematch := b.sit(b.rematch(one, two), ann())
			b.must(rematch.Resign(b.Context()))
			pass(match.SecondGameDelay)
			made := b.challengeWith(ann(), other, ratedDays(t, 2))
			delete(networks, ann().ID)
			b.must(b.Accept(b.Context(), other, made, match.PeoplePool))
			first, days := b.logged(one.ID()).PairID(), b.logged(made).OtherGame()
			for _, id := range []match.ID{first, one.ID(), rematch.ID(), b.sees(rematch).Next, made, days} {
				if s := b.logged(id); s.Pair.SameNetwork != (other == bob()) {
					t.Errorf("game %d of %s: %t", s.Game(), s.PairID(), s.Pair.SameNetwork)
				}
			}
		})
	}
}

// A player who lets opponents wait again and again loses. The maker of a challenge need not be there.
func TestTheSecondMissedFirstMoveOfADayLosesThePair(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		end := func(first, second *Seat) match.State { // bob makes no move
			if b.who(first) != bob() {
				b.must(first.Play(b.Context(), b.sees(first).Position.LegalMoves()[0]))
			}
			pass(DefaultFirstMove + joinTimeout)
			first.Close()
			second.Close()
			return b.logged(first.ID())
		}
		check := func(name string, s match.State, isLost bool) {
			t.Helper()
			points := 0
			if isLost {
				points = 2
			}
			if s.Outcome.Reason != rules.ReasonAbandoned || s.Outcome.IsVoid() == isLost || s.IsPairOver() != isLost ||
				s.AwaitsSecondGame() || s.PairPoints(s.Side(bob().ID).Other()) != points {
				t.Errorf("%s: %+v", name, s.Outcome)
			}
		}
		for _, name := range []string{"the first challenge", "the second challenge"} {
			id := b.challengeWith(bob(), ann(), match.RatedTerms(match.PeoplePool))
			first, second := b.accept(ann(), id), b.sit(id, bob())
			if first.Side() == rules.Second {
				first, second = second, first
			}
			check(name, end(first, second), false)
		}
		check("the first time", end(b.rated(bob(), ann())), false)
		check("the second time", end(b.rated(bob(), cleo())), true)
		pass(lobby.SeparationTime)
		check("the third time", end(b.rated(ann(), bob())), true)
		pass(missedLife)
		check("a day later", end(b.rated(bob(), ann())), false)
		if len(b.PlayerMatches(ann().ID)) > 0 {
			t.Error("a second game has begun")
		}
	})
}

package manager

import (
	"slices"
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/opening"
)

func ratedDays(t testing.TB, days int) match.Terms {
	t.Helper()
	terms, err := match.RatedTerms(match.PeoplePool), error(nil)
	if terms.Clock, err = match.Correspondence(days); err != nil {
		t.Fatal(err)
	}
	return terms
}

// daysPair has ann challenge bob to a rated pair with a clock of days, and returns both games with the seats of their
// first players.
func (h *harness) daysPair(days int) (one, two match.ID) {
	h.Helper()
	id := h.challengeWith(ann(), bob(), ratedDays(h.T, days))
	h.must(h.Accept(h.Context(), bob(), id, match.PeoplePool))
	pass(0)
	state, err := h.tables.index.match(id)
	h.must(err)
	return id, state.OtherGame()
}

// resign has the first player of a game resign it.
func (h *harness) resign(id match.ID) {
	h.Helper()
	state, err := h.tables.index.match(id)
	h.must(err)
	seat := h.sit(id, state.Seat(rules.First).Player)
	defer seat.Close()
	h.must(seat.Resign(h.Context()))
}

// advance has the player whose turn it is make a move, and leave.
func (h *harness) advance(id match.ID) {
	h.Helper()
	s := h.logged(id)
	seat := h.sit(id, s.Seat(s.Turn()).Player)
	defer seat.Close()
	h.must(seat.Play(h.Context(), s.Position.LegalMoves()[0]))
}

func TestBothGamesOfADaysPairBeginAtOnce(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, two := b.daysPair(2)
		first, second := b.logged(one), b.logged(two)
		openings := opening.Draw(first.Pair.Seed)
		if first.Position != openings[0] || second.Position != openings[1] || !second.HasStarted() ||
			second.Game() != 2 || second.PairID() != one || first.Next != "" ||
			second.Seat(rules.First).Player != first.Seat(rules.Second).Player ||
			second.Seat(rules.Second).Player != first.Seat(rules.First).Player {
			t.Errorf("the games are %+v and %+v", first, second)
		}
		if !first.OpenedAt.Before(second.OpenedAt) && !second.OpenedAt.Equal(first.TurnSince) {
			t.Errorf("the second game begins at %v, the first at %v", second.OpenedAt, first.TurnSince)
		}
		if b.PlaysRated(ann().ID) || len(b.PlayerMatches(ann().ID)) != 2 {
			t.Errorf("ann has %v", b.PlayerMatches(ann().ID))
		}
		_, err := b.Lobby().Seek(b.Context(), ann(), match.RatedTerms(match.PeoplePool))
		b.must(err) // a pair with a clock of days keeps no player from another one
		pass(time.Hour)
		if b.tables.index.table(two) != nil {
			t.Error("the second game has a table, and no player")
		}
	})
}

// The game that ends last ends the pair, and only then both are archived.
func TestADaysPairEndsWithEitherGame(t *testing.T) {
	for _, isSecondFirst := range []bool{false, true} {
		inBubble(t, Config{}, func(b *harness) {
			games := make([]match.ID, 2)
			games[0], games[1] = b.daysPair(2)
			if isSecondFirst {
				slices.Reverse(games)
			}
			b.resign(games[0])
			pass(time.Hour)
			if s := b.logged(games[0]); !s.EndedFirst() || s.IsPairOver() || b.disk.archived(games[0]) {
				t.Errorf("after the first end: %+v, archived %t", s.Pair, b.disk.archived(games[0]))
			}
			seat := b.sit(games[0], ann())
			b.fails(seat.OfferRematch(b.Context()), match.ErrOtherGame)
			seat.Close()
			b.restart()
			pass(time.Hour)
			if b.disk.archived(games[0]) || b.tables.index.table(games[0]) != nil {
				t.Errorf("after a restart the game that ended first is archived: %t", b.disk.archived(games[0]))
			}
			b.resign(games[1])
			s := b.logged(games[1])
			if !s.IsPairOver() || s.PairPoints(rules.First) != 1 || s.PairPoints(rules.Second) != 1 {
				t.Errorf("after the last end: %+v", s.Pair)
			}
			pass(time.Hour)
			if !b.disk.archived(games[0]) || !b.disk.archived(games[1]) {
				t.Errorf("archived are %t and %t", b.disk.archived(games[0]), b.disk.archived(games[1]))
			}
		})
	}
}

// A time loss loses one game. The first move has the days and the bank, and without it the pair is void.
func TestTimeOfADaysPair(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, two := b.daysPair(1)
		for _, id := range []match.ID{one, two} {
			for range 2 {
				b.advance(id)
				pass(time.Minute)
			}
		}
		begun := b.logged(one).TurnSince
		b.skip(2 * 24 * time.Hour) // a day longer than the clock
		seat := b.sit(two, b.logged(two).Seat(rules.First).Player)
		b.must(seat.Play(b.Context(), b.legal(two)))
		shown := b.sees(seat)
		if move, bank := shown.DaysLeft(rules.First, b.Now()); move != 24*time.Hour || bank > 48*time.Hour ||
			bank < 47*time.Hour {
			t.Errorf("%v and a bank of %v are left", move, bank)
		}
		seat.Close()
		checkFlag(b, one, begun.Add(4*24*time.Hour), rules.First, 4*24*time.Hour)
		if s := b.logged(two); s.IsOver() {
			t.Errorf("the other game ended too: %+v", s.Outcome)
		}
		checkFlag(b, two, b.logged(two).TurnSince.Add(4*24*time.Hour), rules.Second, 4*24*time.Hour)
		s := b.logged(two)
		if winner := s.Seat(rules.First).Player; !s.IsPairOver() || s.PairPoints(rules.First) != 2 || winner.ID == "" {
			t.Errorf("the pair ended %+v, with %d points", s.Pair, s.PairPoints(rules.First))
		}
	})
}

// A player who has moved in one game cannot make the pair void by never beginning the other game.
func TestAPlayerLosesADaysPairByNotBeginningOneGame(t *testing.T) {
	for _, isOtherOver := range []bool{false, true} {
		inBubble(t, Config{}, func(b *harness) {
			one, two := b.daysPair(1)
			b.advance(two)
			b.advance(two) // the second player of this game begins the other game, and does not
			if isOtherOver {
				seat := b.sit(two, b.logged(two).Seat(rules.Second).Player)
				b.must(seat.Resign(b.Context()))
				seat.Close()
			}
			b.skip(4*24*time.Hour + time.Minute)
			b.skip(5 * 24 * time.Hour)
			first, second := b.logged(one), b.logged(two)
			if first.Outcome != (rules.Outcome{Winner: rules.Second, Reason: rules.ReasonTime}) ||
				!first.IsPairOver() && !second.IsPairOver() {
				t.Errorf("the games ended %+v and %+v", first.Outcome, second.Outcome)
			}
		})
	}
}

// The rematch is offered at the game that ended last, and is a pair too. From the offer on it takes two places.
func TestARematchOfADaysPairIsAnotherPair(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, two := b.daysPair(2)
		b.resign(one)
		b.resign(two)
		places := func(want int) {
			b.Helper()
			if n := b.places(ann(), daysSeat); n != want {
				b.Errorf("ann has %d matches, want %d", n, want)
			}
		}
		places(0)
		seat, other := b.sit(two, ann()), b.sit(two, bob())
		b.must(seat.OfferRematch(b.Context()))
		places(2)
		b.must(other.OfferRematch(b.Context()))
		pass(time.Minute)
		places(2)
		next := b.logged(b.logged(two).Next)
		second := b.logged(next.OtherGame())
		if next.Game() != 1 || second.Game() != 2 || second.OtherGame() != next.ID ||
			len(b.PlayerMatches(ann().ID)) != 2 || len(b.listed(cleo())) != 0 ||
			next.Pair.Seed == b.logged(one).Pair.Seed {
			t.Errorf("the rematch is %+v and %+v", next, second)
		}
	})
}

// A player gets no verdict on the current positions of the pair, nor on those one move later.
func TestPositionsOfADaysPairAreSecret(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, _ := b.daysPair(2)
		p := b.logged(one).Position
		next, err := p.Play(p.LegalMoves()[0])
		b.must(err)
		later, err := next.Play(next.LegalMoves()[0])
		b.must(err)
		for name, test := range map[string]struct {
			shown rules.Position
			want  bool
		}{
			"the current position": {p, true}, "after one move": {next, true}, "after two moves": {later, false},
			"empty boards": {p.Variant().Start(), false},
		} {
			if got := b.PlaysRated(ann().ID, test.shown); got != test.want {
				t.Errorf("%s: secret is %t", name, got)
			}
		}
		if b.PlaysRated(cleo().ID, p) {
			t.Error("the position is secret for another player")
		}
	})
}

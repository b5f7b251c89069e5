package manager

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
)

func (h *harness) challenge(maker, opponent match.Player, clockText string) match.ID {
	h.Helper()
	return h.challengeWith(maker, opponent, clock(h.T, clockText))
}

func (h *harness) challengeWith(maker, opponent match.Player, terms match.Terms) match.ID {
	h.Helper()
	id, err := h.Challenge(h.Context(), maker, Challenge{Terms: terms, Opponent: opponent})
	h.must(err)
	return id
}

func (h *harness) accept(p match.Player, id match.ID) *Seat {
	h.Helper()
	h.must(h.Accept(h.Context(), p, id, match.PeoplePool))
	return h.sit(id, p)
}

// listed returns the challenges of a list without the waiting players.
func (h *harness) listed(p match.Player) (ids []match.ID) {
	for _, c := range h.Challenges(p.ID) {
		if c.ID != "" {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// checkListed checks which challenges a player sees.
func (h *harness) checkListed(p match.Player, want ...match.ID) {
	h.Helper()
	if got := h.listed(p); !slices.Equal(got, want) {
		h.Errorf("%s sees %v, want %v", p.Name, got, want)
	}
}

func TestANamedChallengeIsAccepted(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		id := b.challenge(ann(), bob(), "5+0")
		b.checkListed(ann(), id)
		b.checkListed(bob(), id)
		b.checkListed(cleo())
		_, err := b.Challenge(b.Context(), ann(), Challenge{clock(t, "5+0"), bob()})
		if b.fails(err, match.ErrSameChallenge); !strings.Contains(err.Error(), string(id)) {
			b.Errorf("the same challenge again: %v", err)
		}
		c := b.Challenges(bob().ID)[0]
		if c.Terms != clock(t, "5+0") || c.Maker != ann() || c.Invited.ID != bob().ID ||
			!c.Since.Equal(b.Now()) || c.Expires.Sub(c.Since) != match.ChallengeLife {
			b.Errorf("bob sees %+v", c)
		}
		pass(time.Hour)
		if n := b.tables.index.tableCount(); n != 0 {
			b.Errorf("the challenge has %d tables", n)
		}
		for p, want := range map[match.Player]error{
			cleo(): match.ErrNoSuchChallenge, ann(): match.ErrOwnTable, guy(): match.ErrGuestChallenge,
		} {
			b.fails(b.Accept(b.Context(), p, id, match.PeoplePool), want)
		}
		if b.IsPlaying(ann().ID) || len(b.PlayerMatches(ann().ID)) != 0 || len(b.List()) != 0 {
			b.Error("an open challenge counts as a match")
		}
		accepted := b.accept(bob(), id)
		came := b.sit(id, ann())
		if s := b.sees(came); !s.HasStarted() || s.MoveBy.Sub(b.Now()) != DefaultFirstMove || len(b.List()) != 1 {
			b.Errorf("the match is %+v", s)
		}
		b.fails(b.Accept(b.Context(), bob(), id, match.PeoplePool), match.ErrOwnTable)
		b.fails(b.Accept(b.Context(), cleo(), id, match.PeoplePool), match.ErrNoSuchChallenge)
		b.checkListed(ann())
		b.checkListed(bob())
		b.must(accepted.Resign(b.Context()))
	})
}

// The maker is away when the challenge is accepted, and makes no first move. The maker loses nothing, whether the limit
// of the move or of absence is the shorter one.
func TestAMakerWhoDoesNotComeMakesTheMatchVoid(t *testing.T) {
	for _, cfg := range []Config{{}, {Grace: time.Second}} {
		inBubble(t, cfg, func(b *harness) {
			for range 6 { // the sides are random
				id := b.challenge(ann(), bob(), "none")
				pass(time.Hour)
				seat := b.accept(bob(), id)
				if b.sees(seat); seat.Side() == rules.First {
					b.play(seat, "A5")
				}
				pass(DefaultFirstMove)
				s := b.logged(id)
				if !s.Outcome.IsVoid() || s.Outcome.Reason != rules.ReasonAbandoned {
					b.Fatalf("it ended %+v", s.Outcome)
				}
				seat.Close()
			}
		})
	}
}

// Every end of a challenge without a match leaves no trace for its players.
func TestAChallengeEndsWithoutAMatch(t *testing.T) {
	for name, end := range map[string]func(*harness, match.ID){
		"declined":  func(b *harness, id match.ID) { b.must(b.Decline(b.Context(), bob().ID, id)) },
		"withdrawn": func(b *harness, id match.ID) { b.must(b.Decline(b.Context(), ann().ID, id)) },
		"expired":   func(b *harness, _ match.ID) { b.skip(match.ChallengeLife - time.Hour - 1) },
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, Config{}, func(b *harness) {
				id := b.challenge(ann(), bob(), "3d")
				b.fails(b.Decline(b.Context(), cleo().ID, id), match.ErrNoSuchChallenge)
				b.restart() // takes an hour
				b.checkListed(bob(), id)
				end(b, id)
				pass(1)
				b.checkListed(ann())
				b.checkListed(bob())
				b.fails(b.Accept(b.Context(), bob(), id, match.PeoplePool), match.ErrNoSuchChallenge)
				b.fails(b.Decline(b.Context(), ann().ID, id), match.ErrNoSuchChallenge)
				pass(time.Hour)
				want := rules.NoSide
				s := b.logged(id)
				if name == "declined" {
					want = s.VacantSide()
				}
				events, err := b.cfg.Journal.Load(b.Context(), id, 0)
				b.must(err)
				if end := events[len(events)-1]; end.Kind != match.Cancelled || end.Seat != want || len(events) != 4 {
					b.Errorf("the log is %+v", events)
				}
				if b.tables.index.knows(id) || b.LastEnded() != nil || len(b.tables.index.open) != 0 {
					b.Error("the challenge is not archived")
				}
				if n := b.places(ann(), challengeSeat); n != 0 {
					b.Errorf("%d challenges count", n)
				}
			})
		})
	}
}

func TestARatedChallengeNeedsKeysAndHidesItsOpening(t *testing.T) {
	for _, terms := range []match.Terms{match.RatedTerms(match.PeoplePool), ratedDays(t, 3)} {
		inBubble(t, Config{}, func(b *harness) {
			b.fails(errOf(b.Challenge(b.Context(), guy(), Challenge{terms, bob()})), match.ErrGuestChallenge)
			b.fails(errOf(b.Challenge(b.Context(), ann(), Challenge{terms, guy()})), match.ErrGuestChallenge)
			id := b.challengeWith(ann(), bob(), terms)
			b.fails(errOf(b.Sit(b.Context(), id, ann().ID)), match.ErrNotStarted)
			b.fails(errOf(b.Watch(b.Context(), id, ann().ID)), match.ErrNotStarted)
			if b.PlaysRated(ann().ID) {
				b.Error("an open challenge counts as a rated pair")
			}
			s := b.sees(b.accept(bob(), id))
			if s.Game() != 1 || s.Terms != terms || s.Pair.Seed != "" || !b.PlaysRated(ann().ID, s.Position) {
				b.Errorf("the match is %+v", s)
			}
			other := match.Terms{Variant: boards(t, 1), Clock: terms.Clock, Pool: match.PeoplePool}
			b.fails(errOf(b.Challenge(b.Context(), ann(), Challenge{other, bob()})), rules.ErrBadVariant)
		})
	}
}

// While its maker plays a rated pair, or as many matches as a player may, a live challenge cannot be accepted.
func TestALiveChallengeWaitsForItsMaker(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		terms := match.RatedTerms(match.PeoplePool)
		first := b.challengeWith(ann(), bob(), terms)
		second := b.challengeWith(ann(), cleo(), terms)
		third := b.challengeWith(cleo(), bob(), terms)
		b.accept(bob(), first)
		b.fails(b.Accept(b.Context(), bob(), third, match.PeoplePool), match.ErrRated)
		b.fails(b.Accept(b.Context(), cleo(), second, match.PeoplePool), match.ErrNoSuchChallenge)
		b.checkListed(cleo(), third)
		pass(DefaultFirstMove + time.Second) // the pair is void
		b.checkListed(cleo(), second, third)
		b.accept(cleo(), second)
	})
	inBubble(t, Config{MaxMatches: 1}, func(b *harness) {
		first, second := b.challenge(ann(), bob(), "5+0"), b.challenge(ann(), cleo(), "none")
		seat := b.accept(bob(), first)
		b.checkListed(cleo())
		b.fails(b.Accept(b.Context(), cleo(), second, 0), match.ErrNoSuchChallenge)
		b.must(seat.Resign(b.Context()))
		b.checkListed(cleo(), second)
		b.accept(cleo(), second)
	})
}

func TestChallengesAreLimited(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		for i := range maxChallenges {
			b.challenge(ann(), person(i), "3d")
		}
		make := func(c Challenge, want error) {
			b.Helper()
			b.fails(errOf(b.Challenge(b.Context(), ann(), c)), want)
		}
		make(Challenge{clock(t, "5+0"), bob()}, match.ErrTooManyChallenges)
		make(Challenge{clock(t, "5+0"), ann()}, match.ErrOwnChallenge)
		make(Challenge{clock(t, "5+0"), match.Player{}}, match.ErrLiveChallenge)
		make(Challenge{clock(t, "1d"), match.Computer(1)}, match.ErrGuestChallenge)
		make(Challenge{match.Terms{}, bob()}, rules.ErrBadVariant)
		for range DefaultMaxMatches { // challenges do not count
			b.open(ann(), bob(), rules.DefaultVariant())
		}
		b.fails(b.tables.claim(ann().ID, "", match.Terms{}, false), match.ErrTooMany)
		for i := range maxDays - 1 {
			b.must(b.Accept(b.Context(), person(i), b.listed(person(i))[0], match.PeoplePool))
		}
		extra, pair := b.challenge(ann(), cleo(), "1d"), b.challengeWith(bob(), ann(), ratedDays(t, 3))
		resign := func(opponent match.Player) {
			own := b.PlayerMatches(opponent.ID)
			b.must(b.sit(own[0], opponent).Resign(b.Context()))
		}
		b.fails(b.Accept(b.Context(), ann(), pair, match.PeoplePool), match.ErrTooManyDays) // takes two places
		make(Challenge{ratedDays(t, 3), bob()}, match.ErrTooManyDays)
		resign(person(3))
		b.accept(ann(), pair)
		if n := b.places(ann(), daysSeat); n != maxDays {
			b.Errorf("ann has %d matches", n)
		}
		make(Challenge{clock(t, "1d"), bob()}, match.ErrTooManyDays)
		b.checkListed(cleo()) // ann could not play it
		b.fails(b.Accept(b.Context(), cleo(), extra, match.PeoplePool), match.ErrNoSuchChallenge)
		toAnn := b.challenge(bob(), ann(), "1d")
		b.fails(b.Accept(b.Context(), ann(), toAnn, match.PeoplePool), match.ErrTooManyDays)
		resign(person(4))
		b.checkListed(cleo(), extra)
		other := b.challenge(ann(), bob(), "1d")
		b.disk.interrupt(match.Seated, func() { // the last place is taken while cleo accepts
			b.fails(b.Accept(b.Context(), bob(), other, match.PeoplePool), match.ErrNoSuchChallenge)
		})
		b.accept(cleo(), extra)
	})
}

func TestANetworkHasALimitOfChallenges(t *testing.T) {
	networks := func(match.PlayerID) []string { return []string{"there"} }
	inBubble(t, Config{MaxSeats: 20, Networks: networks}, func(b *harness) {
		err := error(nil)
		n := 0
		for ; err == nil && n < 1000; n++ {
			_, err = b.Challenge(b.Context(), person(n), Challenge{Terms: clock(t, "1d")})
		}
		if n != 11 || !errors.Is(err, match.ErrAddressFull) {
			b.Errorf("challenge %d: %v", n, err)
		}
		b.open(ann(), match.Computer(1), rules.DefaultVariant()) // the challenges leave half of the seats
	})
}

// A blocked player gets the results and errors of other players.
func TestABlockedPlayerLearnsNothing(t *testing.T) {
	blocks := func(by, other match.PlayerID) bool { return by == ann().ID && other == bob().ID }
	inBubble(t, Config{Blocks: blocks}, func(b *harness) {
		id, seen := b.challenge(bob(), ann(), "3d"), b.challenge(cleo(), ann(), "3d")
		b.checkListed(bob(), id)
		b.checkListed(ann(), seen)
		mine, his := b.Challenges(bob().ID)[0], b.Challenges(cleo().ID)[0]
		mine.ID, mine.Maker = his.ID, his.Maker
		if mine != his {
			b.Errorf("bob's is %+v, cleo's %+v", mine, his)
		}
		b.fails(b.Accept(b.Context(), ann(), id, match.PeoplePool), match.ErrNoSuchChallenge)
		b.fails(b.Decline(b.Context(), ann().ID, id), match.ErrNoSuchChallenge)
		open, named := b.challenge(ann(), match.Player{}, "3d"), b.challenge(ann(), bob(), "3d")
		b.checkListed(bob(), id)
		b.checkListed(cleo(), open, seen)
		for _, id := range []match.ID{open, named, "aaaaaaaaaa"} {
			b.fails(b.Accept(b.Context(), bob(), id, match.PeoplePool), match.ErrNoSuchChallenge)
		}
		onBoard := b.challenge(bob(), match.Player{}, "3d")
		b.checkListed(ann(), seen, named, open)
		b.skip(match.ChallengeLife)
		b.checkListed(bob())
		if s := b.logged(onBoard); !s.Closed {
			b.Errorf("bob's is %+v", s)
		}
	})
}

// The queue pairs each of two such players with another one.
func TestTheQueueDoesNotPairBlockedPlayers(t *testing.T) {
	blocks := func(by, other match.PlayerID) bool { return by == ann().ID && other == bob().ID }
	inBubble(t, Config{Blocks: blocks}, func(b *harness) {
		mine, his := b.seek(ann()), b.seek(bob())
		pass(time.Minute)
		for _, p := range []match.Player{ann(), bob()} {
			if n := b.Lobby().Waiting(p.ID).Count; n != 0 {
				b.Errorf("%s sees %d waiting players", p.Name, n)
			}
		}
		if status := his.Latest(); status.Match != "" || status.Waiting != 1 {
			b.Errorf("bob's seek is %+v", status)
		}
		waiting := b.Challenges(cleo().ID)
		if len(waiting) != 2 || waiting[0].Maker != ann() || waiting[0].ID != "" ||
			waiting[0].Variant != rules.DefaultVariant() {
			b.Errorf("cleo sees %+v", waiting)
		}
		hers := b.seek(cleo())
		pass(time.Second)
		if id := hers.Latest().Match; id == "" || id != mine.Latest().Match || his.Latest().Match != "" {
			b.Error("cleo does not meet ann")
		}
	})
}

// Each list is bounded. Ten keys of one person have as many challenges as a list shows.
func TestTenMakersHideNoChallenge(t *testing.T) {
	inBubble(t, Config{Seed: 1}, func(b *harness) {
		onBoard, toAnn := b.challenge(bob(), match.Player{}, "1d"), b.challenge(bob(), ann(), "1d")
		for i := range maxListed {
			pass(time.Second)
			b.challenge(person(i/maxChallenges), match.Player{}, "1d")
			b.challenge(person(maxListed+i/maxChallenges), ann(), fmt.Sprint(1+i%maxChallenges, "d"))
		}
		all := b.listed(ann())
		if len(all) != 2*maxListed || !slices.Contains(all, onBoard) || !slices.Contains(all, toAnn) {
			b.Errorf("ann sees %d challenges: %v", len(all), all)
		}
		named, _ := b.PersonalChallenges(ann().ID)
		isSorted := slices.IsSortedFunc(named, func(a, b OpenChallenge) int { return b.Since.Compare(a.Since) })
		if len(named) != maxListed || !isSorted {
			b.Errorf("%d challenges, the newest first: %t", len(named), isSorted)
		}
	})
}

// A player who is blocked by all makers once had the index locked for five milliseconds by each list.
func TestALongBoardIsExaminedInPart(t *testing.T) {
	looks := 0
	blocks := func(match.PlayerID, match.PlayerID) bool { looks++; return true }
	m := New(Config{Seed: 1, Blocks: blocks})
	defer m.Close()
	terms := match.DefaultTerms()
	terms.Clock, _ = match.Correspondence(3)
	for i := range maxExamined + 100 {
		if _, err := m.Challenge(t.Context(), person(i/maxChallenges), Challenge{Terms: terms}); err != nil {
			t.Fatal(err)
		}
	}
	looks = 0
	if all := m.Challenges(ann().ID); len(all) > 0 || looks != maxExamined {
		t.Errorf("%d challenges are listed, %d are examined", len(all), looks)
	}
}

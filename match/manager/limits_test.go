package manager

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
)

func TestMatchesAPlayer(t *testing.T) {
	inBubble(t, Config{MaxMatches: 2}, func(b *harness) {
		_, code := b.private(bob())
		playing := b.vsComputer(ann(), rules.First)
		first := playing.ID()
		pass(1)
		second, _ := b.private(ann())
		if ids := b.PlayerMatches(ann().ID); !slices.Equal(ids, []match.ID{first, second}) {
			b.Errorf("ann plays %v", ids)
		}
		checkRefuses(b, ann(), match.ErrTooMany)
		b.fails(b.join(ann(), code), match.ErrTooMany)
		b.must(playing.Resign(b.Context()))
		if ids := b.PlayerMatches(ann().ID); !slices.Equal(ids, []match.ID{second}) {
			b.Errorf("ann still plays %v", ids)
		}
		b.must(b.join(ann(), code))
	})
}

func TestRefusedOpeningLeavesNothing(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		for _, kind := range []match.Kind{match.Opened, match.Seated} {
			b.disk.fail(kind, errTrouble)
			b.fails(errOf3(b.OpenPrivate(b.Context(), guy(), match.DefaultTerms())), errTrouble)
		}
		b.fails(errOf(b.PlayComputer(b.Context(), ann(), match.Terms{}, 1, rules.First)), rules.ErrBadVariant)
		b.fails(errOf(b.PlayComputer(b.Context(), ann(), match.DefaultTerms(), 0, rules.First)), strategy.ErrBadLevel)
		b.fails(errOf(b.Lobby().Seek(b.Context(), ann(), match.Terms{})), rules.ErrBadVariant)
		synctest.Wait()
		r := b.tables.index
		if len(b.PlayerMatches(guy().ID))+len(b.PlayerMatches(ann().ID))+len(r.codes.targets)+len(r.codes.byMatch)+
			len(r.matches)+len(r.seats.byPlayer)+b.tables.index.tableCount() > 0 {
			b.Errorf("left behind: %+v", r)
		}
	})
}

// Four bots filled the disk by opening and resigning matches at once, because every match is stored. Challenges count
// too.
func TestMatchesStartNoFasterThanTheRate(t *testing.T) {
	there := func(match.PlayerID) []string { return []string{"there"} }
	inBubble(t, Config{MaxMatchRate: 2, Networks: there}, func(b *harness) {
		begin := func(p match.Player) error {
			id, err := b.PlayComputer(b.Context(), p, match.DefaultTerms(), strategy.Random, rules.First)
			if err == nil {
				b.must(b.sit(id, p).Resign(b.Context()))
			}
			return err
		}
		for i := range burstMinutes { // every player has a share, however small
			b.must(begin(person(i)))
			b.must(b.Decline(b.Context(), person(50+i).ID, b.challenge(person(50+i), bob(), "1d")))
		}
		for i := range 2 {
			b.fails(begin(ann()), match.ErrRateLimited)
			b.fails(errOf(b.Challenge(b.Context(), cleo(), Challenge{clock(t, "1d"), bob()})), match.ErrRateLimited)
			pass(30 * time.Second)
			b.must(begin(person(100 + i)))
		}
	})
}

// The server was not told of refused matches.
func TestALimitThatRefusesAMatchIsReported(t *testing.T) {
	var received []error
	refused := func(_ match.PlayerID, why error) { received = append(received, why) }
	inBubble(t, Config{MaxMatches: 1, MaxMatchRate: 1, OnLimit: refused}, func(b *harness) {
		b.private(ann())
		_, _, _ = b.OpenPrivate(b.Context(), ann(), match.DefaultTerms())
		for range freeTries + 1 {
			_ = b.join(bob(), "0000")
		}
		received = slices.Compact(received)
		if !slices.Equal(received, []error{match.ErrTooMany, match.ErrNoSuchTable, match.ErrTooManyCodes}) {
			b.Errorf("reported: %v", received)
		}
	})
}

// A few guests left matches against the computer, and no player of their address could play for a day.
func TestKeptMatchesFillNoNetwork(t *testing.T) {
	cfg := Config{MaxSeats: 2, Networks: func(match.PlayerID) []string { return []string{"here"} }}
	inBubble(t, cfg, func(b *harness) {
		var ids []match.ID
		for i := range 3 {
			seat := b.vsComputer(person(i), rules.First)
			seat.Close()
			pass(time.Minute)
			ids = append(ids, seat.ID())
		}
		if s := b.logged(ids[0]); s.Outcome.Reason != rules.ReasonAbandoned {
			b.Errorf("of three matches that were left the first ended with %+v, the network may have two", s.Outcome)
		}
		for _, id := range ids[1:] {
			if s := b.logged(id); s.IsOver() {
				b.Errorf("%s is over: %+v", id, s.Outcome)
			}
		}
		b.sees(b.sit(ids[1], person(1))) // it counts again
		b.vsComputer(ann(), rules.First)
		_, err := b.PlayComputer(b.Context(), bob(), match.DefaultTerms(), 1, rules.First)
		b.fails(err, match.ErrAddressFull)
	})
}

// Seats taken before the process began did not count.
func TestSeatsCountAfterARestart(t *testing.T) {
	at := map[match.PlayerID][]string{ann().ID: {"here"}, bob().ID: {"here"}}
	cfg := Config{MaxSeats: 2, Networks: func(p match.PlayerID) []string {
		return at[p]
	}}
	inBubble(t, cfg, func(b *harness) {
		for range 2 {
			b.open(ann(), match.Computer(1), rules.DefaultVariant())
		}
		clear(at)
		next := newHarness(t, b.cfg)
		defer next.Close()
		at[ann().ID], at[bob().ID] = []string{"here"}, []string{"here"}
		for _, p := range []match.Player{ann(), bob()} {
			_, err := next.PlayComputer(b.Context(), p, match.DefaultTerms(), 1, rules.First)
			b.fails(err, match.ErrAddressFull)
		}
	})
}

// A seek that is cancelled costs more than a started match, because it makes work for the whole queue.
func TestPlayersWhoSeekAndCancelWithoutEndAreRefused(t *testing.T) {
	const rate = 60
	inBubble(t, Config{MaxMatchRate: rate, Networks: func(match.PlayerID) []string { return []string{"there"} }},
		func(b *harness) {
			heard := 0
			for ; heard < 5*rate; heard++ {
				s, err := b.Lobby().Seek(b.Context(), ann(), match.DefaultTerms())
				if errors.Is(err, match.ErrRateLimited) {
					break
				}
				b.must(err)
				s.Cancel()
			}
			if most := 5 * rate / (1 + cancelledSeekCost); heard < most/2 || heard > most {
				b.Errorf("%d seeks are cancelled at once, %d may be", heard, most)
			}
			b.seek(bob())
			pass(time.Minute)
			b.seek(ann())
		})
}

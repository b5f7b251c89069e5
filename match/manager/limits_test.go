package manager

import (
	"slices"
	"strconv"
	"sync"
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
		first, err := b.PlayComputer(b.Context(), ann(), match.DefaultTerms(), 1, rules.First)
		b.must(err)
		pass(1)
		second, _ := b.private(ann())
		if ids := b.PlayerMatches(ann().ID); !slices.Equal(ids, []match.ID{first, second}) {
			b.Errorf("ann plays %v", ids)
		}
		_, errPlay := b.PlayComputer(b.Context(), ann(), match.DefaultTerms(), 1, rules.First)
		_, _, errPrivate := b.OpenPrivate(b.Context(), ann(), match.DefaultTerms())
		_, _, errJoin := b.Join(b.Context(), ann(), code)
		_, errSeek := b.Lobby().Seek(b.Context(), ann(), match.DefaultTerms())
		for _, err := range []error{errPlay, errPrivate, errJoin, errSeek} {
			b.fails(err, match.ErrTooMany)
		}
		b.must(b.sit(first, ann()).Resign(b.Context()))
		if ids := b.PlayerMatches(ann().ID); !slices.Equal(ids, []match.ID{second}) {
			b.Errorf("ann still plays %v", ids)
		}
		if _, _, err := b.Join(b.Context(), ann(), code); err != nil {
			b.Error(err)
		}
	})
}

func TestMatchesAPlayerAtOnce(t *testing.T) {
	m := New(Config{MaxMatches: 3})
	defer m.Close()
	var windows sync.WaitGroup
	errs := make([]error, 20)
	for i := range errs {
		windows.Go(func() { _, errs[i] = m.PlayComputer(t.Context(), ann(), match.DefaultTerms(), 1, rules.First) })
	}
	windows.Wait()
	refused := 0
	for _, err := range errs {
		if isErr(err, match.ErrTooMany) {
			refused++
		}
	}
	if refused != 17 || len(m.PlayerMatches(ann().ID)) != 3 {
		t.Errorf("%d of 20 refused, %d open", refused, len(m.PlayerMatches(ann().ID)))
	}
}

func TestRefusedOpeningLeavesNothing(t *testing.T) {
	j := newUnruly()
	inBubble(t, Config{Journal: j}, func(b *harness) {
		for _, kind := range []match.Kind{match.Opened, match.Seated} {
			j.fail(kind, 1)
			b.fails(errOf3(b.OpenPrivate(b.Context(), guy(), match.DefaultTerms())), errTrouble)
		}
		b.fails(errOf(b.PlayComputer(b.Context(), ann(), match.Terms{}, 1, rules.First)), rules.ErrBadVariant)
		if _, err := b.PlayComputer(b.Context(), ann(), match.DefaultTerms(), 0, rules.First); err == nil {
			b.Error("a match against no level was opened")
		}
		b.fails(errOf(b.Lobby().Seek(b.Context(), ann(), match.Terms{})), rules.ErrBadVariant)
		synctest.Wait()
		r := b.tables.index
		if len(b.PlayerMatches(guy().ID))+len(b.PlayerMatches(ann().ID))+len(r.codes.targets)+len(r.codes.byMatch)+
			len(r.matches)+len(r.seats.byPlayer)+b.tables.index.tableCount() > 0 {
			b.Errorf("left behind: %+v", r)
		}
	})
}

func stranger(n int) match.Player {
	return match.Player{ID: match.PlayerID("stranger" + strconv.Itoa(n)), Name: "stranger"}
}

// Four bots filled the disk by opening and resigning matches at once, because every match is stored.
func TestMatchesStartNoFasterThanTheRate(t *testing.T) {
	inBubble(t, Config{MaxMatchRate: 2, Networks: func(match.PlayerID) []string {
		return []string{"there"}
	}}, func(b *harness) {
		begin := func(p match.Player) error {
			id, err := b.PlayComputer(b.Context(), p, match.DefaultTerms(), strategy.Random, rules.First)
			if err == nil {
				b.must(b.sit(id, p).Resign(b.Context()))
			}
			return err
		}
		for i := range 2 * burstMinutes { // every player has a share, however small
			if err := begin(stranger(i)); err != nil {
				b.Fatalf("match %d: %v", i, err)
			}
		}
		for i := range 2 {
			b.fails(begin(ann()), match.ErrRateLimited)
			<-time.After(30 * time.Second)
			b.must(begin(stranger(100 + i)))
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
			_, _, _ = b.Join(b.Context(), bob(), "0000")
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
		begin := func(p match.Player) (match.ID, error) {
			return b.PlayComputer(b.Context(), p, match.DefaultTerms(), 1, rules.First)
		}
		var ids []match.ID
		for i := range 3 {
			id, err := begin(person(i))
			b.must(err)
			seat := b.sit(id, person(i))
			seat.Close()
			pass(time.Minute)
			ids = append(ids, id)
		}
		if s := replay(b.T, b.cfg.Journal, ids[0]); s.Outcome.Reason != rules.ReasonAbandoned {
			b.Errorf("of three matches that were left the first ended with %+v, the network may have two", s.Outcome)
		}
		for _, id := range ids[1:] {
			if s := replay(b.T, b.cfg.Journal, id); s.IsOver() {
				b.Errorf("%s is over: %+v", id, s.Outcome)
			}
		}
		b.sit(ids[1], person(1)) // it counts again
		id, err := begin(ann())
		b.must(err)
		b.sit(id, ann())
		b.fails(errOf(begin(bob())), match.ErrAddressFull)
	})
}

// Seats taken before the process began did not count.
func TestSeatsCountAfterARestart(t *testing.T) {
	at := map[match.PlayerID][]string{ann().ID: {"here"}, bob().ID: {"here"}}
	cfg := Config{Journal: match.NewMemory(), MaxSeats: 2, Networks: func(p match.PlayerID) []string {
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
			if !isErr(err, match.ErrAddressFull) {
				b.Errorf("%s: %v", p.Name, err)
			}
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
				if isErr(err, match.ErrRateLimited) {
					break
				}
				b.must(err)
				s.Cancel()
			}
			if most := 5 * rate / (1 + cancelledSeekCost); heard < most/2 || heard > most {
				b.Errorf("%d seeks are cancelled at once, %d may be", heard, most)
			}
			b.seek(bob(), rules.DefaultVariant())
			pass(time.Minute)
			b.seek(ann(), rules.DefaultVariant())
		})
}

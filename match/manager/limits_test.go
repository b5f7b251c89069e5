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
		first, err := b.Play(b.Context(), ann(), match.DefaultTerms(), 1, rules.First)
		b.must(err)
		pass(1)
		second, _ := b.private(ann())
		if ids := b.MatchesOf(ann().ID); !slices.Equal(ids, []match.ID{first, second}) {
			b.Errorf("ann plays %v", ids)
		}
		_, errPlay := b.Play(b.Context(), ann(), match.DefaultTerms(), 1, rules.First)
		_, _, errPrivate := b.OpenPrivate(b.Context(), ann(), match.DefaultTerms())
		_, _, errJoin := b.Join(b.Context(), ann(), code)
		_, errSeek := b.Lobby().Seek(b.Context(), ann(), match.DefaultTerms())
		for _, err := range []error{errPlay, errPrivate, errJoin, errSeek} {
			if !isErr(err, match.ErrTooMany) {
				b.Error(err)
			}
		}
		b.must(b.sit(first, ann()).Resign(b.Context()))
		if ids := b.MatchesOf(ann().ID); !slices.Equal(ids, []match.ID{second}) {
			b.Errorf("ann still plays %v", ids)
		}
		if _, _, err := b.Join(b.Context(), ann(), code); err != nil {
			b.Error(err)
		}
	})
}

// Concurrent sessions of one player open no more matches than the limit.
func TestMatchesAPlayerAtOnce(t *testing.T) {
	m := New(Config{MaxMatches: 3})
	defer m.Close()
	var windows sync.WaitGroup
	errs := make([]error, 20)
	for i := range errs {
		windows.Go(func() { _, errs[i] = m.Play(t.Context(), ann(), match.DefaultTerms(), 1, rules.First) })
	}
	windows.Wait()
	refused := 0
	for _, err := range errs {
		if isErr(err, match.ErrTooMany) {
			refused++
		}
	}
	if refused != 17 || len(m.MatchesOf(ann().ID)) != 3 {
		t.Errorf("%d of 20 refused, %d open", refused, len(m.MatchesOf(ann().ID)))
	}
}

// A seat at a private table counts once.
func TestJoiningCountsOnce(t *testing.T) {
	inBubble(t, Config{MaxMatches: 2}, func(b *harness) {
		for _, host := range []match.Player{ann(), cleo()} {
			_, code := b.private(host)
			if _, _, err := b.Join(b.Context(), bob(), code); err != nil {
				b.Error(err)
			}
		}
	})
}

func TestRefusedOpeningLeavesNothing(t *testing.T) {
	j := newUnruly()
	inBubble(t, Config{Journal: j}, func(b *harness) {
		for _, kind := range []match.Kind{match.Opened, match.Seated} {
			j.fail(kind, 1)
			if _, _, err := b.OpenPrivate(b.Context(), guy(), match.DefaultTerms()); !isErr(err, errTrouble) {
				b.Error(err)
			}
		}
		if _, err := b.Play(b.Context(), ann(), match.Terms{}, 1, rules.First); !isErr(err, rules.ErrBadVariant) {
			b.Errorf("a match of no variant: %v", err)
		}
		if _, err := b.Play(b.Context(), ann(), match.DefaultTerms(), 0, rules.First); err == nil {
			b.Error("a match against no level was opened")
		}
		if _, err := b.Lobby().Seek(b.Context(), ann(), match.Terms{}); !isErr(err, rules.ErrBadVariant) {
			b.Errorf("a place in the queue of no variant: %v", err)
		}
		synctest.Wait()
		r := b.tables.index
		if len(b.MatchesOf(guy().ID))+len(b.MatchesOf(ann().ID))+len(r.codes.targets)+len(r.codes.of)+len(r.matches)+
			len(r.seats.byPlayer)+b.tables.index.tableCount() > 0 {
			b.Errorf("left behind: %+v", r)
		}
	})
}

// stranger returns one of many players.
func stranger(n int) match.Player {
	return match.Player{ID: match.PlayerID("stranger" + strconv.Itoa(n)), Name: "stranger"}
}

// Four bots that opened match after match and resigned each at once filled the disk: every match is stored.
func TestMatchesStartNoFasterThanTheRate(t *testing.T) {
	inBubble(t, Config{MaxMatchRate: 2, Networks: func(match.PlayerID) []string {
		return []string{"there"}
	}}, func(b *harness) {
		begin := func(p match.Player) error {
			id, err := b.Play(b.Context(), p, match.DefaultTerms(), strategy.Random, rules.First)
			if err == nil {
				b.must(b.sit(id, p).Resign(b.Context()))
			}
			return err
		}
		for i := range 2 * freeMinutes { // each has a share, however small
			if err := begin(stranger(i)); err != nil {
				b.Fatalf("match %d: %v", i, err)
			}
		}
		for i := range 2 {
			if err := begin(ann()); !isErr(err, match.ErrRateLimited) {
				b.Error(err)
			}
			<-time.After(30 * time.Second)
			b.must(begin(stranger(100 + i)))
		}
	})
}

// Limits were enforced without notifying the server.
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

// Matches against the computer that a few guests had left locked everyone at their address out for a day.
func TestKeptMatchesFillNoNetwork(t *testing.T) {
	cfg := Config{MaxSeats: 2, Networks: func(match.PlayerID) []string { return []string{"here"} }}
	inBubble(t, cfg, func(b *harness) {
		begin := func(p match.Player) (match.ID, error) {
			return b.Play(b.Context(), p, match.DefaultTerms(), 1, rules.First)
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
		if s := replay(b.T, b.cfg.Journal, ids[0]); s.Outcome.Reason != rules.Abandoned {
			b.Errorf("of three matches that were left the first ended with %+v, the network may have two", s.Outcome)
		}
		for _, id := range ids[1:] {
			if s := replay(b.T, b.cfg.Journal, id); s.Over() {
				b.Errorf("%s is over: %+v", id, s.Outcome)
			}
		}
		b.sit(ids[1], person(1)) // it counts again
		id, err := begin(ann())
		b.must(err)
		b.sit(id, ann())
		if _, err := begin(bob()); !isErr(err, match.ErrAddressFull) {
			b.Errorf("a third seat that is played at: %v", err)
		}
	})
}

// Seats that were taken before the process began were counted nowhere.
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
			if _, err := next.Play(b.Context(), p, match.DefaultTerms(), 1, rules.First); !isErr(err, match.ErrAddressFull) {
				b.Errorf("%s: %v", p.Name, err)
			}
		}
	})
}

package manager

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"notakto/match"
	"notakto/match/journaltest"
	"notakto/match/limit"
	"notakto/rules"
	"notakto/rules/strategy"
)

// A long list was sorted under the index's lock for each request, while no player could move.
func TestALongListIsMadeNowAndThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(Config{})
		defer m.Close()
		begin := func(n int) {
			me := match.Player{ID: match.PlayerID(fmt.Sprint("SHA256:", n))}
			if _, err := m.Play(context.Background(), me, match.DefaultTerms(), strategy.Perfect, rules.First); err != nil {
				t.Fatal(err)
			}
		}
		for n := range fewListed + 1 {
			begin(n)
			if got := len(m.List()); got != n+1 {
				t.Fatalf("%d of %d listed", got, n+1)
			}
		}
		begin(fewListed + 1)
		if got := len(m.List()); got != fewListed+1 {
			t.Errorf("%d listed: the list was made again at once", got)
		}
		time.Sleep(listEvery) //nolint:forbidigo // the bubble's clock
		if got := len(m.List()); got != fewListed+2 {
			t.Errorf("%d listed after a while", got)
		}
	})
}

// Each session in the lobby had a copy of its own, made anew every two seconds: with 200 matches, 45 KB in 0.2 ms.
func TestAListIsShared(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		const some = 50
		for n := range some {
			me := match.Player{ID: match.PlayerID(fmt.Sprint("SHA256:", n))}
			_, err := b.Play(b.Context(), me, match.DefaultTerms(), strategy.Perfect, rules.First)
			b.must(err)
		}
		if one, other := b.List(), b.List(); &one[0] != &other[0] {
			b.Errorf("of %d matches each caller has a list", some)
		}
	})
}

// Matches that are over but not archived are gone through under the index's lock as well.
func TestAListAmongManyFinishedMatchesIsMadeNowAndThen(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		begin := func() match.ID {
			id, err := b.Play(b.Context(), ann(), match.DefaultTerms(), strategy.Perfect, rules.First)
			b.must(err)
			return id
		}
		for range fewListed + 1 {
			seat := b.sit(begin(), ann())
			b.must(seat.Resign(b.Context()))
			seat.Close()
		}
		for want := range 2 {
			if got := len(b.List()); got != want {
				b.Errorf("%d listed, want %d", got, want)
			}
			if want == 0 {
				begin()
			}
			if got := len(b.List()); got != want {
				b.Errorf("%d listed: the list was made again at once", got)
			}
			pass(listEvery)
		}
	})
}

// Matches against the computer without their player were first in the list, for a day.
func TestMatchesThatWereLeftAreListedLast(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		id, err := b.Play(b.Context(), ann(), match.DefaultTerms(), strategy.Perfect, rules.Second)
		b.must(err)
		seat := b.sit(id, ann())
		pass(heartbeatInterval) // the computer has moved, so that this match is the busier one
		other, err := b.Play(b.Context(), bob(), match.DefaultTerms(), strategy.Perfect, rules.First)
		b.must(err)
		b.sit(other, bob())
		for _, want := range []match.ID{id, other} {
			if got := b.List(); len(got) != 2 || got[0].ID != want {
				b.Errorf("listed are %+v, %s should be the first", got, want)
			}
			seat.Close()
			pass(heartbeatInterval)
		}
	})
}

// What a manager counts of a match: its moves, its end, and that it is active no longer.
func TestMatchesAreCounted(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, two := b.pair(rules.DefaultVariant())
		state, err := b.tables.index.match(one.ID())
		b.must(err)
		two.IsBot = true
		b.onlooker(one.ID())
		pass(transientEvery)
		s, kind := b.Stats, ActiveMatches{rules.DefaultVariant().String(), ByPerson, "playing"}
		if s.Active.Get(kind) != 1 || s.Spectators.Load() != 1 ||
			s.Started.Get(StartedMatches{kind.Variant, ByPerson, originOf(state.Origin)}) != 1 {
			b.Errorf("%d active, %d watch", s.Active.Get(kind), s.Spectators.Load())
		}
		b.play(one, "A5")
		b.play(two, "B5")
		b.must(one.Resign(b.Context()))
		if s.Moves.Get(ByPerson) != 1 || s.Moves.Get(ByBot) != 1 || s.Moves.Get(ByComputer) != 0 {
			b.Errorf("%d moves of people, %d of bots", s.Moves.Get(ByPerson), s.Moves.Get(ByBot))
		}
		if s.Active.Get(kind) != 0 || s.Ended.Get(EndedMatches{kind.Variant, ByPerson, "resign"}) != 1 {
			b.Errorf("%d are active still", s.Active.Get(kind))
		}
	})
}

// A match that ended while its player was away was never mentioned to the player again.
func TestMissedMatchesAreReportedOnce(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, _ := b.pair(rules.DefaultVariant())
		one.Close()
		pass(grace)
		for _, p := range []match.Player{bob(), guy()} {
			if all := b.TakeMissed(p.ID); len(all) != 0 {
				b.Errorf("%s missed %d matches", p.Name, len(all))
			}
		}
		all := b.TakeMissed(ann().ID)
		if len(all) != 1 || all[0].ID != one.ID() || all[0].Outcome.Winner != rules.Second {
			b.Fatalf("ann missed %+v", all)
		}
		if again := b.TakeMissed(ann().ID); len(again) != 0 {
			b.Errorf("twice: %+v", again)
		}
	})
}

func TestMissedMatchesAreBounded(t *testing.T) {
	var m missed
	for i := range 5 * limit.MaxRemembered {
		m.add(left(t, match.Player{ID: person(i % (4 * limit.MaxRemembered)).ID}))
	}
	if n := m.Len(); n > 2*limit.MaxRemembered {
		t.Errorf("the matches of %d players are kept", n)
	}
	for range 2 * maxMissed {
		m.add(left(t, ann()))
	}
	if n := len(m.take(ann().ID)); n != maxMissed {
		t.Errorf("%d are kept of one player", n)
	}
}

// left returns a match that its only player has left.
func left(t *testing.T, p match.Player) *match.State {
	t.Helper()
	s := journaltest.Fold(t, match.Event{Kind: match.Opened, Terms: match.Terms{Variant: rules.TicTacToe()}},
		match.Event{Kind: match.Seated, Seat: rules.First, Player: p}, match.Event{Kind: match.Left, Seat: rules.First})
	return &s
}

// The history of a match has a state for each event with the time it came, of a match that is on or over, without the
// codes that spectators may not know.
func TestHistory(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		id, code := b.private(guy())
		begun := b.Now()
		if _, _, err := b.Join(b.Context(), ann(), code); err != nil {
			b.Fatal(err)
		}
		seats := [2]*Seat{b.sit(id, guy()), b.sit(id, ann())}
		if seats[0].Side() != rules.First {
			seats[0], seats[1] = seats[1], seats[0]
		}
		pass(3 * time.Second)
		b.play(seats[0], "A5")
		onlooker := b.onlooker(id)
		b.must(seats[1].Resign(b.Context()))
		states, err := onlooker.History(b.Context())
		b.must(err)
		var started, moved, over bool
		for i, s := range states {
			if s.Seq != uint64(i)+1 || s.Code != "" || s.TableCode != "" || s.SeatState(s.Side(guy().ID)).Code != "" {
				b.Errorf("event %d leads to %+v", i+1, s)
			}
			started = started || s.Started() && len(s.Moves) == 0 && s.TurnSince.Equal(begun)
			moved = moved || len(s.Moves) == 1 && !s.Over() && s.TurnSince.Equal(begun.Add(3*time.Second))
			over = over || s.Outcome.Reason == rules.Resign
		}
		if !started || !moved || !over {
			b.Errorf("it began %t, went on %t, and ended %t: %+v", started, moved, over, states)
		}
	})
}

func TestHistoryWithoutAJournal(t *testing.T) {
	journal := journaltest.NewFaulty(0)
	inBubble(t, Config{Journal: journal}, func(b *harness) {
		one, _ := b.pair(rules.DefaultVariant())
		onlooker := b.onlooker(one.ID())
		journal.Fail(match.ErrUnavailable)
		defer journal.Fail(nil)
		if _, err := onlooker.History(b.Context()); !isErr(err, match.ErrUnavailable) {
			b.Errorf("without a journal: %v", err)
		}
	})
}
